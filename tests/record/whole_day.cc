// Tests a day of stackrecord on a machine of day.cc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made.h"
#include "require.h"

using boost::unit_test::description;

namespace {

constexpr std::uint64_t ring_bytes = 24 << 20;

class day_seen final : public recording::visitor {
public:
	bool
	begin(const recording::segment_info &) override
	{
		is_set_ = false;
		return true;
	}
	bool
	at(const recording::segment &s, const recording::tick &t) override
	{
		constexpr std::int64_t step = 100'000'000;
		ticks++;
		threads += t.threads.size();
		boot_goes_on = boot_goes_on && t.boot_ns >= s.boot_ns();
		wall_goes_on = wall_goes_on && !is_set_;
		is_set_ = s.boot_ns() != 0 && std::abs(t.wall_minus_boot -
		    s.wall_minus_boot()) > step;
		steps += is_set_;
		return true;
	}
	std::size_t	ticks = 0, threads = 0, steps = 0;
	bool		boot_goes_on = true;
	bool		wall_goes_on = true;	// up to a segment's last tick

private:
	bool	is_set_ = false;
};

struct day {
	int	status = -1;
	long	kilobytes = 0;		// of memory, at most
};

// Records a day, so many times a second.
day
record_day(const std::string &dir, const char *hz, const char *threads,
    const std::string &max_size)
{
	day d;
	rusage used{};
	const pid_t child = fork();
	if (child == 0) {
		setenv("LD_PRELOAD", DAY, 1);
		setenv("STACK9_DAY_THREADS", threads, 1);
		execl(STACKRECORD, "stackrecord", "-q", "-F", hz, "-D",
		    "86400", "--max-age", "0", "--max-size", max_size.c_str(),
		    "--record", dir.c_str(), nullptr);
		_exit(127);
	}
	int status = 0;
	BOOST_REQUIRE(wait4(child, &status, 0, &used) == child);
	d.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	d.kilobytes = used.ru_maxrss;
	return d;
}

} // namespace

// Without STACK9_LONG the day has a tick each 50 seconds.
BOOST_AUTO_TEST_CASE(a_day_of_churn, *description(
    "a day in which threads come and go, clocks are set and the machine is "
    "suspended: each file is read, none is lost, memory is bounded"))
{
	const bool is_long = std::getenv("STACK9_LONG") != nullptr;
	const std::size_t expected = is_long ? 86400 : 86400 / 50;
	const made::directory all, ring;
	const char *const hz = is_long ? "1" : "0.02";
	const char *const threads = is_long ? "1000" : "300";
	const day whole = record_day(all.path(), hz, threads, "0");
	BOOST_TEST(whole.status == 0);
	BOOST_TEST(whole.kilobytes < 128 << 10);
	day_seen found;
	recording::reading r;
	for (const std::string &name : all.segments())
		BOOST_TEST(recording::read_file(all.path() + "/" + name,
		    found, r) == 0);
	BOOST_TEST(r.complaints.empty());
	BOOST_TEST(r.without_end == 0U);
	BOOST_TEST(found.boot_goes_on);
	BOOST_TEST(found.wall_goes_on);
	BOOST_TEST(found.steps > 0U);
	BOOST_TEST(found.ticks == expected);
	BOOST_TEST(found.threads > expected);
	BOOST_TEST_MESSAGE(whole.kilobytes << " KiB, " << r.segments <<
	    " segments of " << r.bytes << " bytes, " << found.threads <<
	    " threads");

	const day bounded = record_day(ring.path(), hz, threads,
	    std::to_string(ring_bytes / (is_long ? 1 : 24)));
	BOOST_TEST(bounded.status == 0);
	std::uintmax_t bytes = 0;
	for (const std::string &name : ring.segments()) {
		const std::string path = ring.path() + "/" + name;
		bytes += std::filesystem::file_size(path);
		BOOST_TEST(recording::read_file(path, found, r) == 0);
	}
	BOOST_TEST(r.complaints.empty());
	BOOST_TEST(bytes <= ring_bytes / (is_long ? 1 : 24));
	BOOST_TEST(bytes > ring_bytes / (is_long ? 2 : 48));
}
