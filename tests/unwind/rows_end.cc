// Tests where a walk by rows comes to the end of its stack: on made memory that
// ends there, from a function that is left by its frame pointer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <alloca.h>
#include <sys/mman.h>

#include "unwind/row_here.h"
#include "unwind/walk.h"

namespace u = stack9::unwind;

namespace {

constexpr std::size_t page_bytes = 4096;

// One page, and none after it.
class stack_end {
public:
	stack_end()
	    : begin_(static_cast<char *>(mmap(nullptr, 2 * page_bytes,
	      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)))
	{
		BOOST_TEST_REQUIRE(begin_ != MAP_FAILED);
		mprotect(begin_ + page_bytes, page_bytes, PROT_NONE);
	}
	~stack_end() { munmap(begin_, 2 * page_bytes); }
	stack_end(const stack_end &) = delete;
	stack_end &operator=(const stack_end &) = delete;

	std::uintptr_t
	end() const
	{
		return reinterpret_cast<std::uintptr_t>(begin_) + page_bytes;
	}

private:
	char	*begin_;
};

std::uintptr_t place_seen;
volatile std::size_t local_bytes = 16;

[[gnu::noinline]] void
see(void *)
{
	place_seen = reinterpret_cast<std::uintptr_t>(
	    __builtin_return_address(0));
}

// A function that needs its frame pointer, at a place after a call.
[[gnu::noinline]] std::uintptr_t
place_by_fp()
{
	see(alloca(local_bytes));
	asm volatile("" ::: "memory");
	return place_seen;
}

void
put(std::uintptr_t cfa, const u::place &p, std::uintptr_t word)
{
	BOOST_TEST_REQUIRE((p.what == u::place::offset));
	*reinterpret_cast<std::uintptr_t *>(cfa +
	    static_cast<std::uintptr_t>(p.number)) = word;
}

// Walks from a frame whose caller has this frame pointer and no address.
u::outcome
end_from(std::uintptr_t callers_fp, std::uintptr_t above)
{
	const stack_end memory;
	const std::uintptr_t pc = place_by_fp(), cfa = memory.end() - above;
	u::row r;
	BOOST_TEST_REQUIRE((u::row_here(pc - 1, r) == u::found::yes));
	BOOST_TEST_REQUIRE(r.cfa_register == u::register_fp);
	put(cfa, r.places.at(u::register_fp), callers_fp);
	put(cfa, r.places.at(static_cast<std::size_t>(r.return_column)), 0);
	u::registers at;
	at.set(u::register_pc, pc);
	at.set(u::register_sp, cfa - 256);
	at.set(u::register_fp, cfa - static_cast<std::uintptr_t>(
	    r.cfa_offset));
	std::uintptr_t pcs[4];
	const u::walked w = u::walk_rows(at, pcs, 4, u::counting::no);
	BOOST_TEST(w.depth == 1u);
	return w.how;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_walk_by_rows_ends_where_a_stack_may_begin)
{
	BOOST_TEST((end_from(0, 0) == u::outcome::end));
	BOOST_TEST((end_from(0, 64) == u::outcome::zero));
	BOOST_TEST((end_from(1, 0) == u::outcome::strayed));
	BOOST_TEST((end_from(1, 64) == u::outcome::zero));
}
