// Tests what a capture that was made before asks of the system: nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstddef>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <stack9/sys/stack.h>

#include "core/seam/record.h"
#include "malloc_count.h"
#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(warm)

namespace {

constexpr int captures = 1000;

struct result {
	std::uint32_t	first = 0;	// frames of the first capture
	int		others = 0;	// captures that found as many
};

// Both calls, at one place.
[[gnu::noinline]] void
capture_often(void *arg)
{
	static frames f;
	stack9::stack_record rec;
	struct stack st;
	auto &r = *static_cast<result *>(arg);
	r = {};
	for (int i = 0; i < captures; i++) {
		OUR_FRAMES(f, rec);
		stack_save(&st);
		if (i == 0)
			r.first = rec.depth;
		r.others += rec.depth == r.first && rec.error == 0 &&
		    rec.why == STACK9_WHY_NONE && st.depth > 0;
	}
}

// At all depths, so that the same pcs are met on a stack unlike the last, too.
void
capture_all_depths(int &good)
{
	good = 0;
	for (unsigned int depth = 0; depth < 50; depth++) {
		result r;
		under(depth, capture_often, &r);
		good += r.others == captures;
	}
}

// The strict mode of seccomp(2) is refused to a process that has a filter, as
// in a container.
bool
forbid_system_calls()
{
	sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	const sock_fprog program{5, code};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void
no_system_call()
{
	int good;
	capture_all_depths(good);
	must(good == 50, "captures are whole");
	must(forbid_system_calls(), "system calls can be forbidden");
	capture_all_depths(good);
	if (good != 50)
		static_cast<void>(!write(2, "not whole\n", 10));
	// The call that _exit() would make is forbidden, too.
	syscall(SYS_exit, good == 50 ? 0 : 1);
}

void
no_allocation()
{
	int good;
	const long before = malloc_count;
	through_new_code<10>([] { must_agree("in new code"); });
	capture_all_depths(good);
	must(good == 50, "captures are whole");
	must(malloc_count == before, "malloc() is not called");
}

void
errno_is_kept()
{
	for (int value : {0, ENOENT, 12345}) {
		errno = value;
		through_new_code<11>([] {
			const int before = errno;
			frames f;
			stack9::stack_record rec;
			struct stack st;
			OUR_FRAMES(f, rec);
			must(errno == before, "stack9_save_self() keeps errno");
			stack_save(&st);
			must(errno == before, "stack_save() keeps errno");
		});
		must(errno == value, "errno is kept");
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(a_warm_capture_makes_no_system_call, *description(
    "It makes no system call once warm, on the stack that the thread was "
    "started on"))
{
	BOOST_TEST(in_child(no_system_call) == "");
}

BOOST_AUTO_TEST_CASE(no_capture_allocates, *description(
    "stack9_save_self() takes no lock and nothing from the heap"))
{
	BOOST_TEST(in_child(no_allocation) == "");
}

BOOST_AUTO_TEST_CASE(a_capture_keeps_errno, *description(
    "and keeps errno"))
{
	BOOST_TEST(in_child(errno_is_kept) == "");
}

BOOST_AUTO_TEST_CASE(captures_work_before_main_and_after_it)
{
	BOOST_TEST(in_child([] {
		const std::string early = beside_this_program("robust_early");
		execl(early.c_str(), early.c_str(), nullptr);
		broken("%s does not start", early.c_str());
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
