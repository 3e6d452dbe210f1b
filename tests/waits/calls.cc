// Compares the waits that stack9_waits() finds with those that programs know:
// system calls, files and sockets, pages, and locks of the kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "check.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(waits_in_system_calls, *needs("bpf"))
{
	scene of([](stage &s) {
		static int fds[2], empty, ep;
		static char file[] = "/tmp/stack9-waits-XXXXXX";
		empty = mkstemp(file);
		flock(empty, LOCK_EX);
		if (pipe(fds) != 0 || (ep = epoll_create1(0)) < 0)
			return;
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_PIPE, 0, [] {
			char c;
			while (read(fds[0], &c, 1) < 0)
				;
		}, true);
		act(s, 2, STACK9_WAIT_SLEEP, -1, [] { sleep(1000); });
		act(s, 3, STACK9_WAIT_POLL, 0, [] {
			pollfd p{fds[0], POLLIN, 0};
			poll(&p, 1, -1);
		}, true);
		act(s, 4, STACK9_WAIT_EPOLL, -1, [] {
			epoll_event e;
			epoll_wait(ep, &e, 1, -1);
		});
		act(s, 5, STACK9_WAIT_FLOCK, 0, [] {
			flock(open(file, O_RDWR), LOCK_EX);
		}, true);
		act(s, 6, STACK9_WAIT_SOCKET, 0, [] {
			int pair[2];
			char c;
			socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
			while (recv(pair[0], &c, 1, 0) < 0)
				;
		}, true);
		usleep(50000);
		unlink(file);
	});
	for (const auto &[tid, f] : check_scene(of)) {
		if (f.kind == STACK9_WAIT_SLEEP) {
			BOOST_TEST((f.left_ns == 0 ||
			    f.left_ns > 980'000'000'000u));
			BOOST_TEST(f.left_ns <= 1'000'000'000'000u);
		}
		if (f.kind == STACK9_WAIT_POLL || f.kind == STACK9_WAIT_PIPE)
			BOOST_TEST(f.object.find("pipe:[") != f.object.npos);
	}
}

BOOST_AUTO_TEST_CASE(children_and_tracers, *needs("bpf"))
{
	scene of([](stage &s) {
		static pid_t stopped;
		const pid_t child = fork();
		if (child == 0) {
			note(s, 1, STACK9_WAIT_SIGNAL, -1);
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 1)
			usleep(100);
		note(s, 2, -1, -1);
		s.actors[0] = s.actors[2];
		act(s, 2, STACK9_WAIT_CHILD, 1, [child] {
			waitpid(child, nullptr, 0);
		});
		act(s, 3, STACK9_WAIT_SIGNAL, -1, [] {
			stopped = fork();
			if (stopped == 0) {
				ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
				raise(SIGSTOP);
			}
			pause();
		});
		while (__atomic_load_n(&stopped, __ATOMIC_SEQ_CST) == 0)
			usleep(100);
		s.actors[4] = {stopped, stopped, STACK9_WAIT_TRACER, 3, false};
		s.count = 5;
	});
	check_scene(of);
}

// Begins a process that notes itself and does f.
template <class F>
void
begin_process(stage &s, int number, F f)
{
	const int before = __atomic_load_n(&s.count, __ATOMIC_SEQ_CST);
	if (fork() == 0) {
		f();
		note(s, number, STACK9_WAIT_SIGNAL, -1);
		for (;;)
			pause();
	}
	while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) == before)
		usleep(100);
}

void
read_one(int fd)
{
	char c;
	while (read(fd, &c, 1) < 0)
		;
}

// A socket of loopback that listens; its address.
int
listen_on_loopback(int family, sockaddr_storage &at, socklen_t &size)
{
	const int fd = socket(family, SOCK_STREAM, 0);
	at = {};
	at.ss_family = static_cast<sa_family_t>(family);
	size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
	if (family == AF_INET)
		reinterpret_cast<sockaddr_in &>(at).sin_addr.s_addr =
		    htonl(INADDR_LOOPBACK);
	else
		reinterpret_cast<sockaddr_in6 &>(at).sin6_addr =
		    in6addr_loopback;
	if (bind(fd, reinterpret_cast<sockaddr *>(&at), size) != 0 ||
	    listen(fd, 5) != 0 || getsockname(fd,
	    reinterpret_cast<sockaddr *>(&at), &size) != 0)
		_exit(1);
	return fd;
}

