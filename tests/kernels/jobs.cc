// Does each job on the kernel that runs, compares it with what /proc says, and
// tells by which route it was done: a line "@job NAME: OUTCOME" for each, from
// which tests/kernels/run makes the record of a kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <stack9.h>
#include <stack9_watch.h>
#include <unistd.h>

#include "child.h"
#include "outcomes.h"
#include "targets.h"

using json = nlohmann::json;
using boost::unit_test::description;

namespace {

constexpr const char *one_kernel = "kernel stack",
    *running_kernel = "kernel stack of a running thread",
    *many_kernel = "kernel stacks of many threads",
    *one_user = "user stack",
    *running_user = "user stack of a running thread",
    *many_user = "user stacks of many threads",
    *names = "names of kernel addresses",
    *async = "asynchronous captures",
    *events = "stacks that lead to events";

std::vector<json>
stackprint(std::vector<std::string> args)
{
	args.insert(args.begin(), {STACKPRINT, "--json"});
	const said s = run(args);
	std::vector<json> all;
	std::istringstream text(s.out);
	for (std::string line; std::getline(text, line);)
		all.push_back(json::parse(line));
	return all;
}

std::vector<std::string>
names_of(const json &stack)
{
	std::vector<std::string> all;
	for (const json &f : stack.value("frames", json::array())) {
		std::string name = f.value("name", "??");
		if (f.contains("offset")) {
			char offset[32];
			std::snprintf(offset, sizeof offset, "+0x%x",
			    f["offset"].get<unsigned int>());
			name += offset;
		}
		all.push_back(name.substr(0, name.find('/')));
	}
	return all;
}

bool
has_frame(const json &stack, const std::string &part)
{
	for (const std::string &name : names_of(stack))
		if (name.find(part) != name.npos)
			return true;
	return false;
}

// Tells of a stack that is there; else gives its words.
std::string
outcome_of(const json &stack, const char *job)
{
	if (stack.value("frames", json::array()).empty())
		return "refused: " + stack.value("reason", "?");
	const std::string route = by(stack.value("route", "?"), job);
	return stack.value("complete", false) ? route : route +
	    ", in part: " + stack.value("reason", "?");
}

// Every sleeping thread of t has in all the kernel stack that /proc shows.
std::string
compare(const std::vector<json> &all, const target &t, const char *job)
{
	std::set<std::string> how;
	for (const pid_t tid : t.tids()) {
		const json *found = nullptr;
		for (const json &j : all)
			if (j.value("tid", 0) == tid)
				found = &j;
		BOOST_TEST_REQUIRE(found != nullptr, tid);
		const json &kernel = (*found)["kernel"];
		BOOST_TEST(names_of(kernel) == proc_stack(tid),
		    boost::test_tools::per_element());
		how.insert(outcome_of(kernel, job));
	}
	BOOST_TEST(how.size() == 1u);
	return *how.begin();
}

// A function of the target's in each user stack that is there.
std::string
compare_user(const std::vector<json> &all, const target &t, const char *job)
{
	std::set<std::string> how;
	for (const json &j : all) {
		if (!j.contains("user") || j.value("pid", 0) != t.pid())
			continue;
		const std::string text = outcome_of(j["user"], job);
		if (text.find("refused") != 0)
			BOOST_TEST(has_frame(j["user"], "target_"), j.dump());
		how.insert(text);
	}
	BOOST_TEST_REQUIRE(!how.empty());
	std::string text;
	for (const std::string &one : how)
		text += (text.empty() ? "" : "; ") + one;
	return text;
}

bool
serves(const std::string &route, const char *job)
{
	for (const route_told &r : routes())
		if (r.job == job && r.name == route)
			return true;
	return false;
}

// Asks until the thread is met on a CPU, with a stack, or is refused for good.
json
while_it_runs(const char *option, const char *side, const target &t,
    const char *job)
{
	json stack;
	for (int i = 0; i < 500; i++) {
		stack = stackprint({option, std::to_string(t.pid())}).at(0)
		    [side];
		const std::string why = stack.value("why", "");
		if (names_of(stack).empty() ? why == "machine" ||
		    why == "rights" || why == "on_cpu" :
		    serves(stack.value("route", ""), job))
			break;
	}
	return stack;
}

struct counted {
	std::uint64_t	all = 0, kernel = 0, user = 0;
	std::string	words;
};

void
count_stack(const stack9_stack *s, std::uint64_t n, std::uint64_t &whole,
    std::string &words)
{
	if (s == nullptr)
		return;
	if (s->error == 0 && s->depth > 0)
		whole += n;
	else if (s->why != STACK9_WHY_USER_MODE)
		words = s->reason;
}

// The stacks of an event of this process: at least three.
std::string
watch_sides(const std::string &event, pid_t pid, int side)
{
	stack9_watch_options options{};
	options.size = sizeof options;
	options.pid = pid;
	options.side = side;
	stack9_watch *watch = nullptr;
	if (stack9_watch_open(event.c_str(), &options, &watch) != 0)
		return std::string("refused: ") + stack9_reason();
	counted got;
	for (int i = 0; i < 100 && got.all < 3; i++) {
		stack9_watch_read(watch, 100, nullptr, nullptr);
		got = {};
		stack9_watch_each(watch, [](void *to, const stack9_sample *s) {
			auto &n = *static_cast<counted *>(to);
			n.all += s->events;
			count_stack(s->kernel, s->events, n.kernel, n.words);
			count_stack(s->user, s->events, n.user, n.words);
			return 0;
		}, &got);
	}
	stack9_watch_close(watch);
	BOOST_TEST(got.all >= 3u, event);
	BOOST_TEST(got.kernel + got.user > 0u, event << ": " << got.words);
	// A timer meets a thread in user mode, too.
	return got.user > 0 || side == STACK9_KERNEL ? first_that_can(events) :
	    first_that_can(events) + ", without user stacks: " + got.words;
}

std::string
watch(const std::string &event, pid_t pid)
{
	const std::string both = watch_sides(event, pid, STACK9_BOTH);
	if (!both.starts_with("refused: "))
		return both;
	const std::string kernel = watch_sides(event, pid, STACK9_KERNEL);
	return kernel.starts_with("refused: ") ? both : kernel +
	    ", without user stacks: " + both.substr(9);
}

// Counts until the kernel has walked user stacks by rules that copies taught.
std::string
walk(const std::string &event, pid_t pid)
{
	stack9_watch_options options{};
	options.size = sizeof options;
	options.pid = pid;
	options.side = STACK9_USER;
	stack9_watch *watch = nullptr;
	if (stack9_watch_open(event.c_str(), &options, &watch) != 0)
		return std::string("refused: ") + stack9_reason();
	stack9_tally tally{};
	tally.size = sizeof tally;
	for (int i = 0; i < 100 && tally.walked < 3 && tally.walks != 2; i++) {
		stack9_watch_read(watch, 100, nullptr, nullptr);
		stack9_watch_tally(watch, &tally);
	}
	stack9_watch_close(watch);
	BOOST_TEST(((tally.walked > 0) == (tally.walks == 1)), tally.walks);
	BOOST_TEST(tally.copied > 0u);
#ifndef __x86_64__
	if (tally.walked == 0 && tally.copied > 0)
		return "by copies of each: rules are learned on x86-64 only";
#endif
	return tally.walked > 0 ? "native" : tally.walks == 2 ?
	    "by copies of each: this kernel does not stamp the mappings" :
	    "refused";
}

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

BOOST_AUTO_TEST_CASE(events_of_each_kind, *description(
    "stacks that lead to a tracepoint, a timer, a function, and off the CPU"))
{
	const target spins(target::kind::spins), naps(target::kind::naps);
	tell("tracepoint", watch("t:sched:sched_switch", naps.pid()));
	tell("system call", watch("syscall:getppid", spins.pid()));
	tell("timer", watch("cpu-clock:99", spins.pid()));
	tell("off-CPU", watch("offcpu", naps.pid()));
	tell("kernel function", watch("k:hrtimer_nanosleep", naps.pid()));
	tell("user stacks by learned rules", walk("syscall:getppid",
	    spins.pid()));
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
	for (const route_told &r : routes()) {
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
