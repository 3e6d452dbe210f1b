// Runs a process with a thread in each of many blocking calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "blocked.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "victim.h"

namespace {

thread_local seat *mine;
bool ipc_is_own;

std::vector<blocking_call>
all_calls()
{
	auto all = calls_of_files();
	for (auto more : {calls_of_sockets, calls_of_others}) {
		const auto some = more();
		all.insert(all.end(), some.begin(), some.end());
	}
	return all;
}

[[noreturn]] void
seat_all(const std::vector<blocking_call> &calls, seat *seats)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ipc_is_own = unshare(CLONE_NEWIPC) == 0 ||
	    unshare(CLONE_NEWUSER | CLONE_NEWIPC) == 0;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, nullptr);
	for (const blocking_call &c : calls)
		std::thread([&c, s = seats++] {
			mine = s;
			c.sit();
		}).detach();
	for (;;)
		pause();
}

bool
blocks(pid_t tid)
{
	const char state = state_of(tid);
	return state == 'S' || state == 'D';	// D: vfork(2)
}

std::size_t
size_of(std::size_t seats)
{
	return seats * sizeof(seat);
}

} // namespace

seat &
own_seat()
{
	return *mine;
}

bool
own_ipc()
{
	return ipc_is_own;
}

void
cannot_sit()
{
	mine->cannot = errno != 0 ? errno : EOPNOTSUPP;
}

blocked::blocked()
{
	const auto calls = all_calls();
	shared_ = mmap(nullptr, size_of(calls.size()), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared_ == MAP_FAILED)
		abort();
	seat *const seats = static_cast<seat *>(shared_);
	std::uninitialized_value_construct_n(seats, calls.size());
	pid_ = fork();
	if (pid_ == 0)
		seat_all(calls, seats);
	for (std::size_t i = 0; i < calls.size(); i++) {
		const seat &s = seats[i];
		while (s.tid == 0 && s.cannot == 0)
			sched_yield();
		if (s.cannot == 0)
			all_.push_back({calls[i], s.tid, &s});
		else
			fmt::print("without {}: {}\n", calls[i].name,
			    std::strerror(s.cannot));
	}
	settle();
}

blocked::~blocked()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, __WALL);
}

void
blocked::settle() const
{
	for (const occupant &o : all_)
		while (!blocks(o.tid))
			sched_yield();
}

std::string
blocked::returned() const
{
	std::string text;
	for (const occupant &o : all_)
		if (o.returned())
			fmt::format_to(std::back_inserter(text), "{}: {}; ",
			    o.call.name, std::strerror(o.place->error));
	return text;
}