int
connect_to(const sockaddr_storage &at, socklen_t size)
{
	const int fd = socket(at.ss_family, SOCK_STREAM, 0);
	if (connect(fd, reinterpret_cast<const sockaddr *>(&at), size) != 0)
		_exit(1);
	return fd;
}

// A process that has accepted a connection, and one that has not.
BOOST_TEST_DECORATOR(*needs("bpf"))
BOOST_DATA_TEST_CASE(peers_of_tcp, data::make({AF_INET, AF_INET6}), family)
{
	scene of([family = family](stage &s) {
		static int accepted, queued;
		sockaddr_storage one, two;
		socklen_t size;
		const int first = listen_on_loopback(family, one, size);
		accepted = connect_to(one, size);
		begin_process(s, 0, [first] {
			accept(first, nullptr, nullptr);
			close(first);
			close(accepted);
		});
		close(first);
		const int second = listen_on_loopback(family, two, size);
		begin_process(s, 1, [] { close(accepted); });
		close(second);
		queued = connect_to(two, size);
		act(s, 2, STACK9_WAIT_SOCKET, 0, [] { read_one(accepted); },
		    true);
		act(s, 3, STACK9_WAIT_SOCKET, 1, [] { read_one(queued); },
		    true);
		act(s, 4, STACK9_WAIT_POLL, 1, [] {
			pollfd p{queued, POLLIN, 0};
			poll(&p, 1, -1);
		}, true);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_SOCKET)
			BOOST_TEST((f.object.find(" TCP ") != f.object.npos));
}

BOOST_AUTO_TEST_CASE(peers_of_unix_sockets, *needs("bpf"))
{
	scene of([](stage &s) {
		static int pair[2], queued, listener, datagrams[2];
		sockaddr_un at{AF_UNIX, {}};
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 ||
		    socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams) != 0)
			_exit(1);
		listener = socket(AF_UNIX, SOCK_STREAM, 0);
		std::snprintf(at.sun_path + 1, sizeof at.sun_path - 1,
		    "stack9-waits-%d", getpid());
		if (bind(listener, reinterpret_cast<sockaddr *>(&at),
		    sizeof at) != 0 || listen(listener, 5) != 0)
			_exit(1);
		begin_process(s, 0, [] {
			close(listener);
			close(pair[0]);
			close(datagrams[0]);
		});
		begin_process(s, 1, [] {
			close(pair[0]);
			close(pair[1]);
			close(datagrams[1]);
		});
		close(pair[1]);
		close(listener);
		close(datagrams[1]);
		queued = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(queued, reinterpret_cast<sockaddr *>(&at),
		    sizeof at) != 0)
			_exit(1);
		act(s, 2, STACK9_WAIT_SOCKET, 0, [] { read_one(pair[0]); },
		    true);
		act(s, 3, STACK9_WAIT_SOCKET, 1, [] { read_one(queued); },
		    true);
		act(s, 4, STACK9_WAIT_SOCKET, 0,
		    [] { read_one(datagrams[0]); }, true);
		act(s, 5, STACK9_WAIT_SOCKET, 0, [] {
			for (char block[4096]{};;)
				write(pair[0], block, sizeof block);
		}, true);
	});
	check_scene(of);
}

