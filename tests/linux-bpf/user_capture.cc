// Copies threads by routes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "user_capture.h"

#include <cstdlib>

#include <sched.h>

#include <boost/test/unit_test.hpp>

bool
is_usable(stack9::route *r)
{
	BOOST_REQUIRE(r != nullptr);
	const stack9::verdict v = r->can();
	if (v.error == 0)
		return true;
	BOOST_TEST_MESSAGE(r->name << ": " << v.reason);
	BOOST_REQUIRE(v.error == EOPNOTSUPP);
	return false;
}

int
captures(int many)
{
	return std::getenv("STACK9_KERNEL") != nullptr ? many / 100 : many;
}

stack9_thread
thread_named(pid_t tid)
{
	stack9_thread td{};
	BOOST_REQUIRE_EQUAL(stack9_thread_find(tid, &td), 0);
	return td;
}

user_capture::user_capture()
{
	kernel.side = STACK9_KERNEL;
	kernel.pcs = pcs;
	kernel.max = std::size(pcs);
	user.side = STACK9_USER;
}

void
user_capture::begin(const stack9::route &r)
{
	kernel.error = user.error = 0;
	kernel.why = user.why = STACK9_WHY_NONE;
	kernel.reason = user.reason = nullptr;
	kernel.depth = 0;
	copy.clear();
	user.route = r.name;
}

int
user_capture::take_asleep(stack9::user_route &r, const stack9_thread &td,
    bool with_kernel)
{
	const auto asks_again = [](const stack9::stack_record &side) {
		return side.error == EAGAIN && (side.why == STACK9_WHY_ON_CPU ||
		    side.why == STACK9_WHY_TORN);
	};
	while (take(r, td, with_kernel), asks_again(user) || asks_again(kernel))
		sched_yield();
	return user.error;
}

#if defined(__x86_64__)
constexpr std::size_t sp_number = 7, pc_number = 16;
#elif defined(__aarch64__)
constexpr std::size_t sp_number = 31, pc_number = 32;
#endif

std::uint64_t
user_capture::sp() const
{
	return copy.value[sp_number];
}

std::uint64_t
user_capture::pc() const
{
	return copy.value[pc_number];
}
