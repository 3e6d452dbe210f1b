// Tests stackprint on the real library: user stacks of threads of other
// processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <require.h>

#include "child.h"
#include "lender.h"
#include "sleepers.h"

using boost::unit_test::description;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(user_stacks_on_the_real_library)

namespace {

said
real(std::vector<std::string> args)
{
	args.insert(args.begin(), STACKPRINT);
	return run(args);
}

// The first thread alone is elsewhere.
std::string
of(const sleepers &s)
{
	return std::to_string(s.pid);
}

// Gives the user stack of every thread in a --json dump, or why it is missing.
std::vector<json>
user_sides(const said &s)
{
	std::vector<json> all;
	std::istringstream text(s.out);
	for (std::string line; std::getline(text, line);) {
		const json object = json::parse(line);
		if (object.contains("user"))
			all.push_back(object["user"]);
	}
	return all;
}

bool
has_frame(const json &side, const std::string &name)
{
	for (const json &frame : side["frames"])
		if (frame.value("name", "") == name)
			return true;
	return false;
}

std::vector<std::string>
addresses(const json &side)
{
	std::vector<std::string> all;
	for (const json &frame : side["frames"])
		all.push_back(frame["pc"]);
	return all;
}

// Not by its path, whose folders nobody may not be let into.
said
as_nobody(std::vector<std::string> args)
{
	args.insert(args.begin(), "/proc/self/fd/9");
	return run(args, {.before_exec = [] {
		const int fd = open(STACKPRINT, O_RDONLY);
		dup2(fd, 9);
		become_nobody();
	}});
}

void
become_nobody_dumpable()
{
	become_nobody();
	prctl(PR_SET_DUMPABLE, 1);
}

} // namespace

BOOST_AUTO_TEST_CASE(both_sides_of_every_thread, *needs("bpf")
    *description("-p: of 1000 sleeping threads the kernel and the user stack, "
    "each whole, from the system call to the thread's start"))
{
	const sleepers many(1000);
	const said s = real({"--json", "-p", of(many)});
	BOOST_TEST(s.status == 0);
	const auto sides = user_sides(s);
	BOOST_REQUIRE(sides.size() == 1001u);
	int whole = 0, in_read = 0, started = 0;
	for (const json &side : sides) {
		whole += side["complete"] == true;
		in_read += has_frame(side, "read") ||
		    has_frame(side, "__libc_read");
		started += has_frame(side, "start_thread");
	}
	BOOST_TEST(whole == 1001);
	BOOST_TEST(in_read == 1000);
	BOOST_TEST(started == 1000);
}

BOOST_AUTO_TEST_CASE(a_thousand_equal_stacks, *needs("bpf")
    *description("--group: on a pool of 1000 threads, one stack and a count"))
{
	const sleepers many(1000);
	const said s = real({"--group", "-p", of(many)});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(s.out.substr(0, 14) == "1000 threads  ");
	BOOST_TEST(times(s.out, "\n          complete\n") == 4u);
}

BOOST_AUTO_TEST_CASE(stopped_or_not_it_is_the_same, *needs("bpf")
    *needs("ptrace")
    *description("--stop: the same stacks"))
{
	const sleepers some(10);
	const auto free = user_sides(real({"--json", "-p", of(some)}));
	const auto held = user_sides(real({"--json", "--stop", "-p",
	    of(some)}));
	BOOST_REQUIRE(free.size() == 11u);
	BOOST_REQUIRE(held.size() == 11u);
	for (const json &side : held) {
		BOOST_TEST(side["route"] == "ptrace");
		const auto same = [&side](const json &other) {
			return addresses(side) == addresses(other);
		};
		BOOST_TEST(std::any_of(free.begin(), free.end(), same));
	}
}

// Code with frame pointers, as this test's: /proc does not show them.
BOOST_AUTO_TEST_CASE(own_processes_without_rights, *needs("root")
    *needs("ptrace")
    *description("RIGHTS: without rights: the user stacks of one's own "
    "sleeping threads, as far as known registers lead; --stop finds the rest"))
{
	const sleepers own(3, become_nobody_dumpable);
	const said s = as_nobody({"-u", "-p", of(own)});
	BOOST_TEST(in_read(s.out) == 3u);
	BOOST_TEST(times(s.out, "          complete\n") +
	    times(s.out, "          complete, by frame pointers in part\n") +
	    times(s.out, "; --stop would find them\n") == 4u);
	BOOST_TEST(has(s.out, "4 threads: "));
	BOOST_TEST(has(s.out, " 0 failed, 0 refused, 0 gone"));
	const said held = as_nobody({"-u", "--stop", "-p", of(own)});
	BOOST_TEST(held.status == 0);
	BOOST_TEST(has(held.out, "4 threads: 4 captured"));
}

BOOST_AUTO_TEST_CASE(with_rights_of_the_file, *needs("root") *needs("bpf")
    *description("RIGHTS: with capabilities of the file: both stacks of the "
    "caller's own threads, named with the caller's rights; nothing of others"))
{
	const lender lends("cap_bpf,cap_perfmon,cap_syslog+ep", STACKPRINT);
	const sleepers own(3, become_nobody_dumpable), roots(3);
	const said mine = lends({"-p", of(own)});
	BOOST_TEST(mine.status == 0);
	BOOST_TEST(has(mine.out, "4 threads: 4 captured"));
	BOOST_TEST(has(mine.out, "start_thread+"));
	const said theirs = lends({"-p", of(roots)});
	BOOST_TEST(theirs.status == 2);
	BOOST_TEST(has(theirs.out, "4 refused"));
	BOOST_TEST(!has(theirs.out, "start_thread+"));
}

BOOST_AUTO_TEST_SUITE_END()