// Its sockets are in a network namespace that is not ours.
BOOST_AUTO_TEST_CASE(peers_in_another_network, *needs("root"))
{
	scene of([](stage &s) {
		static int pair[2];
		if (unshare(CLONE_NEWNET) != 0 ||
		    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
			_exit(1);
		act(s, 0, STACK9_WAIT_SOCKET, -1, [] { read_one(pair[0]); });
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_SOCKET) {
			BOOST_TEST((f.reason.find("network namespace") !=
			    f.reason.npos));
			BOOST_TEST((f.object.find("UNIX") != f.object.npos));
		}
}

void
lock_range(int fd, int command, off_t from, off_t length)
{
	struct flock l{};
	l.l_type = F_WRLCK;
	l.l_start = from;
	l.l_len = length;
	fcntl(fd, command, &l);
}

// Processes that have the lock: by POSIX, by open file descriptions, and one
// that has inherited a descriptor of a process that is dead.
BOOST_AUTO_TEST_CASE(locks_of_files, *needs("bpf"))
{
	scene of([](stage &s) {
		static char file[] = "/tmp/stack9-waits-XXXXXX";
		static int fds[3];
		fds[0] = mkstemp(file);
		fds[1] = open(file, O_RDWR);
		fds[2] = open(file, O_RDWR);
		begin_process(s, 0, [] {
			lock_range(open(file, O_RDWR), F_SETLK, 0, 100);
		});
		begin_process(s, 1, [] {
			lock_range(open(file, O_RDWR), F_OFD_SETLK, 200, 100);
		});
		if (fork() == 0) {
			const int fd = open(file, O_RDWR);
			flock(fd, LOCK_EX);
			begin_process(s, 2,
			    [] { prctl(PR_SET_PDEATHSIG, 0); });
			_exit(0);
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 3)
			usleep(100);
		act(s, 3, STACK9_WAIT_FILE_LOCK, 0,
		    [] { lock_range(fds[0], F_SETLKW, 50, 10); }, true);
		act(s, 4, STACK9_WAIT_FILE_LOCK, 1,
		    [] { lock_range(fds[1], F_OFD_SETLKW, 250, 0); }, true);
		act(s, 5, STACK9_WAIT_FLOCK, 2,
		    [] { flock(fds[2], LOCK_SH); }, true);
		act(s, 6, STACK9_WAIT_FILE_LOCK, 0,
		    [] { lock_range(fds[0], F_SETLKW, 40, 30); }, true);
		usleep(50000);
		unlink(file);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_FILE_LOCK)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

// Without the lock of the position, if it is a file.
void
write_to(int fd, const void *from, std::size_t size)
{
	if (pwrite(fd, from, size, 0) < 0 && errno == ESPIPE)
		write(fd, from, size);
}

// A thread waits for a mutex of the C library, its owner for a lock of the
// kernel, and the owner of that one for a page that nobody brings.
BOOST_TEST_DECORATOR(*needs("root"))
BOOST_DATA_TEST_CASE(from_a_mutex_to_a_page, data::make({0, 1}), by_file)
{
	// Two of these at a time would wait for each other's end.
	const int alone = open("/tmp/stack9-userfaultfd.lock",
	    O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	flock(alone, LOCK_EX);
	scene of([by_file = by_file](stage &s) {
		static int fds[2];
		static void *page;
		static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		char file[] = "/dev/shm/stack9-waits-XXXXXX";
		page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		const auto uffd = static_cast<int>(syscall(SYS_userfaultfd,
		    O_CLOEXEC));
		uffdio_api api{UFFD_API, 0, 0};
		uffdio_register all{{reinterpret_cast<std::uintptr_t>(page),
		    4096}, UFFDIO_REGISTER_MODE_MISSING, 0};
		if (ioctl(uffd, UFFDIO_API, &api) != 0 ||
		    ioctl(uffd, UFFDIO_REGISTER, &all) != 0 ||
		    pipe(fds) != 0)
			_exit(1);
		if (by_file) {
			fds[1] = mkstemp(file);
			unlink(file);
		}
		const int lock = by_file ? STACK9_WAIT_KERNEL_WRITE :
		    STACK9_WAIT_KERNEL_MUTEX;
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_USERFAULTFD, 0,
		    [] { write_to(fds[1], page, 100); }, true);
		usleep(100000);
		const bool knows = tells_locks();
		act(s, 2, knows ? lock : -1, knows ? 1 : -1, [] {
			pthread_mutex_lock(&m);
			write_to(fds[1], "x", 1);
		});
		usleep(100000);
		act(s, 3, STACK9_WAIT_MUTEX, 2,
		    [] { pthread_mutex_lock(&m); });
		act(s, 4, STACK9_WAIT_USERFAULTFD, 0, [] {
			*static_cast<volatile char *>(page) = 1;
		}, true);
	});
	check_scene(of);
	close(alone);
}

// The kernel answers a question about loopback with a lock of all networks
// held, and the answer goes to a page that nobody brings.
void
ask_ethtool(char *answer)
{
	ifreq r{};
	std::snprintf(r.ifr_name, sizeof r.ifr_name, "lo");
	r.ifr_data = answer;
	const std::uint32_t command = ETHTOOL_GLINK;
	std::memcpy(answer, &command, sizeof command);
	ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCETHTOOL, &r);
}

// Kernels that are built without CONFIG_KALLSYMS_ALL list functions only.
bool
lists(const std::string &variable)
{
	std::ifstream in("/proc/kallsyms");
	for (std::string line; std::getline(in, line);)
		if (line.ends_with(" " + variable))
			return true;
	return false;
}

// A lock that is a variable of the kernel has its name.
BOOST_AUTO_TEST_CASE(the_name_of_a_kernel_lock, *needs("root"))
{
	const int alone = open("/tmp/stack9-userfaultfd.lock",
	    O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	flock(alone, LOCK_EX);
	scene of([](stage &s) {
		static char *pages, own[16];
		pages = static_cast<char *>(mmap(nullptr, 8192, PROT_READ |
		    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
		const auto uffd = static_cast<int>(syscall(SYS_userfaultfd,
		    O_CLOEXEC));
		uffdio_api api{UFFD_API, 0, 0};
		uffdio_register second{{reinterpret_cast<std::uintptr_t>(pages)
		    + 4096, 4096}, UFFDIO_REGISTER_MODE_MISSING, 0};
		if (ioctl(uffd, UFFDIO_API, &api) != 0 ||
		    ioctl(uffd, UFFDIO_REGISTER, &second) != 0)
			_exit(1);
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_USERFAULTFD, 0,
		    [] { ask_ethtool(pages + 4092); }, true);
		usleep(50000);
		act(s, 2, tells_locks() ? STACK9_WAIT_KERNEL_MUTEX : -1,
		    tells_locks() ? 1 : -1, [] { ask_ethtool(own); });
	});
	const all_found all = check_scene(of);
	if (tells_locks())
		BOOST_TEST(all.at(of.get().actors[2].tid).place ==
		    (lists("rtnl_mutex") ? "rtnl_mutex" : ""));
	close(alone);
}

BOOST_AUTO_TEST_CASE(the_child_of_vfork, *needs("bpf"))
{
	scene of([](stage &s) {
		static stage *here;
		here = &s;
		act(s, 0, STACK9_WAIT_VFORK, 1, [] {
			if (vfork() == 0) {
				note(*here, 1, STACK9_WAIT_SIGNAL, -1);
				for (;;)
					pause();
			}
		});
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 2)
			usleep(100);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_VFORK)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

// Numbers in memory and in arguments are of the process's own pid namespace.
BOOST_AUTO_TEST_CASE(a_nested_pid_namespace, *needs("root"))
{
	scene of([](stage &s) {
		static auto *const m = static_cast<pthread_mutex_t *>(mmap(
		    nullptr, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0));
		static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
		static pid_t child;
		pthread_mutexattr_t a;
		pthread_mutexattr_init(&a);
		pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
		pthread_mutex_init(m, &a);
		if (fork() == 0) {	// of the outer namespace
			while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 4)
				usleep(100);
			note(s, 4, STACK9_WAIT_MUTEX, 0);
			pthread_mutex_lock(m);
		}
		if (unshare(CLONE_NEWPID) != 0)
			_exit(1);
		if (fork() == 0) {
			act(s, 0, STACK9_WAIT_SIGNAL, -1, [] {
				pthread_mutex_lock(m);
				pthread_mutex_lock(&own);
			});
			usleep(50000);
			child = fork();
			if (child == 0) {
				note(s, 1, STACK9_WAIT_MUTEX, 0);
				pthread_mutex_lock(m);
			}
			while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 2)
				usleep(100);
			act(s, 2, STACK9_WAIT_MUTEX, 0,
			    [] { pthread_mutex_lock(&own); });
			act(s, 3, STACK9_WAIT_CHILD, 1,
			    [] { waitpid(child, nullptr, 0); });
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 5)
			usleep(100);
	});
	check_scene(of);
}

} // namespace
