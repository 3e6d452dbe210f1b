// Tests that a runtime whose layout is not known is named, and is not guessed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "forged.h"

#include <boost/test/unit_test.hpp>

namespace stack9::languages {
extern const runtime &runtime_python;
}

namespace {

constexpr std::uint64_t mark = 0x10000;

// Has _PyRuntime begin with the version, and with that number for all sizes and
// offsets.
std::string
note_of(std::uint64_t version, std::uint64_t number)
{
	forged::stack s;
	forged::outcome o;
	s.known.mark = mark;
	std::memcpy(&s.words[mark], "xdebugpy", 8);
	s.words[mark + 8] = version;
	for (std::uint64_t i = 2; i < 80; i++)
		s.words[mark + 8 * i] = number;
	forged::walk(stack9::languages::runtime_python, s, o);
	BOOST_TEST(o.written.frames.empty());
	return o.written.note;
}

} // namespace

BOOST_AUTO_TEST_CASE(unknown_versions_are_said,
    *boost::unit_test::description("LANGUAGES: a version whose layout is not "
    "known is said"))
{
	BOOST_TEST(note_of(0x031000f0, 8) ==
	    "python 3.16: its layout is not known");
	BOOST_TEST(note_of(0x040000f0, 8) ==
	    "python 4.0: its layout is not known");
	// An early one of a release may have another list.
	BOOST_TEST(note_of(0x030f00a1, 8) ==
	    "python 3.15: its layout is not known");
}

BOOST_AUTO_TEST_CASE(other_members_are_said,
    *boost::unit_test::description("LANGUAGES: a description that has other "
    "members than its version is not used"))
{
	// Each offset is as large as its structure.
	for (const std::uint64_t version : {0x030d00f0, 0x030e00f0, 0x030f00f0})
		BOOST_TEST(note_of(version, 8).ends_with(
		    ": its layout is not known"));
}

// The program has just begun, or is paged out.
BOOST_AUTO_TEST_CASE(an_absent_description_is_said,
    *boost::unit_test::description("LANGUAGES: a version that describes itself "
    "is not called unknown where its description is not in memory"))
{
	for (const char *const minor : {"13", "14", "15"}) {
		forged::stack s;
		forged::outcome o;
		s.known.mark = mark;
		std::strcpy(s.known.path.data(),
		    (std::string("/usr/bin/python3.") + minor).c_str());
		forged::walk(stack9::languages::runtime_python, s, o);
		BOOST_TEST(o.written.frames.empty());
		BOOST_TEST(o.written.note == std::string("python 3.") + minor +
		    ": its description is not in memory");
	}
}
