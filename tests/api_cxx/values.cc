// Checks that threads, spaces, samples, stacks and frames are values that copy,
// move, compare and hash.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <sstream>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "tell.h"

#ifdef STACK9_CXX_RANGES
static_assert(std::ranges::view<stack9::pc_list>);
static_assert(std::ranges::borrowed_range<stack9::pc_list>);
static_assert(std::ranges::contiguous_range<stack9::pc_list>);
static_assert(std::ranges::view<stack9::frame_list>);
static_assert(!std::ranges::borrowed_range<stack9::frame_list>);
static_assert(std::ranges::contiguous_range<stack9::frame_list>);
#endif
static_assert(std::is_nothrow_move_constructible_v<stack9::sample>);
static_assert(std::is_nothrow_move_constructible_v<stack9::stack>);
static_assert(std::is_nothrow_move_constructible_v<stack9::space>);
static_assert(std::is_nothrow_copy_constructible_v<stack9::error>);
static_assert(std::is_trivially_copyable_v<stack9::self_stack<8>>);

namespace {

void
threads()
{
	const auto self = stack9::thread::self();
	auto copy = self;
	ok(copy == self && copy.pid() == getpid() &&
	    std::hash<stack9::thread>()(copy) ==
	    std::hash<stack9::thread>()(self), "threads copy and compare");
	const auto all = self.siblings();
	ok(all.size() == 1 && all[0] == self,
	    "a thread lists the threads of its process");
	ok(stack9::thread() != self, "a default thread is no thread");
}

void
samples(const child &c)
{
	auto first = stack9::save(c.td());
	const auto second = stack9::save(c.td());
	if (!first.user() || !second.user())
		return skip("samples are values", std::string(
		    first.user().reason()));
	ok(first == second && first.user() == second.user() &&
	    first.user().hash() == second.user().hash(),
	    "two samples of a thread that sleeps are the same");
	ok(first != stack9::save(stack9::thread::self()),
	    "samples of other stacks are not");
	ok(first.user().space() == second.user().space() &&
	    first.user().space() == stack9::space::of(c.td()),
	    "two stacks of a process have the same space");
	ok(first.user().thread_name().empty() &&
	    stack9::stack().thread_name().empty(),
	    "a thread that runs no language has no name of a runtime");
	stack9::save_options o;
	o.space = stack9::space::of(c.td());
	ok(stack9::save(c.td(), stack9::side::user, o).user().space() ==
	    o.space, "a stack is captured with a space that is kept");
	std::unordered_map<stack9::sample, int> times;
	std::unordered_set<stack9::stack> stacks;
	for (const stack9::sample &s : {first, second}) {
		times[s]++;
		stacks.insert(s.user());
	}
	ok(times.size() == 1 && times[first] == 2 && stacks.size() == 1,
	    "samples and stacks are keys");

	const stack9::sample copy = first;
	const stack9::sample moved = std::move(first);
	ok(!first && copy == moved && copy.comm() == second.comm(),
	    "a sample copies and moves");
	first = moved;
	ok(first == moved, "a sample that was moved from is assigned to");
	stack9::stack kept = first.user();
	first = stack9::sample();
	ok(kept == moved.user() && !first.user() && !first.user().asked_for(),
	    "a copy of a stack keeps it");
	kept = stack9::save(c.td()).user();
	ok(has(kept.frames(), "pause"), "a stack of a sample that has ended is "
	    "kept");
	std::ostringstream out;
	out << moved;
	ok(out.str() == to_string(moved) &&
	    out.str().find("pause") != std::string::npos,
	    "a sample is printed to a stream");
}

void
lent(const child &c)
{
	stack9::sample sample;
	stack9::stack stack;
	stack9::for_each(c.td(), stack9::side::both,
	    [&](const stack9::sample &s) {
		    sample = s;
		    stack = s.kernel() ? s.kernel() : s.user();
	    });
	if (!stack)
		return skip("copies of what is lent", "no stack");
	ok(sample.thread() == c.td() && has(stack.frames(), "pause"),
	    "copies of what a callable is lent are kept");
	ok(stack == sample.kernel() || stack == sample.user(),
	    "a copy of what is lent is the same");
}

void
ranges(const child &c)
{
	const auto s = stack9::save(c.td());
	if (!s.user())
		return skip("ranges", std::string(s.user().reason()));
	const auto pcs = s.user().pcs();
	ok(pcs.size() == s.user().depth() && pcs[0] == *pcs.begin() &&
	    !pcs.empty(), "the addresses of a stack are a range");
	const auto frames = s.user().frames();
	ok(frames.size() == pcs.size() && frames[0].pc == pcs[0] &&
	    frames[0].exact && !frames[1].exact &&
	    frames[0].build_id.size() >= 8,
	    "its frames are a range, and the first one is exact");
	// glibc 2.41 has up to three frames of its own above it.
	std::size_t i = 0;
	while (i < 3 && frames[i].name.find("syscall_cancel") !=
	    std::string::npos)
		i++;
	ok(to_string(frames[i]).find("pause+0x") == 0 ||
	    to_string(frames[i]).find("__libc_pause+0x") == 0,
	    "a frame has a text");
	const std::vector<stack9::place> places = s.user().places();
	const auto files = stack9::space::of_build_ids({places[1].module});
	ok(frames_at(files, places[1])[0].name == frames[1].name,
	    "a file names a place by its build-id");
	std::string_view rest;
	const auto read = stack9::read_text(files, to_text(s), &rest);
	ok(rest.empty() && read.user().depth() == s.user().depth() &&
	    read.thread() == s.thread(), "a text is read back");
	ok(stack9::read_text(files, "no stack", nullptr, stack9::as_result).
	    reason().find("line 1: ") == 0, "a wrong line is told");
	stack9::frame with_line = frames[1];
	with_line.file = "a.c";
	with_line.line = 7;
	ok(to_string(with_line) == to_string(frames[1]) + " at a.c:7" ||
	    !frames[1].file.empty(), "a frame has its line in its text");
	const auto again = frames_at(s.user().space(), pcs[1],
	    stack9::naming::return_address);
	ok(again.size() == 1 && again[0].name == frames[1].name,
	    "one address has one answer");
#ifdef STACK9_CXX_RANGES
	std::size_t n = 0;
	for (const std::string &name : s.user().frames(
	    stack9::naming::linkage | stack9::naming::lines) |
	    std::views::transform(&stack9::frame::name))
		n += !name.empty();
	for (const auto pc : s.user().pcs() | std::views::transform(
	    [](auto p) { return p + 1; }))
		n += pc != 0;
	ok(n > pcs.size(), "they go through views::transform");
#endif
}

void
texts(const child &c)
{
	const char *const sentence = "a stack without addresses has frames";
	stack9::force("procfs");
	const auto s = stack9::save(c.td(), stack9::side::kernel,
	    stack9::as_result);
	stack9::force("");
	if (!s)
		return skip(sentence, s.reason());
	const auto &k = s->kernel();
	ok(k && k.pcs().empty() && k.frames().size() == k.depth() &&
	    has(k.frames(), "pause") && !k.frames()[0].has_pc, sentence);
}

void
outlives(child &c)
{
	const auto s = stack9::save(c.td());
	c.end();
	for (const auto *side : {&s.user(), &s.kernel()})
		if (!*side)
			return skip("a kept stack",
			    std::string(side->reason()));
	ok(has(s.user().frames(), "main") && has(s.kernel().frames(), "pause"),
	    "a stack is named when its process has ended");
}

[[gnu::noinline]] stack9::self_stack<64>
here(std::uint32_t skip)
{
	stack9::self_stack<64> s;
	s.save(skip);
	return s;
}

void
own()
{
	stack9::self_stack<64> loop[2];
	for (auto &s : loop)
		s = here(0);
	ok(loop[0] && loop[0] == loop[1] && loop[0].hash() == loop[1].hash() &&
	    std::unordered_set<stack9::self_stack<64>>(loop, loop + 2).size()
	    == 1, "own stacks are values that compare and hash");
	ok(loop[0] != here(0), "own stacks of another place are not the same");
	const auto frames = loop[0].frames();
	ok(frames[0].name.find("here") != std::string::npos &&
	    has(frames, "main") && !has(frames, "stack9::v0::self_stack"),
	    "an own stack begins with the caller of save()");
	ok(here(1).depth() + 1 == loop[0].depth(), "frames are skipped");
	ok(here(1000).error() == ENOENT && !here(1000),
	    "there are not so many to skip");
	char name[64];
	std::uint64_t offset;
	ok(stack9::name_self(loop[0].pcs()[0], name, offset) == 0 &&
	    std::string(name).find("here") != std::string::npos,
	    "an own address has a name without heap");
	ok(stack9::demangle("_ZN2n14deepEv") == "n1::deep()" &&
	    stack9::demangle("main") == "main", "names are demangled");
	ok(stack9::save(stack9::thread::self()).user().frames()[0].name.find(
	    "own") != std::string::npos,
	    "a sample of the calling thread begins with the caller");
}

} // namespace

int
main()
{
	child c;
	threads();
	samples(c);
	lent(c);
	ranges(c);
	texts(c);
	own();
	outlives(c);
	return end();
}
