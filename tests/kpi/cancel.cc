// Tests libstack9(7), "Cancellation": a thread with a request pending goes
// through every call and comes out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include <stack9/sys/proc.h>

#include "core_calls.h"
#include "fake_backend.h"
#include "printing.h"

using boost::unit_test::description;

namespace {

// f on a thread that is cancelled at the first chance; that it came out.
template <class F> bool
survives(F f)
{
	bool out = false;
	std::thread([&] {
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
		pthread_cancel(pthread_self());
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
		f();
		out = true;
	}).join();
	return out;
}

void
chance(void *, const char *, size_t)
{
	pthread_testcancel();
}

void
ktr_chance(void *, unsigned int, const char *, int, const char *)
{
	pthread_testcancel();
}

int
drain_chance(void *, const char *, int len)
{
	pthread_testcancel();
	return len;
}

void *
print_into_chance(void *)
{
	pthread_cancel(pthread_self());
	char text[32];
	struct sbuf sb;
	sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, drain_chance, nullptr);
	stack_sbuf_print(&sb, &mixed);
	return nullptr;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(cancel, with_symbols)

BOOST_AUTO_TEST_CASE(captures, *description(
    "No call is a cancellation point: captures"))
{
	const pid_t self = getpid();
	BOOST_TEST(survives([] {
		struct stack st;
		stack_save(&st);
		stack_save_td(&st, curthread);
	}));
	BOOST_TEST(survives([&] {
		struct thread *td = tdfind(self, -1);
		struct stack st;
		stack_save_td(&st, td);
		FOREACH_THREAD_IN_PROC(td->td_proc, td)
			TD_IS_RUNNING(td);
		PROC_UNLOCK(curproc);
	}));
}

BOOST_AUTO_TEST_CASE(prints, *description(
    "No call is a cancellation point: a function that stack9_set_print() has "
    "set is not interrupted either"))
{
	stack9_set_print(chance, nullptr);
	stack9_set_ddb_print(chance, nullptr);
	stack9_set_ktr(ktr_chance, nullptr);
	BOOST_TEST(survives([] { stack_print(&mixed); }));
	BOOST_TEST(survives([] { stack_print_ddb(&mixed); }));
	BOOST_TEST(survives([] { stack_ktr(1, "f", 1, &mixed, 0, 0); }));
	stack9_set_ktr(nullptr, nullptr);
}

BOOST_AUTO_TEST_CASE(drains, *description(
    "A drain belongs to the program, and is a cancellation point if it "
    "contains one"))
{
	pthread_t t;
	void *result = nullptr;
	pthread_create(&t, nullptr, print_into_chance, nullptr);
	pthread_join(t, &result);
	BOOST_TEST(result == PTHREAD_CANCELED);
}

BOOST_AUTO_TEST_CASE(own_calls, *description(
    "No call is a cancellation point: the calls that stack9 has beside "
    "stack(9)"))
{
	const pid_t self = getpid();
	BOOST_TEST(survives([&] {
		stack9_thread td;
		stack9_thread_self(&td);
		stack9_thread_find(self, &td);
		std::uintptr_t pcs[4];
		stack9::stack_record rec{};
		rec.pcs = pcs;
		rec.max = 4;
		core::save(STACK9_KERNEL, &td, &rec);
		stack9::symbol_name sym;
		core::name(0x1010, 0, &sym);
		stack9_routes([](void *, const char *, const char *, int,
		    const char *) {
			pthread_testcancel();
			return 0;
		}, nullptr);
	}));
}

BOOST_AUTO_TEST_CASE(stays_pending, *description(
    "a request that comes meanwhile stays pending"))
{
	pthread_t t;
	void *result = nullptr;
	pthread_create(&t, nullptr, [](void *) -> void * {
		pthread_cancel(pthread_self());
		struct stack st;
		stack_save(&st);
		pthread_testcancel();
		return nullptr;
	}, nullptr);
	pthread_join(t, &result);
	BOOST_TEST(result == PTHREAD_CANCELED);
}

BOOST_AUTO_TEST_SUITE_END()
