// Compares the goroutines that stack9_coroutines() finds with those that Go's
// own runtime knows.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_coroutines.hpp>

#include "go_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

std::string
text_of(const std::vector<std::string> &words)
{
	return fmt::format("{}", fmt::join(words, " "));
}

// The compiler makes a function for a go statement with arguments, which
// runtime.Stack() does not show.  Two of them are the program's own.
bool
is_wrapper(const std::string &name)
{
	return (name.starts_with("main.start.func") ||
	    name.starts_with("main.storm.func")) &&
	    !name.starts_with("main.start.func1+") &&
	    !name.starts_with("main.start.func2+") &&
	    !name.starts_with("main.storm.func1+");
}

// Gives the frames that runtime.Stack() shows: no functions of the runtime, but
// those that the program calls by other names.
std::vector<std::string>
shown(const seen &g)
{
	std::vector<std::string> some;
	for (std::string name : g.functions) {
		if (name.starts_with("runtime.gopanic+"))
			name = "panic" + name.substr(name.find('+'));
		if (!name.starts_with("runtime.") && !is_wrapper(name))
			some.push_back(name);
	}
	return some;
}

// Only the first and the last of many frames are printed.
constexpr std::size_t printed_max = 100, profiled_max = 32;

// The frames that runtime.GoroutineProfile() has.
frames
profiled(const seen &g)
{
	frames some;
	for (std::size_t i = 0; i < g.pcs.size() &&
	    some.size() < profiled_max; i++)
		if (!is_wrapper(g.functions[i]))
			some.push_back(g.pcs[i]);
	return some;
}

// Whether these are frames of one that the profile has, which it loses then.
// The profile has inlined calls, too.
bool
take_from(std::multiset<frames> &profile, const frames &ours)
{
	for (auto i = profile.begin(); i != profile.end(); ++i) {
		auto at = i->begin();
		for (const std::uint64_t pc : ours)
			at = std::find(at, i->end(), pc);
		if (at == i->end())
			continue;
		profile.erase(i);
		return true;
	}
	return false;
}

// Goroutines of the runtime itself are not shown.
bool
is_of_runtime(const seen &g)
{
	return g.functions.size() >= 2 &&
	    g.functions.end()[-2].starts_with("runtime.");
}

} // namespace

BOOST_AUTO_TEST_CASE(equal_to_those_of_go, *has_go() * SAYS(
    "The stack of a goroutine that has stopped is that of Go's runtime, frame "
    "by frame, and its state is in Go's words."))
{
	const go_program p("wait");
	goroutines ours, theirs;
	std::multiset<frames> profile;
	BOOST_REQUIRE_EQUAL(find(p.pid(), ours), 0);
	p.ask(theirs, profile);
	std::map<std::string, int> states;
	for (const auto &[id, t] : theirs) {
		if (t.state == "running" || t.state == "syscall")
			continue;	// on a thread
		BOOST_REQUIRE(ours.count(id) == 1);
		const seen &o = ours[id];
		std::vector<std::string> mine = shown(o);
		BOOST_TEST(o.error == 0);
		BOOST_TEST(o.why == STACK9_WHY_NONE, o.reason);
		BOOST_TEST(o.state == t.state);
		if (mine.size() > printed_max)
			mine.resize(50);
		BOOST_TEST(std::equal(mine.begin(), mine.end(),
		    t.functions.begin(), mine.size() == 50 ?
		    t.functions.begin() + 50 : t.functions.end()),
		    text_of(mine) << " and " << text_of(t.functions));
		states[t.state]++;
	}
	BOOST_TEST(states["chan receive"] >= 40 + 6);
	for (const char *const s : {"chan send", "select", "semacquire",
	    "sync.Cond.Wait", "sleep", "IO wait", "chan receive (nil chan)",
	    "select (no cases)"})
		BOOST_TEST(states[s] >= 1, s);
	std::size_t deepest = 0, equal = 0, own = 0;
	for (auto &[id, o] : ours) {
		deepest = std::max(deepest, o.pcs.size());
		if (o.error != 0 && theirs.count(id) == 0)
			continue;	// the runtime's own may run
		BOOST_REQUIRE(!o.functions.empty());
		BOOST_TEST(o.functions.back() == "runtime.goexit+0x1");
		if (is_of_runtime(o))
			continue;
		own++;
		const bool same = take_from(profile, profiled(o));
		equal += same;
		BOOST_TEST((same || text_of(o.functions).find(
		    "main.recovers+") != std::string::npos),
		    text_of(o.functions));
	}
	BOOST_TEST(deepest == 3000u + 7);
	BOOST_TEST(own == theirs.size() - 1);	// main runs
	// A pc that is no return address has one more there: of recovers().
	BOOST_TEST(equal >= own - 1);
}

