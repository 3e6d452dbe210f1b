// Tests expressions that load memory again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "unwind/expression.h"

#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;

namespace {

class counting_memory final : public u::memory {
public:
	bool
	read(std::uintptr_t, void *to, std::size_t size) noexcept override
	{
		reads++;
		std::memset(to, 0, size);
		return true;
	}
	int	reads = 0;
};

u::outcome
value_of(const bytes &program, int &reads)
{
	counting_memory words;
	std::uintptr_t value;
	const u::outcome how = u::evaluate(std::as_bytes(std::span(program)),
	    u::registers(), words, 0, value);
	reads = words.reads;
	return how;
}

} // namespace

// A load of a stack that is not copied is a system call.
BOOST_AUTO_TEST_CASE(an_expression_loads_so_often)
{
	constexpr std::uint8_t deref = 0x06, skip = 0x2f;
	int reads;
	BOOST_TEST((value_of(bytes(64, deref), reads) ==
	    u::outcome::stepped));
	BOOST_TEST(reads == 64);
	BOOST_TEST((value_of(bytes(4000, deref), reads) ==
	    u::outcome::malformed));
	BOOST_TEST(reads == 64);
	// One that jumps back.
	BOOST_TEST((value_of({deref, skip, 0xfc, 0xff}, reads) ==
	    u::outcome::malformed));
	BOOST_TEST(reads == 64);
}
