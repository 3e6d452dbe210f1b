// Tests what the program around the library does to it: signals, limits, and
// descriptors that it takes for its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(hosts)

namespace {

// The exit status of body in a child that has all programs to load yet.  Off
// CPU 1, where spinners are.
int
off_cpu_1(const std::function<int()> &body)
{
	return lib::in_child([&] {
		cpu_set_t set;
		sched_getaffinity(0, sizeof set, &set);
		CPU_CLR(1, &set);
		sched_setaffinity(0, sizeof set, &set);
		return body();
	});
}

// A signal every 100 us while it lives.
struct signal_rain {
	signal_rain()
	{
		struct sigaction act{};
		act.sa_handler = [](int) {};
		act.sa_flags = SA_RESTART;
		sigaction(SIGALRM, &act, nullptr);
		every(100);
	}
	~signal_rain() { every(0); }

private:
	static void
	every(int us)
	{
		const itimerval t{{0, us}, {0, us}};
		setitimer(ITIMER_REAL, &t, nullptr);
	}
};

// None where a spinner and its watcher would take turns.
std::vector<std::string>
running_routes()
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0 ||
	    !CPU_ISSET(1, &set) || CPU_COUNT(&set) < 2) {
		BOOST_TEST_MESSAGE("needs a second CPU");
		return {};
	}
	return routes_of("kernel stack of a running thread");
}

bool
is_null_device(int fd)
{
	char path[64] = "", to[64] = "";
	std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return readlink(path, to, sizeof to - 1) > 0 &&
	    std::strcmp(to, "/dev/null") == 0;
}

// Returns whether a thread that runs in the kernel at times is caught there by
// this route; other programs may keep it from its CPU for long.
bool
catches(const std::string &route, pid_t tid)
{
	const forced only(route);
	for (;;) {
		capture c;
		const int error = c.save(tid);
		if (error != 0 && error != EAGAIN)
			return false;
		if (error == 0 && c.rec.route == route)
			return true;
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(signals_do_not_keep_programs_from_loading, *needs("bpf")
    * boost::unit_test::description(
    "EOPNOTSUPP: never here, whatever the program's timers do"))
{
	const victim v({doing::read});
	for (const std::string &r : routes_of("kernel stack"))
		if (r != "procfs")
			BOOST_TEST(off_cpu_1([&] {
				const forced only(r);
				const signal_rain rain;
				capture c;
				return c.save(v.pid());
			}) == 0);
}

BOOST_AUTO_TEST_CASE(signals_do_not_end_a_wait, *needs("bpf")
    * boost::unit_test::description("only 0, ESRCH and EAGAIN"))
{
	const victim v({doing::spin_syscall});
	for (const std::string &r :
	    routes_of("kernel stack of a running thread")) {
		const forced only(r);
		const signal_rain rain;
		int other = 0;
		for (int i = 0; i < rounds(1000, 200); i++) {
			capture c;
			const int error = c.save(v.pid());
			other += error != 0 && error != EAGAIN;
		}
		BOOST_TEST(other == 0);
	}
}

BOOST_AUTO_TEST_CASE(a_childs_own_descriptors_are_left_alone, *needs("bpf")
    * boost::unit_test::description(
    "a daemon that closed what it inherited keeps what it opened since"))
{
	const victim v({doing::read}), runs({doing::spin_syscall});
	const auto running = running_routes();
	const auto asleep = routes_of("kernel stack");
	const auto all = [&] {
		for (const std::string &r : asleep) {
			const forced only(r);
			capture c;
			if (r != "procfs" && c.save(v.pid()) != 0)
				return false;
		}
		for (const std::string &r : running)
			if (!catches(r, runs.pid()))
				return false;
		return true;
	};
	BOOST_TEST(off_cpu_1([&] {
		if (!all())
			return 1;
		return off_cpu_1([&] {
			for (int fd = 3; fd < 256; fd++)
				close(fd);
			while (open("/dev/null", O_RDONLY) < 128)
				;
			if (!all())
				return 2;
			for (int fd = 3; fd < 128; fd++)
				if (!is_null_device(fd))
					return 3;
			return 0;
		});
	}) == 0);
}

BOOST_AUTO_TEST_CASE(reused_numbers_are_seen_by_every_route, *needs("bpf")
    * boost::unit_test::description(
    "a program that closes all its descriptors keeps its captures"))
{
	const victim v({doing::spin_syscall});
	for (const std::string &r : running_routes())
		BOOST_TEST(off_cpu_1([&] {
			if (!catches(r, v.pid()))
				return 1;
			for (int fd = 3; fd < 256; fd++)
				close(fd);
			if (!catches(r, v.pid()))
				return 2;
			for (int fd = 3; fd < 128; fd++)
				dup2(2, fd);
			return catches(r, v.pid()) ? 0 : 3;
		}) == 0);
}

BOOST_AUTO_TEST_CASE(seccomp_is_not_taken_for_locked_memory, *needs("bpf")
    * boost::unit_test::description("seccomp bpf=EPERM: EPERM"))
{
	const victim v({doing::read});
	BOOST_TEST(off_cpu_1([&] {
		const rlimit little{65536, 65536};
		sock_filter rules[] = {
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			    offsetof(seccomp_data, nr)),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		};
		const sock_fprog program{std::size(rules), rules};
		if (setrlimit(RLIMIT_MEMLOCK, &little) != 0 ||
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
			return 97;
		capture c;
		return c.save(v.pid());
	}) == EPERM);
}

BOOST_AUTO_TEST_SUITE_END()
