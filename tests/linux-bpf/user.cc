// Compares copies of sleeping threads with what others see of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <climits>
#include <csignal>
#include <fstream>

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "require.h"
#include "user_capture.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_sides)

namespace {

std::vector<std::byte>
memory_of(pid_t pid, std::uint64_t at, std::size_t size)
{
	std::vector<std::byte> bytes(size);
	iovec here{bytes.data(), size};
	iovec there{reinterpret_cast<void *>(at), size};
	BOOST_REQUIRE_EQUAL(process_vm_readv(pid, &here, 1, &there, 1, 0),
	    static_cast<ssize_t>(size));
	return bytes;
}

// The registers of a thread, by ptrace(2).  This stops the thread for that.
user_regs_struct
stopped_registers(pid_t tid)
{
	user_regs_struct regs{};
	iovec io{&regs, sizeof regs};
	int status = 0;
	BOOST_REQUIRE_EQUAL(ptrace(PTRACE_SEIZE, tid, 0, 0), 0);
	BOOST_REQUIRE_EQUAL(ptrace(PTRACE_INTERRUPT, tid, 0, 0), 0);
	BOOST_REQUIRE_EQUAL(waitpid(tid, &status, __WALL), tid);
	BOOST_REQUIRE_EQUAL(ptrace(PTRACE_GETREGSET, tid, 1 /* NT_PRSTATUS */,
	    &io), 0);
	ptrace(PTRACE_DETACH, tid, 0, 0);
	return regs;
}

#if defined(__x86_64__)
// DWARF numbers of what a system call leaves alone, and of where it was made.
constexpr int kept[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15};

bool
is_there(const user_regs_struct &r, std::uint64_t pc)
{
	return pc == r.rip;
}

std::uint64_t
register_of(const user_regs_struct &r, int number)
{
	const std::uint64_t all[] = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi,
	    r.rbp, r.rsp, r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15,
	    r.rip};
	return all[number];
}
#elif defined(__aarch64__)
constexpr int kept[] = {8, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

// A thread that is stopped in a system call that begins again has gone back to
// the instruction that calls it (do_signal() in arch/arm64/kernel/signal.c,
// Linux 6.12).
bool
is_there(const user_regs_struct &r, std::uint64_t pc)
{
	return pc == r.pc || pc == r.pc + 4;
}

std::uint64_t
register_of(const user_regs_struct &r, int number)
{
	return number == 31 ? r.sp : r.regs[number];
}
#endif

} // namespace

BOOST_AUTO_TEST_CASE(it_is_what_ptrace_sees, *needs("bpf") * needs("ptrace")
    * boost::unit_test::description(
    "registers and bytes are those that a tracer finds afterwards"))
{
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		const victim v({std::begin(all_sleepers),
		    std::end(all_sleepers)});
		for (const pid_t tid : v.tids()) {
			user_capture c;
			BOOST_REQUIRE_EQUAL(c.take_asleep(*r,
			    thread_named(tid)), 0);
			BOOST_TEST(c.user.thread.tid == tid);
			BOOST_TEST(c.user.thread.pid == v.pid());
			BOOST_TEST(c.user.state == 'S');
			const auto &piece = c.copy.stack;
			BOOST_TEST(piece.at <= c.sp());
			BOOST_TEST(piece.bytes.size() > 256u);
			const std::size_t below = c.sp() - piece.at;
			BOOST_TEST((memory_of(v.pid(), c.sp(),
			    piece.bytes.size() - below) ==
			    std::vector<std::byte>(piece.bytes.data() + below,
			    piece.bytes.data() + piece.bytes.size())));
			const user_regs_struct regs = stopped_registers(tid);
			BOOST_TEST(is_there(regs, c.pc()), name <<
			    ": pc of tid " << tid);
			for (const int n : kept) {
				BOOST_TEST(((c.copy.known >> n) & 1) == 1u);
				BOOST_TEST(c.copy.value[
				    static_cast<std::size_t>(n)] ==
				    register_of(regs, n), name << ": register "
				    << n << " of tid " << tid);
			}
		}
	}
}

BOOST_AUTO_TEST_CASE(both_sides_are_of_one_sleep, *needs("bpf")
    * boost::unit_test::description(
    "kernel: its kernel stack too, of the same moment"))
{
	const victim v({std::begin(all_sleepers), std::end(all_sleepers)});
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		BOOST_TEST(r->both_sides());
		for (const pid_t tid : v.tids()) {
			user_capture c;
			BOOST_REQUIRE_EQUAL(c.take_asleep(*r,
			    thread_named(tid), true), 0);
			BOOST_TEST(c.kernel.error == 0);
			BOOST_TEST(c.kernel.why == STACK9_WHY_NONE);
			BOOST_TEST(c.kernel.depth > 3u);
			BOOST_TEST(c.kernel.thread.tid == tid);
			BOOST_TEST(c.kernel.thread.start ==
			    c.user.thread.start);
			BOOST_TEST(c.user.depth == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(whom_there_is_no_copy_of, *needs("bpf")
    * boost::unit_test::description("ESRCH: gone, reused, a zombie; "
    "EOPNOTSUPP: a kernel thread, which has no user stack"))
{
	victim v({doing::read, doing::poll});
	const pid_t zombie = fork();
	if (zombie == 0)
		_exit(0);
	wait_for_state(zombie, 'Z');
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		user_capture c;
		BOOST_TEST(c.take(*r, {INT_MAX, 0, 0}) == ESRCH);
		BOOST_TEST(c.user.why == STACK9_WHY_GONE);
		stack9_thread earlier = thread_named(v.pid());
		earlier.start--;
		BOOST_TEST(c.take(*r, earlier, true) == ESRCH);
		BOOST_TEST(c.user.why == STACK9_WHY_REUSED);
		BOOST_TEST(c.kernel.error == ESRCH);
		BOOST_TEST(c.kernel.why == STACK9_WHY_REUSED);
		BOOST_TEST(c.take(*r, thread_named(zombie)) == ESRCH);
		BOOST_TEST(c.user.why == STACK9_WHY_ZOMBIE);
		BOOST_TEST(c.copy.stack.bytes.size() == 0u);
	}
	waitpid(zombie, nullptr, 0);
	const pid_t gone = v.tids()[1];
	v.kill_and_reap();
	for (const std::string &name : sleeper_routes)
		if (auto *const r = usable_route<job::user>(name)) {
			user_capture c;
			BOOST_TEST(c.take(*r, {gone, 0, 0}) == ESRCH);
		}
}

BOOST_AUTO_TEST_CASE(a_kernel_thread_has_none, *needs("bpf")
    * boost::unit_test::description(
    "EOPNOTSUPP: a kernel thread, which has no user stack"))
{
	std::ifstream comm("/proc/2/comm");
	std::string name;
	if (!(comm >> name) || name != "kthreadd") {
		BOOST_TEST_MESSAGE("no kernel thread in sight");
		return;
	}
	for (const std::string &route : sleeper_routes) {
		auto *const r = usable_route<job::user>(route);
		if (r == nullptr)
			continue;
		user_capture c;
		const int error = c.take(*r, {2, 0, 0}, true);
		if (error == EOPNOTSUPP && c.user.why == STACK9_WHY_NONE)
			continue;	// this machine hides it from programs
		BOOST_TEST(error == EOPNOTSUPP);
		BOOST_TEST(c.user.why == STACK9_WHY_KTHREAD);
	}
}

BOOST_AUTO_TEST_SUITE_END()
