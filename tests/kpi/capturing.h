// Checks what both capture calls say of a scripted thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <stack9/sys/proc.h>
#include <stack9/sys/stack.h>

#include "fake_backend.h"

using save_fn = int (struct stack *, struct thread *);

inline struct thread
thread_of(struct proc *p, lwpid_t tid, std::uint64_t start)
{
	struct thread td{};
	td.td_proc = p;
	td.td_tid = tid;
	td.td_start = start;
	return td;
}

inline struct proc *
other_process()
{
	static struct proc p{};
	p.p_pid = 1 << 22;
	p.p_numthreads = 1;
	return &p;
}

inline struct thread
stranger(lwpid_t tid, std::uint64_t start)
{
	return thread_of(other_process(), tid, start);
}

// A struct full of what an earlier capture left.
inline struct stack
stale()
{
	struct stack st;
	std::memset(&st, 0xa5, sizeof st);
	return st;
}

inline std::vector<std::uintptr_t>
pcs(std::size_t n)
{
	std::vector<std::uintptr_t> v(n);
	for (std::size_t i = 0; i < n; i++)
		v[i] = 0xffffffff81000000 + i;
	return v;
}

inline void
holds(const struct stack &st, std::size_t n)
{
	const auto expected = pcs(n);
	BOOST_REQUIRE(st.depth == static_cast<int>(n));
	BOOST_TEST(std::equal(expected.begin(), expected.end(), st.pcs));
	BOOST_TEST(std::all_of(st.pcs + n, st.pcs + STACK_MAX,
	    [](vm_offset_t pc) { return pc == 0; }));
}

// Both calls, and what they say of one state of the machine: set() is called
// before each.
template <class F> void
both_say(int td_error, int running_error, struct thread *td, F set)
{
	const std::pair<save_fn *, int> calls[] = {
		{stack_save_td, td_error},
		{stack_save_td_running, running_error},
	};
	for (const auto &[save, error] : calls) {
		fake::now = {};
		set();
		struct stack st = stale();
		BOOST_TEST(save(&st, td) == error);
		if (error != 0)
			holds(st, 0);
		else
			holds(st, 5);
	}
}
