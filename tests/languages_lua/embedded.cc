// Checks what is said of a program that has lost the symbols of its Lua.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <string>

#include <stack9.h>

#include "languages_asked/asked.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(lua_embedded)

namespace {

std::string
note_of(const char *program)
{
	const asked p({program}, FOLDER);
	p.build("");
	return p.look("lua").note;
}

} // namespace

BOOST_AUTO_TEST_CASE(lost_symbols_are_said, *needs("bpf") *
    needs("lua", [] {
	return std::getenv("STACK9_LANGUAGE_ROOT") != nullptr ?
	    "the programs are of this system, not of the other root" : "";
    }) * boost::unit_test::description("A line says of a program that it has "
    "lost the symbols of its Lua."))
{
	BOOST_TEST(note_of(EMBEDDED) ==
	    "lua 5.4.6: the program has lost the symbols of it");
	BOOST_TEST(note_of(EMBEDDED_WHOLE) == "");
	BOOST_TEST(note_of(EMBEDDED_FORMAT) == "");
}

BOOST_AUTO_TEST_SUITE_END()
