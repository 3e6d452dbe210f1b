// Captures threads that are born and die by the thousand, execute other
// programs and get the tids of others: every stack is that of the thread that
// was asked for, by the mark that it carries.  It takes 6 seconds, or 10
// minutes with STACK9_LONG.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sched.h>
#include <stack9.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judged.h"
#include "mounts.h"
#include "require.h"

namespace {

using steady = std::chrono::steady_clock;

void
one_by_one(pid_t first, const std::atomic<bool> &end, unsigned int seed,
    tally &t)
{
	std::minstd_rand dice(seed);
	stack9_save_options options{};
	options.size = sizeof options;
	while (!end) {
		stack9_thread td{};
		const pid_t tid = first + static_cast<pid_t>(dice() % 64);
		if (dice() % 4 == 0)
			td = {tid, 0, 0};
		else if (stack9_thread_find(tid, &td) != 0)
			continue;
		if (td.pid == getpid())
			continue;
		stack9_sample *s = nullptr;
		const int error = stack9_save(&td, STACK9_BOTH, &options, &s);
		if (s == nullptr)
			t.fault(fmt::format("no sample: {}", error));
		else
			judge(*s, td, t);
		stack9_sample_close(s);
	}
}

struct pass {
	tally	&t;
	pid_t	pid;
};

void
in_passes(pid_t pid, const std::atomic<bool> &end, tally &t)
{
	const stack9_thread td{pid, pid, 0};
	pass p{t, pid};
	while (!end) {
		const int error = stack9_each(&td, STACK9_BOTH, nullptr,
		    [](void *to, const stack9_sample *s) {
			pass &in = *static_cast<pass *>(to);
			if (s->thread.pid != in.pid)
				in.t.fault("a thread of another process");
			judge(*s, {}, in.t);
			return 0;
		}, &p);
		t.count("passes");
		if (error != 0)
			t.fault(fmt::format("a pass: {}", stack9_reason()));
	}
}

// A file of this pid namespace alone: the next tid is the one after.
void
turn_back(pid_t to)
{
	std::ofstream("/proc/sys/kernel/ns_last_pid") << to;
}

// A crowd, killed when it goes.
class crowd {
public:
	crowd()
	{
		int ready[2];
		const int page = memfd_create("births", 0);
		BOOST_REQUIRE((page >= 0 && ftruncate(page, 4096) == 0 &&
		    pipe(ready) == 0));
		births_ = static_cast<std::atomic<unsigned long> *>(mmap(
		    nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, page,
		    0));
		pid_ = fork();
		if (pid_ == 0) {
			const std::string fd = std::to_string(ready[1]),
			    counts = std::to_string(page);
			execl(CROWD, CROWD, fd.c_str(), counts.c_str(),
			    nullptr);
			_exit(1);
		}
		char c;
		close(page);
		close(ready[1]);
		BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
		close(ready[0]);
	}
	~crowd()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
		munmap(births_, 4096);
	}
	crowd(const crowd &) = delete;
	crowd &operator=(const crowd &) = delete;

	pid_t pid() const { return pid_; }
	unsigned long births() const { return *births_; }

private:
	std::atomic<unsigned long>	*births_;
	pid_t				pid_;
};

bool
storm(const char *routes, double seconds)
{
	BOOST_TEST_REQUIRE(stack9_force(routes) == 0, routes);
	const crowd many;
	const pid_t pid = many.pid();
	tally t;
	std::atomic<bool> end{false};
	const pid_t first = pid + 8;
	std::vector<std::thread> all;
	for (unsigned int i = 1; i <= 2; i++)
		all.emplace_back([&, i] { one_by_one(first, end, i, t); });
	all.emplace_back([&] { in_passes(pid, end, t); });
	const auto until = steady::now() +
	    std::chrono::duration<double>(seconds);
	while (steady::now() < until) {
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		turn_back(first);
	}
	end = true;
	for (std::thread &one : all)
		one.join();
	fmt::print("{:.0f} births a second, routes {}:\n",
	    static_cast<double>(many.births()) / seconds,
	    *routes == '\0' ? "all" : routes);
	return t.tell();
}

double
seconds_each()
{
	const char *const wish = std::getenv("STACK9_STORM_SECONDS");
	return (wish != nullptr ? std::atof(wish) : rounds(600, 6)) / 4;
}

} // namespace

// The first process of a namespace has the tids for itself, and may reuse them.
BOOST_AUTO_TEST_CASE(no_stack_of_the_wrong_thread, *needs("mounts")
    * needs("bpf") * boost::unit_test::description(
    "Names a thread for good: a tid may be reused, but not with the same "
    "start"))
{
	BOOST_TEST_REQUIRE(unshare(CLONE_NEWPID) == 0);
	const pid_t init = fork();
	if (init == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!own_mounts() ||
		    mount("proc", "/proc", "proc", 0, nullptr) != 0)
			_exit(77);
		bool right = true;
		for (const char *routes : {"", "user-iter,iter-tid,iter,ipi",
		    "procfs,user-syscall", "procfs,ptrace"})
			right = storm(routes, seconds_each()) && right;
		std::fflush(nullptr);
		_exit(right ? 0 : 1);
	}
	int status = -1;
	waitpid(init, &status, 0);
	BOOST_TEST(status == 0);
}
