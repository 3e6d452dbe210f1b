// Compares the frames that a capture has with those that Python says of its own
// threads: names, files and lines, one by one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_frames.h>

#include "python_program.h"
#include "lib/hold_sample.h"
#include "lib/programs.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

int
take_frame(void *arg, const stack9_frame *f)
{
	if (f->kind == STACK9_FRAME_WRITTEN &&
	    (f->flags & STACK9_FRAME_GUESSED) == 0)
		static_cast<frames *>(arg)->push_back(fmt::format(
		    "{}\t{}\t{}", f->name, f->file, f->line));
	return 0;
}

int
take_thread(void *arg, const stack9_sample *s)
{
	auto &all = *static_cast<stacks *>(arg);
	stack9_frames(s->user, 0, take_frame, &all[s->thread.tid]);
	return 0;
}

stacks
captured(pid_t pid)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{pid, pid, 0};
	stacks all;
	BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_USER, &o, take_thread,
	    &all), 0);
	return all;
}

// Returns how many of its threads' stacks differ from what it says of them;
// compared: their frames.  A stack of more than `whole` functions may lack the
// outermost ones, because its native frames were too many.
std::size_t
differing(const python_program &p, std::size_t &compared,
    std::size_t whole = 1 << 20)
{
	std::size_t wrong = 0;
	const stacks seen = captured(p.pid());
	for (auto [tid, said] : p.said()) {
		const auto at = seen.find(tid);
		BOOST_REQUIRE(at != seen.end());
		if (said.size() > whole && at->second.size() > whole)
			said.resize(std::min(said.size(), at->second.size()));
		compared += said.size();
		if (at->second == said)
			continue;
		BOOST_TEST_CONTEXT("tid " << tid)
		BOOST_TEST(at->second == said,
		    boost::test_tools::per_element());
		wrong++;
	}
	return wrong;
}

struct kinds {
	unsigned int	written = 0, native = 0, runs = 0;
};

int
count_kind(void *arg, const stack9_frame *f)
{
	kinds &k = *static_cast<kinds *>(arg);
	if (f->kind == STACK9_FRAME_WRITTEN)
		k.written++;
	else
		(f->flags & STACK9_FRAME_RUNS) != 0 ? k.runs++ : k.native++;
	return 0;
}

kinds
count(const stack9_stack &s, unsigned int flags)
{
	kinds k;
	BOOST_TEST(stack9_frames(&s, flags, count_kind, &k) == 0);
	return k;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_frame_is_as_python_says, *has_python() *
    needs("bpf") * SAYS("LANGUAGES: name, file and line of each "
    "function are those that Python itself gives"))
{
	for (const std::string &python : pythons()) {
		std::size_t wrong = 0, compared = 0;
		for (int seed = 1; seed <= rounds(20, 4); seed++) {
			const python_program p(python, seed * 1000, 50);
			BOOST_TEST(p.said().size() == 50u);
			wrong += differing(p, compared);
		}
		BOOST_TEST_CONTEXT(python)
		BOOST_TEST(wrong == 0u);
		BOOST_TEST(compared > 3000u);
	}
}

// From some threads on they are read together.  The frames of most stacks of
// the second program are too many for that.
BOOST_AUTO_TEST_CASE(many_threads_are_read_together, *has_python() *
    needs("bpf") * SAYS("LANGUAGES: name, file and line of each "
    "function are those that Python itself gives"))
{
	for (const std::string &python : pythons())
		BOOST_TEST_CONTEXT(python) {
			std::size_t compared = 0;
			const python_program many(python, 9000, 300);
			BOOST_TEST(differing(many, compared) == 0u);
			BOOST_TEST(compared > 5000u);
			const python_program deep(python, STACKS,
			    {"9000", "150", "12"});
			compared = 0;
			BOOST_TEST(differing(deep, compared, 100) == 0u);
			BOOST_TEST(compared > 20000u);
		}
}

BOOST_AUTO_TEST_CASE(loops_are_replaced, *has_python() *
    needs("bpf") * SAYS("STACK9_FRAMES_ALL: those with RUNS, too, "
    "which are left out otherwise; STACK9_FRAMES_NATIVE: without frames "
    "WRITTEN"))
{
	const python_program p(pythons().front(), 7, 5);
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{p.pid(), p.pid(), 0};
	std::vector<stack9_sample *> all;
	BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_USER, &o, lib::hold_sample,
	    &all), 0);
	BOOST_TEST(all.size() == 6u);
	for (stack9_sample *const s : all) {
		const stack9_stack &u = *s->user;
		const kinds usual = count(u, 0), native = count(u,
		    STACK9_FRAMES_NATIVE), both = count(u, STACK9_FRAMES_ALL);
		BOOST_TEST(usual.written == u.written_count);
		BOOST_TEST(usual.runs == 0u);
		BOOST_TEST(native.written == 0u);
		BOOST_TEST(native.native == u.depth);
		BOOST_TEST(both.runs > 0u);
		BOOST_TEST(both.native + both.runs == u.depth);
		BOOST_TEST(usual.native == both.native);
		BOOST_TEST(stack9_sample_same(s, s) == 1);
		for (stack9_sample *const other : all)
			BOOST_TEST(stack9_sample_same(s, other) ==
			    (s == other));
	}
	for (stack9_sample *const s : all)
		stack9_sample_close(s);
}

BOOST_AUTO_TEST_CASE(without_the_flag_there_are_none, *has_python() *
    needs("bpf") * SAYS("STACK9_SAVE_LANGUAGES: find the functions "
    "that interpreters run"))
{
	const python_program p(pythons().front(), 7, 1);
	stack9_sample *s = nullptr;
	const stack9_thread td{p.pid(), p.pid(), 0};
	BOOST_REQUIRE_EQUAL(stack9_save(&td, STACK9_USER, nullptr, &s), 0);
	BOOST_TEST(s->user->written_count == 0u);
	stack9_sample_close(s);
}

BOOST_AUTO_TEST_CASE(stackprint_shows_them, *has_python() *
    needs("bpf") * SAYS("LANGUAGES: stackprint shows the functions "
    "in place of the loop, and with --native the loop"))
{
	const python_program p(pythons().front(), 7, 1);
	const std::string of = fmt::format(" -p {} 2>/dev/null", p.pid());
	const std::string text = lib::output_of(STACKPRINT + of);
	BOOST_TEST(text.find("block ") != text.npos);
	BOOST_TEST(text.find("python ") != text.npos);
	BOOST_TEST(text.find("stacks.py:") != text.npos);
	BOOST_TEST(text.find("_PyEval_EvalFrameDefault") == text.npos);
	const std::string native = lib::output_of(STACKPRINT " --native" + of);
	BOOST_TEST(native.find("stacks.py:") == native.npos);
	// The file may have no name for the loop.
	BOOST_TEST(native.find("PyEval_EvalCode") != native.npos);
	const std::string json = lib::output_of(STACKPRINT " --json" + of);
	BOOST_TEST(json.find("\"name\":\"block\",\"language\":\"python\"") !=
	    json.npos);
}
