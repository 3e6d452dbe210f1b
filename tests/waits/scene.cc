// Makes a process whose threads know what they wait for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "scene.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_waits.h>

#include "lib/queued.h"
#include "victim.h"

scene::scene(const std::function<void(stage &)> &play)
{
	stage_ = static_cast<stage *>(mmap(nullptr, sizeof(stage),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	if (stage_ == MAP_FAILED)
		throw std::runtime_error("mmap");
	pid_ = fork();
	if (pid_ == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		try {
			play(*stage_);
		} catch (...) {
			_exit(1);
		}
		__atomic_store_n(&stage_->ready, 1, __ATOMIC_SEQ_CST);
		for (;;)
			pause();
	}
	setpgid(pid_, pid_);
	while (__atomic_load_n(&stage_->ready, __ATOMIC_SEQ_CST) == 0) {
		if (waitpid(pid_, nullptr, WNOHANG) == pid_)
			throw std::runtime_error("the scene has ended");
		usleep(1000);
	}
}

scene::~scene()
{
	kill(-pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
	munmap(stage_, sizeof(stage));
}

// The link is of the pid namespace of /proc, and so is the test.
void
note(stage &s, int number, int kind, int holder, bool by_process)
{
	char link[64]{};
	int pid = 0, tid = 0;
	if (readlink("/proc/thread-self", link, sizeof link - 1) <= 0 ||
	    std::sscanf(link, "%d/task/%d", &pid, &tid) != 2)
		_exit(1);
	s.actors[number] = {tid, pid, kind, holder, by_process};
	__atomic_add_fetch(&s.count, 1, __ATOMIC_SEQ_CST);
}

void
act(stage &s, int number, int kind, int holder, std::function<void()> f,
    bool by_process)
{
	const int before = __atomic_load_n(&s.count, __ATOMIC_SEQ_CST);
	std::thread([=, &s] {
		note(s, number, kind, holder, by_process);
		f();
		for (;;)
			pause();
	}).detach();
	while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) == before)
		usleep(100);
}

void
begin_process(stage &s, int number, const std::function<void()> &f)
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
wait_for_actors(const stage &s, int many)
{
	wait_until([&] {
		return __atomic_load_n(&s.count, __ATOMIC_SEQ_CST) >= many;
	});
}

void
wait_until(const std::function<bool()> &is_so)
{
	for (int looks = 0; looks < 60'000 && !is_so(); looks++)
		usleep(1000);
}

// A page fault of the program is such a sleep, too, in no system call.
void
wait_for_disk_sleep(pid_t tid, long call)
{
	wait_until([=] {
		return state_of(tid) == 'D' && is_in_call(tid, call);
	});
}

std::uint64_t
switches_in_proc(pid_t tid)
{
	const std::string name = "/proc/" + std::to_string(tid) + "/task/" +
	    std::to_string(tid) + "/status";
	std::ifstream in(name);
	std::uint64_t sum = 0;
	for (std::string line; std::getline(in, line);)
		if (line.find("ctxt_switches:") != line.npos)
			sum += std::stoull(line.substr(line.find(':') + 1));
	return sum;
}

bool
reports_locks()
{
	utsname u{};
	int major = 0, minor = 0;
	uname(&u);
	std::sscanf(u.release, "%d.%d", &major, &minor);
	return major * 100 + minor >= 616;
}
