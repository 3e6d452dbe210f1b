// Tests that blocking calls that are submitted return what they should.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_completed)

namespace {

// The test has these and, from its beginning, so has the process of puppets.
struct things {
	things()
	{
		if (pipe(ends) != 0 || pipe(full) != 0 ||
		    socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) != 0)
			abort();
		fcntl(full[1], F_SETFL, O_NONBLOCK);
		while (write(full[1], bytes, sizeof bytes) > 0)
			;
		fcntl(full[1], F_SETFL, 0);
		sem_init(&*semaphore, 1, 0);
		epoll_event wanted{};
		wanted.events = EPOLLIN;
		epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted);
		const std::string again = "/proc/self/fd/" +
		    std::to_string(file);
		same_file = open(again.c_str(), O_RDWR | O_CLOEXEC);
		flock(file, LOCK_EX);
	}
	~things()
	{
		for (const int fd : {ends[0], ends[1], full[0], full[1],
		    sockets[0], sockets[1], event, epoll, timer, file,
		    same_file})
			close(fd);
		semctl(set, 0, IPC_RMID);
		msgctl(queue, IPC_RMID, nullptr);
	}

	int		ends[2], full[2], sockets[2], same_file = -1;
	const int	event = eventfd(0, EFD_CLOEXEC);
	const int	epoll = epoll_create1(EPOLL_CLOEXEC);
	const int	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	const int	file = memfd_create("locked", MFD_CLOEXEC);
	const int	set = semget(IPC_PRIVATE, 1, 0600);
	const int	queue = msgget(IPC_PRIVATE, 0600);
	shared<sem_t>	semaphore;
	char		bytes[4096] = {};
};
things *all;

struct message {
	long	type = 1;
	char	byte = 'm';
};

// A deed: the call, what it returns plus 1 in word[1], or minus its errno.
template <auto call> void
report_of(puppets::strings &mine)
{
	const long result = call(mine);
	mine.word[1] = static_cast<std::uint64_t>(result < 0 ? -errno :
	    result + 1);
}

struct calling {
	const char	*name;
	puppets::deed	 deed;
	long		 result;
	void		(*wake)(puppets &);	// NULL: it ends by itself
};

void
write_a_byte(puppets &)
{
	BOOST_TEST(write(all->ends[1], "!", 1) == 1);
}

long
wait_for_child(puppets::strings &mine)
{
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	mine.word[2] = static_cast<std::uint64_t>(pid);
	int status = 0;
	return wait4(pid, &status, 0, nullptr) == pid &&
	    WTERMSIG(status) == SIGKILL ? 0 : -1;
}

long
wait_for_signal(puppets::strings &)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, nullptr);
	return sigwaitinfo(&set, nullptr);
}

long
sleep_a_little(puppets::strings &)
{
	const timespec t{0, 100000000};
	return nanosleep(&t, nullptr);
}

