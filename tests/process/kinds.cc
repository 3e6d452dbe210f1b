// Compares walks of programs of all kinds with what they are known to have
// called and with libunwind's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <elf.h>

#include "cancellation.h"
#include "core/seam/record.h"
#include "copier.h"
#include "require.h"

namespace {

using stack9::space_walk;
using stack9::user_copy;
namespace data = boost::unit_test::data;

struct seen {
	opened			space;
	user_copy		copy;
	walk			w;
	std::vector<std::string> names;

	explicit seen(const stack9_thread &td) : space(td)
	{
		BOOST_REQUIRE(space.error == 0);
		copy_thread(td.tid, copy);
		w = walk_of(*space, copy, td);
		names = names_of(*space, w);
	}
};

const std::vector<std::string> chain{"inner", "middle", "outer"};

void
check_whole(const seen &s)
{
	BOOST_TEST(s.w.is_whole(), "why " << s.w.rec.why << ": " <<
	    (s.w.rec.reason ? s.w.rec.reason : "") << " at " <<
	    text(s.names));
	BOOST_TEST(has(s.names, chain), text(s.names));
	BOOST_TEST((s.w.rec.flags & STACK9_STACK_EXACT) != 0u);
	BOOST_TEST(s.w.rec.dropped == 0u);
}

} // namespace

BOOST_AUTO_TEST_SUITE(kinds, *needs("ptrace"))

