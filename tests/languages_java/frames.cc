// Compares the frames that a capture has with those that Java says of its own
// threads: names, files and lines, one by one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "java_program.h"
#include "lib/programs.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

// How the machine runs methods: by its interpreter, by one compiler after the
// other, by one of them alone, and at once.
constexpr const char *modes[] = {"-Xint", "-XX:+TieredCompilation",
	"-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-Xcomp"};

std::size_t
compare(const std::string &java, const char *mode, int seed, int before)
{
	const java_program p(java, mode, seed, 25, before);
	std::size_t compared = 0, guessed;
	const stacks seen = captured(p.pid(), guessed);
	BOOST_TEST(p.said().size() == 25u);
	BOOST_TEST(guessed == 0u);
	for (const auto &[tid, said] : p.said()) {
		const auto at = seen.find(tid);
		BOOST_REQUIRE(at != seen.end());
		compared += said.size();
		if (at->second == said)
			continue;
		BOOST_TEST_CONTEXT(java << ' ' << mode << " seed " << seed <<
		    " tid " << tid)
		BOOST_TEST(at->second == said,
		    boost::test_tools::per_element());
	}
	return compared;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_frame_is_as_java_says, *has_java() *
    needs("bpf") * SAYS("LANGUAGES: the methods of HotSpot, interpreted, "
    "compiled and inlined, are those that Java itself gives"))
{
	const int seeds = long_run() ? 40 : 1;
	for (const std::string &java : javas())
		for (const char *const mode : modes)
			for (int seed = 1; seed <= seeds; seed++) {
				const int before = seed % 2 == 0 ? 0 : 2000;
				BOOST_TEST(compare(java, mode, seed,
				    std::string(mode) == "-Xint" ? 0 :
				    before) > 1000u);
			}
}

BOOST_AUTO_TEST_CASE(native_frames_stay, *has_java() * needs("bpf") *
    SAYS("LANGUAGES: native frames between the methods stay, and the stack "
    "is complete"))
{
	const java_program p(javas().front(), "-Xint", 7, 3, 0);
	const std::string of = fmt::format(" -u -p {} 2>/dev/null", p.pid());
	const std::string text = lib::output_of(STACKPRINT + of);
	BOOST_TEST(text.find("Stacks$Way.end") != text.npos);
	BOOST_TEST(text.find("Stacks.java:") != text.npos);
	BOOST_TEST(text.find("JavaCalls::call_helper") != text.npos);
	// The function that begins a thread has a name where libc6-dbg is.
	BOOST_TEST(text.rfind("libc.so.6") > text.rfind("call_helper"));
	BOOST_TEST(text.find("by frame pointers") == text.npos);
	const std::string native = lib::output_of(STACKPRINT " --native" + of);
	BOOST_TEST(native.find("Stacks.java:") == native.npos);
	BOOST_TEST(native.find("JavaCalls::call_helper") != native.npos);
}
