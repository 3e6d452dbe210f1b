// Compares known stacks with what they have to be: names with their classes,
// functions in C before their native frames, and the loop replaced.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "forged.h"
#include "ruby_program.h"

namespace stack9::languages {
extern const runtime &runtime_ruby;
}

namespace {

// Names of frames that Ruby has, and these functions in C where the file of the
// runtime exports them.
std::vector<std::string>
names_of(const seen_stack &s)
{
	static const std::vector<std::string> exported{"rb_ary_each",
	    "rb_hash_foreach"};
	std::vector<std::string> all;
	for (const seen_frame &f : s.frames)
		if (!f.language.empty() || std::count(exported.begin(),
		    exported.end(), f.where.name) != 0)
			all.push_back(f.where.name);
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(names_have_their_classes, *has_ruby() *
    boost::unit_test::description("ISSUE: name as its people write it "
    "(Shop#reserve); functions in C between"))
{
	const ruby_program p("known.rb", {});
	BOOST_REQUIRE(p.lines().size() >= 2u);
	const seen_stacks all = capture(p.pid());
	const seen_stack &shop = all.at(std::stoi(p.lines()[0]));
	const std::vector<std::string> want{
	    "Thread::Queue#pop",
	    "Store::Shop.open",
	    "rescue in Store::Shop#take",
	    "Store::Shop#take",
	    "block (2 levels) in Store::Shop#reserve",
	    "rb_hash_foreach",
	    "Hash#each_pair",
	    "block in Store::Shop#reserve",
	    "Array#each",
	    "rb_ary_each",
	    "Store::Shop#reserve",
	    "block in <main>"};
	BOOST_TEST(names_of(shop) == want, boost::test_tools::per_element());
	const std::vector<std::string> want_fiber{
	    "Kernel#sleep",
	    "block (3 levels) in <main>",
	    "Array#each",
	    "rb_ary_each",
	    "Enumerable#sort_by",
	    "block (2 levels) in <main>"};
	BOOST_TEST(names_of(all.at(std::stoi(p.lines()[1]))) == want_fiber,
	    boost::test_tools::per_element());
	for (const auto &[tid, s] : all)
		BOOST_TEST(s.note == "");
}

// Its outermost frame has the code of the program, and no call of the loop.
BOOST_AUTO_TEST_CASE(the_main_thread_has_its_frames_once, *has_ruby() *
    boost::unit_test::description("ISSUE: the main thread's functions stand "
    "where the loop runs them"))
{
	const ruby_program p("known.rb", {});
	const seen_stack s = capture(p.pid()).at(p.pid());
	const std::vector<std::string> want{"Kernel#sleep", "<main>"};
	BOOST_TEST(names_of(s) == want, boost::test_tools::per_element());
	BOOST_REQUIRE(!s.frames.empty());
	BOOST_TEST(s.frames.front().language == "");
}

BOOST_AUTO_TEST_CASE(loops_are_shown_with_all, *has_ruby() *
    boost::unit_test::description("ISSUE: the interpreter's own loop is "
    "replaced by the frames that it runs, -v shows all of both"))
{
	const ruby_program p("known.rb", {});
	const pid_t tid = std::stoi(p.lines().at(0));
	const seen_stack replaced = capture(p.pid()).at(tid),
	    all = capture(p.pid(), false).at(tid);
	// The loop was called for the blocks of each, of each_pair and of the
	// thread.
	BOOST_TEST(all.frames.size() == replaced.frames.size() + 3);
	BOOST_TEST(all.written() == replaced.written(),
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknown_versions_are_said,
    *boost::unit_test::description("ISSUE: an unknown version is said"))
{
	for (const auto &[version, note] : std::map<std::string, std::string>{
	    {"3.2.0", "ruby 3.2: its layout is not known"},
	    {"99.1.0", "ruby 99.1: its layout is not known"},
	    {"\xff\xff", "ruby: its version is not known"},
	    {"", "ruby: its version is not known"}}) {
		forged::stack s;
		forged::outcome o;
		s.known.mark = 0x10000;
		std::memcpy(&s.words[0x10000], version.data(), version.size());
		s.words[0x10008] = 0;
		forged::walk(stack9::languages::runtime_ruby, s, o);
		BOOST_TEST(o.written.note == note);
		BOOST_TEST(o.written.frames.empty());
	}
}