// Cores of x86-64 programs are walked so on other CPUs.
BOOST_DATA_TEST_CASE(the_description_of_this_cpu_gives_the_same_frames,
    data::make({"plain", "no_fp", "debug_frame", "no_table", "static",
    "static_pie"}), name)
{
	child c({program(name)});
	BOOST_REQUIRE(c.says("ready"));
	seen s(c.thread());
	const auto native = s.w.pcs;
	s.copy.what = user_copy::machine::x86_64;
	const walk described = walk_of(*s.space, s.copy, c.thread());
	BOOST_TEST(described.is_whole());
	BOOST_TEST((described.rec.flags & STACK9_STACK_GUESSED) == 0u);
	BOOST_TEST(described.pcs == native, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(frames_are_the_known_ones_and_libunwinds,
    data::make({"plain", "no_fp", "debug_frame", "no_table", "static",
    "static_pie"}), name)
{
	child c({program(name)});
	BOOST_REQUIRE(c.says("ready"));
	const seen s(c.thread());
	check_whole(s);
	BOOST_TEST(std::string(s.names.back()) == "_start", text(s.names));
	BOOST_TEST((s.w.rec.flags & STACK9_STACK_GUESSED) == 0u);
	// libunwind does not find the table of each of them, so it may stop in
	// the program's innermost function.
	BOOST_REQUIRE(c.waits(c.pid()));	// again
	const auto theirs = oracle_frames(c.pid());
	const std::size_t n = std::min(theirs.size(), s.w.pcs.size());
	const auto inner = std::find(s.names.begin(), s.names.end(), "inner");
	if (theirs.size() > static_cast<std::size_t>(inner -
	    s.names.begin()) + 1)
		BOOST_TEST(theirs.size() == s.w.pcs.size());
	BOOST_TEST(std::equal(theirs.begin(),
	    theirs.begin() + static_cast<std::ptrdiff_t>(n),
	    s.w.pcs.begin()));
}

BOOST_AUTO_TEST_CASE(a_stripped_program_has_the_frames_of_one_that_is_not)
{
	child a({program("no_fp")}), b({program("stripped")});
	BOOST_REQUIRE(a.says("ready"));
	BOOST_REQUIRE(b.says("ready"));
	const seen s(a.thread()), t(b.thread());
	BOOST_TEST(t.w.is_whole());
	BOOST_TEST(s.w.pcs.size() == t.w.pcs.size());
}

BOOST_AUTO_TEST_CASE(a_frame_pointer_that_was_trusted_is_reported)
{
	child c({program("fp_only")});
	BOOST_REQUIRE(c.says("ready"));
	const seen s(c.thread());
	check_whole(s);
	BOOST_TEST((s.w.rec.flags & STACK9_STACK_GUESSED) != 0u);
}

BOOST_AUTO_TEST_CASE(another_c_librarys_program_is_walked_or_said_to_be_short)
{
	if (!std::filesystem::exists(program("musl"))) {
		BOOST_TEST_MESSAGE("skipped: no musl-gcc");
		return;
	}
	child c({program("musl")});
	BOOST_REQUIRE(c.says("ready"));
	const seen s(c.thread());
	BOOST_TEST_MESSAGE(text(s.names) << " why " << s.w.rec.why);
	if (s.w.is_whole())
		BOOST_TEST(has(s.names, {"outer", "main"}), text(s.names));
}

BOOST_DATA_TEST_CASE(a_signal_frame_is_passed,
    data::make({"plain", "static"}), name)
{
	child c({program(name), "signal"});
	BOOST_REQUIRE(c.says("ready"));
	const seen s(c.thread());
	check_whole(s);
	BOOST_TEST(has(s.names, {"outer", "handler"}), text(s.names));
	BOOST_TEST(has(s.names, {"be_interrupted"}) | has(s.names, {"main"}),
	    text(s.names));
	BOOST_TEST(s.names.back() == "_start");
}

BOOST_AUTO_TEST_CASE(a_stack_in_parts_is_asked_for_piece_by_piece)
{
	child c({program("no_fp"), "altstack"});
	BOOST_REQUIRE(c.says("ready"));
	seen s(c.thread());
	BOOST_TEST((s.w.how == space_walk::wants_more));
	BOOST_TEST(!s.copy.stack.holds(s.w.wanted, 8));
	for (int n = 0; n < 8 && s.w.how == space_walk::wants_more; n++) {
		BOOST_REQUIRE(copy_on(c.pid(), s.copy, s.w.wanted));
		s.w = walk_of(*s.space, s.copy, c.thread());
	}
	BOOST_TEST(s.w.is_whole());
	s.names = names_of(*s.space, s.w);
	BOOST_TEST(has(s.names, {"outer", "handler"}), text(s.names));
	BOOST_TEST(s.names.back() == "_start", text(s.names));
}

BOOST_AUTO_TEST_CASE(a_thread_whose_leader_is_dead_is_walked)
{
	child c({program("no_fp"), "alone"});
	BOOST_REQUIRE(c.said("ready"));
	const pid_t tid = c.other_tid();
	BOOST_REQUIRE(c.waits(tid));
	check_whole(seen(c.thread_of(tid)));
}

// The thread may be in the vdso, on the way there, or in a prologue.
BOOST_DATA_TEST_CASE(a_running_thread_is_walked_wherever_it_was_stopped,
    data::make({"plain", "no_fp", "static"}), name)
{
	child c({program(name), "clock"});
	BOOST_REQUIRE(c.said("ready"));
	const opened space(c.thread());
	int in_vdso = 0;
	for (int n = 0; n < 300; n++) {
		user_copy copy;
		copy_thread(c.pid(), copy);
		const walk w = walk_of(*space, copy, c.thread());
		const auto names = names_of(*space, w);
		BOOST_REQUIRE(w.is_whole());
		BOOST_REQUIRE_MESSAGE(names.back() == "_start", text(names));
		BOOST_REQUIRE_MESSAGE(has(names, {"ask_the_time", "main"}),
		    text(names));
		stack9::mapped_module m;
		BOOST_REQUIRE(stack9::space_module(*space, w.pcs[0], m) == 0);
		in_vdso += std::string(m.path) == "[vdso]" && m.vaddr != 0 &&
		    m.build_id_size != 0;
	}
	BOOST_TEST(in_vdso > 0);
}

BOOST_AUTO_TEST_CASE(code_without_section_headers_is_walked)
{
	const scratch dir;
	const std::string path = dir.take(program("no_fp"));
	Elf64_Ehdr h;
	std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
	f.read(reinterpret_cast<char *>(&h), sizeof h);
	h.e_shoff = 0;
	h.e_shnum = h.e_shstrndx = 0;
	f.seekp(0);
	f.write(reinterpret_cast<const char *>(&h), sizeof h);
	f.close();
	child c({path});
	BOOST_REQUIRE(c.says("ready"));
	const seen s(c.thread());
	BOOST_TEST(s.w.is_whole());
	BOOST_TEST(s.w.pcs.size() == oracle_frames(c.pid()).size());
}

BOOST_AUTO_TEST_CASE(what_was_dropped_is_counted)
{
	child c({program("no_fp"), "deep", "5000"});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk all = walk_of(*space, copy, c.thread(), 10000);
	const walk some = walk_of(*space, copy, c.thread(), 18);
	BOOST_TEST(all.is_whole());
	BOOST_TEST(all.pcs.size() > 5000u);
	BOOST_TEST((some.how == space_walk::done));
	BOOST_TEST(some.rec.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(some.rec.depth == 18u);
	BOOST_TEST(some.rec.dropped == all.pcs.size() - 18);
	BOOST_TEST(std::equal(some.pcs.begin(), some.pcs.end(),
	    all.pcs.begin()));
}

BOOST_AUTO_TEST_CASE(a_call_through_null_has_its_caller)
{
	child c({program("no_fp")});
	BOOST_REQUIRE(c.says("ready"));
	seen s(c.thread());
	// As if read(2)'s caller had called NULL where it called that.
	const std::uint64_t sp = s.copy.value[7];
	std::uint64_t caller = s.w.pcs[1];
	std::uint64_t at = sp;
	std::uint64_t word = 0;
	while (word != caller) {
		std::memcpy(&word, s.copy.stack.bytes.data() +
		    (at - s.copy.stack.at), 8);
		at += 8;
	}
	s.copy.set(7, at - 8);
	s.copy.set(16, 0);
	const walk w = walk_of(*s.space, s.copy, c.thread());
	BOOST_TEST(w.is_whole());
	BOOST_TEST(w.pcs.size() == s.w.pcs.size());
	BOOST_TEST(w.pcs[0] == 0u);
	BOOST_TEST(std::equal(w.pcs.begin() + 1, w.pcs.end(),
	    s.w.pcs.begin() + 1));
}

BOOST_AUTO_TEST_CASE(registers_that_are_needed_and_not_known_are_reported)
{
	child c({program("plain")});
	BOOST_REQUIRE(c.says("ready"));
	seen s(c.thread());
	s.copy.known = 1 << 7 | 1 << 16;
	const walk w = walk_of(*s.space, s.copy, c.thread());
	BOOST_TEST((w.how == space_walk::done));
	if (w.rec.why != STACK9_WHY_NONE)
		BOOST_TEST(w.rec.why == STACK9_WHY_REGISTERS);
	BOOST_TEST(w.pcs.size() <= s.w.pcs.size());
	BOOST_TEST(std::equal(w.pcs.begin(), w.pcs.end(), s.w.pcs.begin()));
}

BOOST_AUTO_TEST_SUITE_END()
