// Spoils the memory of Perl while its thread sleeps, and looks at the stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9.h>

#include "languages_asked/asked.h"
#include "languages_asked/spoiled.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(perl_hostile)

using boost::unit_test::description;

BOOST_AUTO_TEST_CASE(spoiled_memory, *has("perl") * needs("ptrace") *
    description("a heap that is damaged costs bounded time, and the native "
    "stack stays"))
{
	const asked p({"perl", "stacks.pl"}, FOLDER);
	p.build("5 30");
	spoil(p, "perl", rounds(2000, 200));
}

BOOST_AUTO_TEST_SUITE_END()
