// Spoils the memory of PHP while its thread sleeps, and looks at the stack.
//
// SPDX-License-Identifier: BSD-2-Clause

#include <stack9.h>

#include "languages_asked/asked.h"
#include "languages_asked/spoiled.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(php_hostile)

using boost::unit_test::description;

BOOST_AUTO_TEST_CASE(spoiled_memory, *has("php") * needs("ptrace") *
    description("a heap that is damaged costs bounded time, the native stack "
    "stays, and what lacks functions is flagged as guessed"))
{
	const asked p({"php", "stacks.php"}, FOLDER);
	p.build("5 30");
	// One that leads to another frame of the chain is not seen to be wrong.
	const int times = rounds(2000, 200);
	BOOST_TEST(spoil(p, "php", times) <= times / 50);
}

BOOST_AUTO_TEST_SUITE_END()
