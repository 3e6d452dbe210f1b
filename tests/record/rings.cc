// Tests directories of segments: their order, their limits, their owner.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made.h"
#include "tools/record/records.h"
#include "tools/record/ring.h"
#include "tools/record/writer.h"

using boost::unit_test::description;

namespace {

// Puts a segment of a thousand ticks or so.
void
put_segment(recording::writer &w, unsigned int ticks)
{
	w.begin(made::info());
	for (unsigned int n = 0; n < ticks; n++)
		BOOST_REQUIRE(w.put(made::tick(n)) == 0);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_oldest_are_deleted, *description(
    "--max-size bounds the directory, and files of others stay"))
{
	const made::directory dir;
	const std::string other = dir.path() + "/notes-1.txt";
	std::ofstream(other) << std::string(100000, 'x');
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {1 << 20, 0}, {64 << 10, 1000000});
	for (int i = 0; i < 40; i++)
		put_segment(w, 600);
	w.end();
	std::uintmax_t bytes = 0;
	for (const std::string &name : dir.segments())
		bytes += std::filesystem::file_size(dir.path() + "/" + name);
	BOOST_TEST(bytes <= 1U << 20);
	BOOST_TEST(bytes > 1U << 19);
	BOOST_TEST(dir.segments().back().starts_with("00000040-"));
	BOOST_TEST(std::filesystem::exists(other));
	for (const std::string &name : dir.segments())
		BOOST_TEST(made::read(dir.path() + "/" + name).what.complete ==
		    1);
}

BOOST_AUTO_TEST_CASE(old_ones_are_deleted, *description(
    "--max-age goes by the time when a file was written last"))
{
	const made::directory dir;
	{
		recording::ring ring;
		BOOST_REQUIRE(ring.open(dir.path()) == 0);
		recording::writer w(ring, {0, 3600}, {});
		for (int i = 0; i < 3; i++)
			put_segment(w, 3);
	}
	const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
	for (int i = 0; i < 2; i++)
		BOOST_REQUIRE(utimensat(AT_FDCWD, (dir.path() + "/" +
		    dir.segments()[static_cast<std::size_t>(i)]).c_str(),
		    long_ago, 0) == 0);
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {0, 3600}, {});
	put_segment(w, 3);
	w.end();
	BOOST_TEST(dir.segments().size() == 2);
}

BOOST_AUTO_TEST_CASE(the_file_that_is_written_stays, *description(
    "--max-size: the file that is being written is not deleted"))
{
	const made::directory dir;
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	const auto create = [&](std::int64_t wall_ns) {
		const int fd = ring.create(wall_ns);
		BOOST_REQUIRE(fd >= 0);
		const std::string bytes(8192, 'x');
		BOOST_TEST(write(fd, bytes.data(), bytes.size()) == 8192);
		close(fd);
	};
	create(1);
	ring.shrink({1, 0}, 1);
	BOOST_TEST(!ring.delete_oldest());
	BOOST_TEST(dir.segments().size() == 1);
	create(2);
	ring.shrink({1, 0}, 1);
	BOOST_REQUIRE(dir.segments().size() == 1);
	BOOST_TEST(dir.segments()[0].starts_with("00000002-"));
	create(3);
	BOOST_TEST(ring.delete_oldest());
	BOOST_TEST(!ring.delete_oldest());
	BOOST_REQUIRE(dir.segments().size() == 1);
	BOOST_TEST(dir.segments()[0].starts_with("00000003-"));
}

// After the step the files look as if they were of long ago.
BOOST_AUTO_TEST_CASE(a_clock_that_is_set_deletes_nothing, *description(
    "--max-age: a file is as old as the recorder has run since it ended"))
{
	const made::directory dir;
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {0, 3600}, {});
	for (int i = 0; i < 3; i++)
		put_segment(w, 3);
	const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
	for (const std::string &name : dir.segments())
		BOOST_REQUIRE(utimensat(AT_FDCWD, (dir.path() + "/" +
		    name).c_str(), long_ago, 0) == 0);
	put_segment(w, 3);
	BOOST_TEST(dir.segments().size() == 4);
}

namespace {

// Counts the ticks of an interval that a directory gives.
class counting final : public recording::visitor {
public:
	explicit counting(const tools::interval &when) : when_(when) {}

	bool
	at(const recording::segment &, const recording::tick &t) override
	{
		ticks += when_.has(recording::wall_ns(t));
		return recording::wall_ns(t) <= when_.to;
	}

	unsigned int	ticks = 0;

private:
	const tools::interval when_;
};

unsigned int
ticks_in(const std::string &dir, std::int64_t from, std::int64_t to)
{
	constexpr std::int64_t second = 1'000'000'000;
	const tools::interval when{from * second, to * second};
	counting c(when);
	recording::reading r;
	BOOST_TEST(recording::read_records({dir}, when, c, r));
	BOOST_TEST(r.complaints.empty());
	return c.ticks;
}

} // namespace