BOOST_AUTO_TEST_CASE(one_that_runs_is_on_its_thread, *has_go() * SAYS(
    "A goroutine that runs, or is in a system call, is on a thread and not "
    "among them."))
{
	const go_program p("spin");
	goroutines ours;
	BOOST_REQUIRE_EQUAL(find(p.pid(), ours), 0);
	for (const auto &[id, o] : ours) {
		BOOST_TEST((id != 1 || o.state == "runnable"));
		const std::string all = text_of(o.functions);
		BOOST_TEST((all.find("main.spin") == all.npos ||
		    o.state == "runnable" || o.state == "preempted" ||
		    o.why == STACK9_WHY_TORN), o.state << all);
	}
}

namespace {

// The functions of the program's that may call another of its functions.
bool
may_call(const std::string &caller, const std::string &callee)
{
	static const std::set<std::pair<std::string, std::string>> calls{
	    {"even", "odd"}, {"odd", "even"}, {"left", "even"},
	    {"right", "odd"}, {"wakes", "left"}, {"wakes", "right"},
	    {"grows", "grows"}, {"moves", "grows"}};
	return calls.count({caller, callee}) == 1;
}

// A stack is possible if each function is called by one that calls it, and the
// outermost ones begin a goroutine.  A function that was interrupted at its
// first byte has the name of the function before; one that has not run yet is
// alone.
bool
is_possible(const seen &g)
{
	static const std::set<std::string> outermost{"wakes", "moves", "spin",
	    "storm", "storm.func1", "main"};
	std::string callee;
	std::size_t chain = 0;
	for (std::size_t i = 0; i < g.functions.size(); i++) {
		const std::string &f = g.functions[i];
		if (!f.starts_with("main.") || is_wrapper(f) || g.behind[i])
			continue;
		const std::string name = f.substr(5, f.find('+') - 5);
		if (!callee.empty() && !may_call(name, callee))
			return false;
		chain += name == "even" || name == "odd";
		callee = name;
	}
	return g.functions.back() == "runtime.goexit+0x1" && chain <= 8 &&
	    (callee.empty() ? is_of_runtime(g) || g.functions.size() <= 2 :
	    outermost.count(callee) == 1);
}

} // namespace

BOOST_AUTO_TEST_CASE(never_torn, *has_go() * SAYS(
    "A stack is never that of two moments."))
{
	const go_program p("storm");
	std::size_t whole = 0, ran = 0, different = 0;
	std::set<frames> stacks;
	const auto end = std::chrono::steady_clock::now() +
	    std::chrono::milliseconds(rounds(30'000, 1'000));
	while (std::chrono::steady_clock::now() < end) {
		goroutines ours;
		BOOST_REQUIRE_EQUAL(find(p.pid(), ours), 0);
		for (const auto &[id, o] : ours) {
			if (o.error != 0) {
				BOOST_TEST(o.error == EAGAIN);
				BOOST_TEST(o.why == STACK9_WHY_TORN);
				ran++;
				continue;
			}
			whole++;
			BOOST_TEST(o.why == STACK9_WHY_NONE,
			    o.reason << text_of(o.functions));
			BOOST_TEST(is_possible(o), o.state << ": "
			    << text_of(o.functions));
			different += stacks.insert(o.pcs).second;
		}
	}
	BOOST_TEST_MESSAGE(whole << " whole, " << ran << " ran, " << different
	    << " different");
	BOOST_TEST(whole > 100u);
	BOOST_TEST(different > 10u);
}

