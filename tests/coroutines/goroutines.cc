// Compares the goroutines that stack9_coroutines() finds with those that Go's
// own runtime knows.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stack9_coroutines.h>

#include "go_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

std::string
text_of(const std::vector<std::string> &words)
{
	return fmt::format("{}", fmt::join(words, " "));
}

// The compiler makes a function for a go statement with arguments.
// runtime.Stack() does not show it.  Since Go 1.22 it has a name of its own,
// and before it only some with such names are the program's own.
bool
is_wrapper(const std::string &name)
{
	if (name.starts_with("main.start.gowrap") ||
	    name.starts_with("main.storm.gowrap"))
		return true;
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

// Takes one that has these frames from the profile, and returns whether there
// was one.  The profile has inlined calls, too.
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

bool
is_on_a_thread(const seen &g)
{
	return g.state == "running" || g.state == "syscall";
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
		if (is_on_a_thread(t))
			continue;
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
	// Later releases have words of their own for two of these.
	BOOST_TEST(states["semacquire"] + states["sync.Mutex.Lock"] +
	    states["sync.WaitGroup.Wait"] >= 2);
	for (const char *const s : {"chan send", "select", "sync.Cond.Wait",
	    "sleep", "IO wait", "chan receive (nil chan)",
	    "select (no cases)"})
		BOOST_TEST(states[s] >= 1, s);
	std::size_t deepest = 0, equal = 0, own = 0;
	for (auto &[id, o] : ours) {
		deepest = std::max(deepest, o.pcs.size());
		const auto t = theirs.find(id);
		if (o.error != 0 && (t == theirs.end() ||
		    is_on_a_thread(t->second)))
			continue;	// the runtime's own may run, too
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
	// A pc that is not a return address has one more there: of recovers().
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
		if (o.why == STACK9_WHY_TORN)
			continue;	// it began to run in the pass
		BOOST_TEST((id != 1 || o.state == "runnable"), o.state);
		const std::string all = text_of(o.functions);
		BOOST_TEST((all.find("main.spin") == all.npos ||
		    o.state == "runnable" || o.state == "preempted"),
		    o.state << all);
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
	constexpr std::size_t whole_min = 100, different_min = 10;
	using clock = std::chrono::steady_clock;
	const auto end = clock::now() +
	    std::chrono::milliseconds(rounds(30'000, 1'000));
	// On a busy machine it takes longer to see enough.
	const auto last = end + std::chrono::minutes(1);
	for (auto now = clock::now(); now < end || (now < last &&
	    (whole <= whole_min || different <= different_min));
	    now = clock::now()) {
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
	BOOST_TEST(whole > whole_min);
	BOOST_TEST(different > different_min);
}