const calling calls[] = {
	{"read", report_of<[](puppets::strings &) {
		char c = 0;
		const long got = read(all->ends[0], &c, 1);
		return c == '!' ? got : 0;
	}>, 1, write_a_byte},
	{"poll", report_of<[](puppets::strings &) {
		pollfd p{all->ends[0], POLLIN, 0};
		return static_cast<long>(poll(&p, 1, -1));
	}>, 1, write_a_byte},
	{"epoll_wait", report_of<[](puppets::strings &) {
		epoll_event v;
		return static_cast<long>(epoll_wait(all->epoll, &v, 1, -1));
	}>, 1, write_a_byte},
	{"select", report_of<[](puppets::strings &) {
		fd_set set;
		FD_ZERO(&set);
		FD_SET(all->ends[0], &set);
		return static_cast<long>(select(all->ends[0] + 1, &set,
		    nullptr, nullptr, nullptr));
	}>, 1, write_a_byte},
	{"write", report_of<[](puppets::strings &) {
		return static_cast<long>(write(all->full[1], all->bytes, 100));
	}>, 100, [](puppets &) {
		BOOST_TEST(read(all->full[0], all->bytes, sizeof all->bytes) ==
		    static_cast<ssize_t>(sizeof all->bytes));
	}},
	{"recv", report_of<[](puppets::strings &) {
		char some[8];
		return static_cast<long>(recv(all->sockets[0], some,
		    sizeof some, 0));
	}>, 3, [](puppets &) {
		BOOST_TEST(send(all->sockets[1], "abc", 3, 0) == 3);
	}},
	{"read of an eventfd", report_of<[](puppets::strings &) {
		std::uint64_t n = 0;
		return read(all->event, &n, sizeof n) == sizeof n ?
		    static_cast<long>(n) : -1;
	}>, 5, [](puppets &) {
		const std::uint64_t n = 5;
		BOOST_TEST(write(all->event, &n, sizeof n) == 8);
	}},
	{"read of a timerfd", report_of<[](puppets::strings &) {
		std::uint64_t n = 0;
		return read(all->timer, &n, sizeof n) == sizeof n ?
		    static_cast<long>(n) : -1;
	}>, 1, [](puppets &) {
		const itimerspec soon{{0, 0}, {0, 1}};
		BOOST_TEST(timerfd_settime(all->timer, 0, &soon, nullptr) == 0);
	}},
	{"futex", [](puppets::strings &mine) { puppets::wait(mine); }, 0,
	    [](puppets &p) { p.go_on(); }},
	{"sem_wait", report_of<[](puppets::strings &) {
		return static_cast<long>(sem_wait(&*all->semaphore));
	}>, 0, [](puppets &) { sem_post(&*all->semaphore); }},
	{"semop", report_of<[](puppets::strings &) {
		sembuf down{0, -1, 0};
		return static_cast<long>(semop(all->set, &down, 1));
	}>, 0, [](puppets &) {
		sembuf up{0, 1, 0};
		BOOST_TEST(semop(all->set, &up, 1) == 0);
	}},
	{"msgrcv", report_of<[](puppets::strings &) {
		message m;
		return static_cast<long>(msgrcv(all->queue, &m, 1, 0, 0));
	}>, 1, [](puppets &) {
		const message m;
		BOOST_TEST(msgsnd(all->queue, &m, 1, 0) == 0);
	}},
	{"flock", report_of<[](puppets::strings &) {
		return static_cast<long>(flock(all->same_file, LOCK_EX));
	}>, 0, [](puppets &) {
		BOOST_TEST(flock(all->file, LOCK_UN) == 0);
	}},
	{"sigwaitinfo", report_of<wait_for_signal>, SIGUSR2, [](puppets &p) {
		BOOST_TEST(tgkill(p.pid(), p.tid(), SIGUSR2) == 0);
	}},
	{"wait4", report_of<wait_for_child>, 0, [](puppets &p) {
		kill(static_cast<pid_t>(told(p.word(2))), SIGKILL);
	}},
	{"nanosleep", report_of<sleep_a_little>, 0, nullptr},
};

// It is submitted a hundred times, from the beginning of its call on.
void
submitted_meanwhile(const calling &c)
{
	things mine;
	all = &mine;
	puppets p;
	answer a(p.pid());
	p.sleep_in(c.deed);
	std::deque<submission> held;
	for (int i = 0; i < 100; i++)
		held.emplace_back(p.tid());
	if (c.wake != nullptr) {
		wait_for_state(p.tid(), 'S');
		BOOST_TEST(p.word(1) == 0u);	// it has not returned
		for (const submission &s : held)
			BOOST_TEST(core::collect(s.id, nullptr, nullptr) ==
			    EAGAIN);
		c.wake(p);
	}
	p.settle();
	BOOST_TEST(static_cast<long>(p.word(1)) - 1 == c.result);
	if (c.wake == nullptr)
		p.wake();	// for those that came too late
	for (const submission &s : held) {
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.user.rec.why == STACK9_WHY_NONE);
	}
	BOOST_TEST(a.names().find("obey") != std::string::npos, a.names());
}

} // namespace

BOOST_AUTO_TEST_CASE(calls_return_what_they_should, *needs("bpf")
    * needs_task_work() * boost::unit_test::description(
    "No thread is stopped or woken, unless STACK9_ASYNC_WAKE asks for it"))
{
	for (const calling &c : calls)
		BOOST_TEST_CONTEXT(c.name)
			submitted_meanwhile(c);
}

BOOST_AUTO_TEST_SUITE_END()