namespace {

int
stop_at_once(void *, const stack9_coroutine *)
{
	return 1;
}

int
keep(void *to, const stack9_coroutine *c)
{
	static_cast<std::vector<stack9_sample *> *>(to)->push_back(
	    stack9_sample_hold(c->sample));
	return 0;
}

int
keep_name(void *to, const stack9_frame *f)
{
	*static_cast<std::string *>(to) = f->name;
	return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(samples_outlive_the_process, *has_go() * SAYS(
    "stack9_sample_hold() keeps it: the stack and its names"))
{
	std::vector<stack9_sample *> held;
	{
		const go_program p("wait");
		const stack9_thread td{p.pid(), p.pid(), 0};
		BOOST_TEST(stack9_coroutines(&td, nullptr, stop_at_once,
		    nullptr) == ECANCELED);
		BOOST_REQUIRE_EQUAL(stack9_coroutines(&td, nullptr, keep,
		    &held), 0);
	}
	BOOST_TEST(held.size() > 50u);
	std::size_t cut = 0;
	for (stack9_sample *const s : held) {
		std::string last;
		BOOST_TEST(stack9_frames(s->user, 0, keep_name, &last) == 0);
		cut += s->user->dropped != 0;
		BOOST_TEST((s->user->dropped != 0 || s->user->error == EAGAIN ||
		    last.starts_with("runtime.goexit")));
		stack9_sample_close(s);
	}
	BOOST_TEST(cut == 1u);	// deep(3000)
}

BOOST_AUTO_TEST_CASE(values_of_cxx, *has_go() * SAYS(
    "DESCRIPTION: For C++ there is <stack9_coroutines.hpp>"))
{
	const go_program p("wait");
	const auto process = stack9::thread::find(p.pid());
	const auto all = stack9::coroutines_of(process);
	BOOST_TEST(all.size() > 50u);
	BOOST_TEST(std::count_if(all.begin(), all.end(),
	    [](const stack9::coroutine &c) {
		    return c.state == "chan receive" && c.runtime == "go" &&
			c.sample.user().depth() >= 6;
	    }) >= 40);
	std::size_t calls = 0;
	BOOST_TEST((stack9::for_each_coroutine(process,
	    [&](const stack9::coroutine &) {
		    calls++;
		    return stack9::go::stop;
	    }) == stack9::go::stop));
	BOOST_TEST(calls == 1u);
	BOOST_TEST(stack9::coroutines_of(stack9::thread::find(getpid()),
	    stack9::as_result).error() == ENOENT);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said, *SAYS(
    "RETURN VALUES: ENOENT, ESRCH, EINVAL"))
{
	goroutines none;
	stack9_thread td{getpid(), getpid(), 0};
	BOOST_TEST(find(getpid(), none) == ENOENT);
	BOOST_TEST(stack9_reason() == std::string("it has no runtime that is "
	    "known, such as Go's"));
	BOOST_TEST(stack9_coroutines(nullptr, nullptr, stop_at_once,
	    nullptr) == EINVAL);
	BOOST_TEST(stack9_coroutines(&td, nullptr, nullptr, nullptr) == EINVAL);
	stack9_save_options o{};
	BOOST_TEST(stack9_coroutines(&td, &o, stop_at_once, nullptr) ==
	    EINVAL);
	td.start = 1;
	BOOST_TEST(stack9_coroutines(&td, nullptr, stop_at_once, nullptr) ==
	    ESRCH);
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, nullptr, 0);
	BOOST_TEST(find(child, none) == ESRCH);
}

namespace {

std::string
output_of(const std::string &command, int &status)
{
	std::string text;
	FILE *const f = popen(command.c_str(), "r");
	std::array<char, 4096> part;
	for (std::size_t n; (n = fread(part.data(), 1, part.size(), f)) > 0;)
		text.append(part.data(), n);
	status = WEXITSTATUS(pclose(f));
	return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(stackprint_shows_them, *has_go() * SAYS(
    "The goroutines of a Go program that run on no thread follow its threads."))
{
	const go_program p("wait");
	int status;
	const std::string command = fmt::format(STACKPRINT " -u -p {} 2>&1",
	    p.pid());
	const std::string all = output_of(command, status);
	BOOST_TEST(status == 1);	// deep(3000) is cut
	BOOST_TEST(all.find(fmt::format("\n40 goroutines  goroutines  pid {}  "
	    "chan receive\n  user    runtime.gopark+", p.pid())) != all.npos,
	    all);
	BOOST_TEST(all.find("\n  goids   ") != all.npos, all);
	BOOST_TEST(all.find("  IO wait\n  user    ") != all.npos, all);
	const auto tally = all.find(" goroutines on no thread: ");
	BOOST_TEST(tally != all.npos);
	BOOST_TEST(all.find(" threads: ", tally) != all.npos);
	const std::string each = output_of(command + " --no-group", status);
	BOOST_TEST(each.find("\n40 goroutines") == each.npos);
	BOOST_TEST(each.find("  goids   ") == each.npos);
	const std::string none = output_of(command + " --no-goroutines",
	    status);
	BOOST_TEST(status == 0);
	BOOST_TEST(none.find("goroutine ") == none.npos);
	const std::string json = output_of(command + " --json --frames 4096",
	    status);
	BOOST_TEST(status == 0);
	for (const char *const part : {
	    "{\"schema\":1,\"coroutines_of\":\"go\",\"pid\":",
	    ",\"state\":\"select\",\"user\":{\"complete\":true,",
	    "\"coroutines\":"})
		BOOST_TEST(json.find(part) != json.npos, part);
}
