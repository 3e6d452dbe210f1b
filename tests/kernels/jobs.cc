// Does each job on the kernel that runs, compares it with what /proc says, and
// says by which route it was done: a line "@job NAME: OUTCOME" for each, from
// which tests/kernels/run makes the record of a kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>
#include <stack9.h>
#include <unistd.h>

#include "child.h"
#include "outcomes.h"
#include "targets.h"
#include "told_stacks.h"

using boost::unit_test::description;

namespace {

constexpr const char *one_kernel = "kernel stack",
    *running_kernel = "kernel stack of a running thread",
    *many_kernel = "kernel stacks of many threads",
    *one_user = "user stack",
    *running_user = "user stack of a running thread",
    *many_user = "user stacks of many threads",
    *names = "names of kernel addresses",
    *async = "asynchronous captures";

} // namespace

BOOST_AUTO_TEST_CASE(sleeping, *description(
    "the stacks of threads that sleep, one by one"))
{
	const target t(target::kind::sleeps);
	std::vector<json> kernel, user;
	for (const pid_t tid : t.tids()) {
		kernel.push_back(stackprint({"-k", std::to_string(tid)}).at(0));
		user.push_back(stackprint({"-u", std::to_string(tid)}).at(0));
	}
	tell("kernel stack, asleep", compare(kernel, t, one_kernel));
	tell("user stack, asleep", compare_user(user, t, one_user));
}

BOOST_AUTO_TEST_CASE(running, *description(
    "the stacks of a thread that runs in the kernel and in user mode"))
{
	const target t(target::kind::spins);
	const json kernel = while_it_runs("-k", "kernel", t, running_kernel);
	BOOST_TEST(!has_frame(kernel, "nanosleep"));
	tell("kernel stack, running", outcome_of(kernel, running_kernel));
	const json user = while_it_runs("-u", "user", t, running_user);
	if (!names_of(user).empty())
		BOOST_TEST(has_frame(user, "target_spins"));
	tell("user stack, running", outcome_of(user, running_user));
}

BOOST_AUTO_TEST_CASE(process, *description("-p: all threads of a process"))
{
	const target t(target::kind::sleeps);
	const std::string pid = std::to_string(t.pid());
	tell("all threads of a process", compare(stackprint({"-k", "-p", pid}),
	    t, many_kernel));
	tell("user stacks of a process", compare_user(stackprint({"-u", "-p",
	    pid}), t, many_user));
}

BOOST_AUTO_TEST_CASE(machine, *description("-a: all threads of the machine"))
{
	const target t(target::kind::sleeps);
	const std::vector<json> all = stackprint({"-k", "-a"});
	tell("all threads of the machine", compare(all, t, many_kernel));
	std::set<pid_t> seen;
	for (const json &j : all)
		if (j.contains("tid"))
			seen.insert(j["tid"].get<pid_t>());
	BOOST_TEST(seen.count(getpid()) == 1u);
	// Some virtual machines hide threads of their own.
	if (std::getenv("STACK9_KERNEL") != nullptr)
		BOOST_TEST((seen.count(1) == 1u && seen.count(2) == 1u));
}

BOOST_AUTO_TEST_CASE(asynchronous, *description(
    "--async of a thread that naps"))
{
	const target t(target::kind::naps);
	const std::vector<json> all = stackprint({"--async=5",
	    std::to_string(t.pid())});
	const json &user = all.at(0)["user"];
	const bool there = !names_of(user).empty();
	if (there)
		BOOST_TEST(has_frame(user, "target_naps"));
	tell("asynchronous captures", there ? first_that_can(async) :
	    "refused: " + user.value("reason", "?"));
}

BOOST_AUTO_TEST_CASE(kernel_names, *description(
    "the name of a kernel function is that of /proc/kallsyms"))
{
	std::ifstream file("/proc/kallsyms");
	std::string line, found;
	std::uint64_t pc = 0;
	while (std::getline(file, line))
		if (line.ends_with(" T hrtimer_nanosleep"))
			pc = std::stoull(line, nullptr, 16);
	BOOST_TEST_REQUIRE(pc != 0u);
	stack9_frame_at(nullptr, pc, 0, [](void *to, const stack9_frame *f) {
		*static_cast<std::string *>(to) = f->name;
		return 0;
	}, &found);
	BOOST_TEST(found == "hrtimer_nanosleep");
	tell("kernel names", first_that_can(names));
}

BOOST_AUTO_TEST_CASE(check, *description(
    "--check says of each route what the library says"))
{
	const said s = run({STACKPRINT, "--check"});
	int ok = 0, refused = 0, missing = 0;
	for (const route_reported &r : routes()) {
		const char *const word = r.error == 0 ? "ok" :
		    r.error == EPERM ? "refused" : "not here";
		(r.error == 0 ? ok : r.error == EPERM ? refused : missing)++;
		bool told = false;
		std::istringstream text(s.out);
		for (std::string line; std::getline(text, line);)
			told = told || (line.starts_with("  " + r.name + " ") &&
			    has(line, word) && has(line, r.words));
		BOOST_TEST(told, r.job << ": " << r.name << ": " << r.words);
	}
	tell("--check", "exit " + std::to_string(s.status) + ", " +
	    std::to_string(ok) + " routes ok, " + std::to_string(refused) +
	    " refused, " + std::to_string(missing) + " not here");
}
