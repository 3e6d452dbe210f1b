// Tests own stacks over the os/ of another system, and that every question for
// other threads is refused in words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <unistd.h>
#include <unwind.h>

#include <stack9.h>
#include <stack9/sys/malloc.h>
#include <stack9/sys/mutex.h>
#include <stack9/sys/proc.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>
#include <stack9/sys/systm.h>

using boost::unit_test::description;

namespace {

struct both {
	struct stack			ours{};
	std::vector<std::uintptr_t>	truth;
};

_Unwind_Reason_Code
note(_Unwind_Context *at, void *to)
{
	auto &pcs = *static_cast<std::vector<std::uintptr_t> *>(to);
	pcs.push_back(_Unwind_GetIP(at));
	return pcs.size() < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// Both begin in this function, at different calls of it.
[[gnu::noinline]] void
look(both &b)
{
	b.truth.reserve(64);
	stack_save(&b.ours);
	_Unwind_Backtrace(note, &b.truth);
}

[[gnu::noinline]] void
descend(int depth, both &b)
{
	if (depth > 0)
		descend(depth - 1, b);
	else
		look(b);
	asm volatile("" ::: "memory");
}

void
is_true(const both &b)
{
	const auto depth = static_cast<std::size_t>(b.ours.depth);
	std::size_t all = b.truth.size();
	while (all > 0 && b.truth[all - 1] == 0)
		all--;		// libgcc's frame after the last one
	BOOST_REQUIRE(all > 3);
	BOOST_REQUIRE(depth == std::min<std::size_t>(all, STACK_MAX));
	for (std::size_t i = 1; i < depth; i++)
		BOOST_TEST(b.ours.pcs[i] == b.truth[i]);
}

both *in_signal;

void
on_signal(int)
{
	descend(3, *in_signal);
}

} // namespace

extern "C" [[gnu::noinline, gnu::visibility("default")]] void
a_function_with_a_name(struct stack *st)
{
	stack_save(st);
	asm volatile("" ::: "memory");
}

BOOST_AUTO_TEST_CASE(own_stacks_are_those_of_another_unwinder)
{
	for (const int depth : {1, 5, 8, 30}) {
		both b;
		descend(depth, b);
		is_true(b);
	}
}

BOOST_AUTO_TEST_CASE(own_stacks_are_found_again)
{
	for (int i = 0; i < 100; i++) {
		both b;
		descend(4, b);
		is_true(b);
	}
}

BOOST_AUTO_TEST_CASE(threads_have_theirs)
{
	std::vector<both> all(8);
	std::vector<std::thread> threads;
	for (both &b : all)
		threads.emplace_back([&b] { descend(6, b); });
	for (std::thread &t : threads)
		t.join();
	for (const both &b : all)
		is_true(b);
}

BOOST_AUTO_TEST_CASE(a_signals_frame_is_crossed_by_its_rows)
{
	both b;
	in_signal = &b;
	struct sigaction now{}, before;
	now.sa_handler = on_signal;
	sigaction(SIGUSR1, &now, &before);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, nullptr);
	is_true(b);
}

BOOST_AUTO_TEST_CASE(own_stacks_are_printed_with_names)
{
	struct stack st;
	a_function_with_a_name(&st);
	struct sbuf sb;
	sbuf_new(&sb, nullptr, 0, SBUF_AUTOEXTEND);
	stack_sbuf_print(&sb, &st);
	BOOST_REQUIRE(sbuf_finish(&sb) == 0);
	const std::string text(sbuf_data(&sb));
	BOOST_TEST_INFO(text);
	BOOST_TEST(text.starts_with("#0 0x"));
	BOOST_TEST(text.find(" at a_function_with_a_name+0x") != text.npos);
	sbuf_delete(&sb);
}

BOOST_AUTO_TEST_CASE(the_caller_is_a_thread_without_a_name)
{
	BOOST_TEST(curproc->p_pid == getpid());
	BOOST_TEST(curthread->td_tid == getpid());
	struct stack st{}, same{};
	stack_save(&st);
	BOOST_TEST(stack_save_td(&same, curthread) == 0);
	BOOST_TEST(same.depth >= st.depth - 1);
}

BOOST_AUTO_TEST_CASE(other_threads_are_refused)
{
	BOOST_TEST(tdfind(getppid(), -1) == nullptr);
	BOOST_TEST(pfind(getppid()) == nullptr);
	stack9_thread td{};
	BOOST_TEST(stack9_thread_find(getppid(), &td) == EOPNOTSUPP);
	BOOST_TEST(std::string(stack9_reason()) == "this machine cannot do it");
	struct thread other{};
	struct proc of{};
	of.p_pid = getppid();
	other.td_proc = &of;
	other.td_tid = getppid();
	struct stack st{};
	BOOST_TEST(stack_save_td(&st, &other) == EOPNOTSUPP);
}

BOOST_AUTO_TEST_CASE(locks_wait_for_their_owners)
{
	struct mtx m{};
	int sum = 0;
	mtx_init(&m, "sum", nullptr, MTX_DEF);
	std::vector<std::thread> threads;
	for (int t = 0; t < 4; t++)
		threads.emplace_back([&] {
			for (int i = 0; i < 1000; i++) {
				mtx_lock(&m);
				sum++;
				mtx_unlock(&m);
			}
		});
	for (std::thread &t : threads)
		t.join();
	mtx_destroy(&m);
	BOOST_TEST(sum == 4000);
}

BOOST_AUTO_TEST_CASE(bad_addresses_are_no_faults)
{
	char to[8];
	BOOST_TEST(copyin(reinterpret_cast<void *>(8), to, sizeof to) ==
	    EFAULT);
	BOOST_TEST(copyin("letters", to, sizeof to) == 0);
	BOOST_TEST(std::string(to) == "letters");
}
