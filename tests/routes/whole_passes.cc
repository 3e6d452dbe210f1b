// Tests what each route that goes over a process gives, and how it is ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <climits>
#include <set>

#include "core_calls.h"
#include "pass.h"
#include "require.h"
#include "rows.h"

BOOST_AUTO_TEST_SUITE(whole_passes)

namespace {

using boost::unit_test::description;

// Those that the row's pass may be asked for.
std::vector<stack9_side>
sides_of(const row &r)
{
	if (r.side == STACK9_KERNEL)
		return {STACK9_KERNEL};
	return {STACK9_USER, STACK9_BOTH};
}

} // namespace

BOOST_AUTO_TEST_CASE(each_thread_once, *description(
    "every thread of process pid, each handed over once"))
{
	const victim v({doing::read, doing::poll, doing::spin_user,
	    doing::futex, doing::spin_syscall, doing::epoll});
	const std::multiset<pid_t> once(v.tids().begin(), v.tids().end());
	by_each(passes(), [&](const row &r) {
		for (int i = 0; i < 10; i++) {
			const pass p(r.side, v.pid());
			BOOST_TEST(p.error == 0);
			BOOST_TEST(p.disorder() == "");
			BOOST_TEST(p.tids() == once);
			for (const kept &k : p.all)
				BOOST_TEST(k.rec.thread.pid == v.pid());
		}
	});
}

BOOST_AUTO_TEST_CASE(any_value_of_fn_ends_the_pass, *description(
    "If fn returns a value other than 0, the pass ends and that value is "
    "returned"))
{
	const victim v({doing::read, doing::poll});
	by_each(passes(), [&](const row &r) {
		for (const stack9_side side : sides_of(r))
			for (const int value : {42, ESRCH, EAGAIN, -1}) {
				const pass p(side, v.pid(), [=](auto &) {
					return value;
				});
				BOOST_TEST(p.error == value);
				BOOST_TEST(p.all.size() == 1u);
			}
	});
}

BOOST_AUTO_TEST_CASE(what_is_no_process_is_esrch, *description(
    "ESRCH: no such process"))
{
	const victim v({doing::read, doing::poll});
	const pid_t tid = v.tids()[v.tids()[0] == v.pid() ? 1 : 0];
	by_each(passes(), [&](const row &r) {
		for (const stack9_side side : sides_of(r)) {
			for (const pid_t none : {INT_MAX, tid}) {
				const pass p(side, none);
				BOOST_TEST(p.error == ESRCH);
				BOOST_TEST(p.all.empty());
			}
			BOOST_TEST(pass(side, -1).error == EINVAL);
			BOOST_TEST(core::each(side, v.pid(), nullptr,
			    nullptr) == EINVAL);
		}
	});
}

BOOST_AUTO_TEST_SUITE_END()