// Segments of ten ticks, one a second, between which the clock is set forth and
// back.  Both segments that have a time are read, whatever is between them.
BOOST_AUTO_TEST_CASE(a_clock_that_is_set, *description(
    "what was recorded at a time is found after the clock was set"))
{
	constexpr std::int64_t second = 1'000'000'000;
	const made::directory dir;
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {0, 0}, {});
	const std::int64_t steps[] = {1000, 100000, 1000, 995, 500};
	for (std::uint64_t s = 0; s < std::size(steps); s++) {
		recording::segment_info info = made::info();
		info.boot_ns = 10 * s * second;
		info.wall_minus_boot = steps[s] * second;
		w.begin(info);
		for (unsigned int n = 0; n < 10; n++) {
			recording::tick t = made::tick(n);
			t.boot_ns = (10 * s + n) * second;
			t.wall_minus_boot = info.wall_minus_boot;
			for (recording::change &c : t.changes)
				c.now.since_ns = t.boot_ns;
			BOOST_REQUIRE(w.put(t) == 0);
		}
	}
	w.end();
	BOOST_TEST(ticks_in(dir.path(), 1000, 1009) == 10U);
	BOOST_TEST(ticks_in(dir.path(), 1020, 1029) == 15U);
	BOOST_TEST(ticks_in(dir.path(), 100010, 100019) == 10U);
	BOOST_TEST(ticks_in(dir.path(), 540, 549) == 10U);
	BOOST_TEST(ticks_in(dir.path(), 2000, 3000) == 0U);
}

namespace {

// Puts a segment of ten ticks, one a second, after so many seconds of a boot.
void
put_seconds(recording::writer &w, const std::string &boot_id,
    std::uint64_t after)
{
	constexpr std::int64_t second = 1'000'000'000;
	recording::segment_info info = made::info();
	info.boot_id = boot_id;
	info.boot_ns = after * second;
	info.wall_minus_boot = 1000 * second;
	w.begin(info);
	for (unsigned int n = 0; n < 10; n++) {
		recording::tick t = made::tick(n);
		t.boot_ns = (after + n) * second;
		t.wall_minus_boot = info.wall_minus_boot;
		for (recording::change &c : t.changes)
			c.now.since_ns = t.boot_ns;
		BOOST_REQUIRE(w.put(t) == 0);
	}
}

} // namespace

// The clock that counts from the boot knows one boot only.
BOOST_AUTO_TEST_CASE(a_machine_that_boots, *description(
    "what was recorded at a time is found after a boot"))
{
	const made::directory dir;
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {0, 0}, {});
	put_seconds(w, "first", 100);
	put_seconds(w, "second", 101);
	w.end();
	BOOST_TEST(ticks_in(dir.path(), 1105, 1109) == 10U);
}

// A link that leads nowhere is listed and cannot be opened, as a file that was
// deleted in between.
BOOST_AUTO_TEST_CASE(deleted_meanwhile, *description(
    "the files that the ring has not deleted are read"))
{
	const made::directory dir;
	{
		recording::ring ring;
		BOOST_REQUIRE(ring.open(dir.path()) == 0);
		recording::writer w(ring, {0, 0}, {});
		for (int i = 0; i < 3; i++)
			put_seconds(w, "boot", 100 + 10 *
			    static_cast<std::uint64_t>(i));
	}
	BOOST_TEST(ticks_in(dir.path(), 0, 2000) == 30U);
	const std::string first = dir.path() + "/" + dir.segments()[0];
	std::filesystem::remove(first);
	std::filesystem::create_symlink(dir.path() + "/none", first);
	BOOST_TEST(ticks_in(dir.path(), 0, 2000) == 20U);
}

// A link is of others, whatever its name is.
BOOST_AUTO_TEST_CASE(a_link_among_them, *description(
    "--max-size bounds the directory, and files of others stay"))
{
	const made::directory dir;
	const std::string link = dir.path() + "/00000001-of-others.s9";
	std::filesystem::create_symlink(dir.path() + "/none", link);
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {1, 0}, {});
	for (int i = 0; i < 3; i++)
		put_segment(w, 3);
	w.end();
	BOOST_TEST(std::filesystem::is_symlink(link));
	BOOST_TEST(dir.segments().size() == 3);
}

BOOST_AUTO_TEST_CASE(numbers_go_on, *description(
    "a recorder that begins again does not begin at 1"))
{
	const made::directory dir;
	for (int i = 0; i < 3; i++) {
		recording::ring ring;
		BOOST_REQUIRE(ring.open(dir.path()) == 0);
		recording::writer w(ring, {}, {});
		put_segment(w, 2);
	}
	const auto names = dir.segments();
	BOOST_REQUIRE(names.size() == 3);
	BOOST_TEST(names[2].starts_with("00000003-"));
	struct stat s;
	BOOST_REQUIRE(stat((dir.path() + "/" + names[0]).c_str(), &s) == 0);
	BOOST_TEST((s.st_mode & 0777) == 0600);
}

BOOST_AUTO_TEST_CASE(one_recorder_a_directory, *description(
    "two recorders do not delete each other's files"))
{
	const made::directory dir;
	recording::ring first, second;
	BOOST_TEST(first.open(dir.path()) == 0);
	BOOST_TEST(second.open(dir.path()) == EBUSY);
}
