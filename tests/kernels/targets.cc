// Starts the processes, and reads what /proc says of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "targets.h"

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "lib/process.h"
#include "lib/queued.h"

using lib::state_of;

// By these names their user stacks are known.
extern "C" {

[[gnu::noinline]] void
target_reads(int fd)
{
	char c;
	while (read(fd, &c, 1) != 1)
		;
}

[[gnu::noinline]] void
target_polls()
{
	while (poll(nullptr, 0, -1) <= 0)
		;
}

[[gnu::noinline]] void
target_waits()
{
	static int word = 0;
	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr);
}

[[gnu::noinline]] void
target_sleeps()
{
	const timespec long_time{100000, 0};
	for (;;)
		nanosleep(&long_time, nullptr);
}

[[gnu::noinline]] void
target_epolls()
{
	const int fd = epoll_create1(0);
	epoll_event e;
	for (;;)
		epoll_wait(fd, &e, 1, -1);
}

[[gnu::noinline]] void
target_spins(int ready)
{
	syscall(SYS_getppid);
	(void)!write(ready, "", 1);
	for (;;)
		syscall(SYS_getppid);
}

[[gnu::noinline]] void
target_naps(int ready)
{
	const timespec short_time{0, 2000000};
	nanosleep(&short_time, nullptr);
	(void)!write(ready, "", 1);
	for (;;)
		nanosleep(&short_time, nullptr);
}

}

namespace {

constexpr int sleepers = 5;	// beside the first thread

[[noreturn]] void
become(target::kind what, int ready, int input)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	std::vector<std::thread> all;
	if (what == target::kind::sleeps) {
		all.emplace_back(target_polls);
		all.emplace_back(target_waits);
		all.emplace_back(target_sleeps);
		all.emplace_back(target_epolls);
		all.emplace_back(target_polls);
	}
	if (what == target::kind::sleeps) {
		(void)!write(ready, "", 1);
		target_reads(input);
	}
	if (what == target::kind::spins)
		target_spins(ready);
	target_naps(ready);
	_exit(0);
}

} // namespace

target::target(kind what)
{
	int ready[2], input[2];
	BOOST_REQUIRE(pipe(ready) == 0);
	BOOST_REQUIRE(pipe(input) == 0);
	pid_ = fork();
	if (pid_ == 0) {
		close(input[1]);
		become(what, ready[1], input[0]);
	}
	input_ = input[1];
	char c;
	BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
	close(ready[0]);
	close(ready[1]);
	close(input[0]);
	const std::size_t many = what == kind::sleeps ? 1 + sleepers : 1;
	while (tids_.size() < many) {
		tids_.clear();
		for (const auto &e : std::filesystem::directory_iterator(
		    "/proc/" + std::to_string(pid_) + "/task"))
			tids_.push_back(std::stoi(e.path().filename()));
	}
	for (const pid_t tid : tids_)
		while (what == kind::sleeps && (state_of(tid) != 'S' ||
		    is_queued(tid) || proc_stack(tid).size() < 4))
			usleep(1000);
}

target::~target()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
	close(input_);
}

std::vector<std::string>
proc_stack(pid_t tid)
{
	std::ifstream file("/proc/" + std::to_string(tid) + "/stack");
	std::vector<std::string> all;
	for (std::string line; std::getline(file, line);) {
		const auto start = line.find("] ") + 2;
		all.push_back(line.substr(start, line.find('/', start) -
		    start));
	}
	return all;
}
