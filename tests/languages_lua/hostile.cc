// Spoils the memory of Lua while its thread sleeps, and looks at the stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9.h>

#include "languages_asked/asked.h"
#include "languages_asked/spoiled.h"
#include "programs.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(lua_hostile)

using boost::unit_test::description;

BOOST_AUTO_TEST_CASE(spoiled_memory, *needs("lua", [] {
	return luas().empty() ? "there is no lua5.3, lua5.4 or luajit" : "";
    }) * needs("ptrace") *
    description("a heap that is damaged costs bounded time, the native stack "
    "stays, and what lacks functions is flagged as guessed"))
{
	for (const std::string &lua : luas()) {
		const asked p({lua, "stacks.lua"}, FOLDER);
		p.build("5 10");
		// One that leads to another call is not seen to be wrong.
		const int times = rounds(2000, 100);
		BOOST_TEST(spoil(p, "lua", times) <= times / 50);
	}
}

BOOST_AUTO_TEST_SUITE_END()
