// Prints what a capture costs the caller, and for how long it holds a thread of
// the target.  It asserts nothing.  The least of many is what the machine can
// do; the median is what it did.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

#include <sys/mman.h>

#include "take.h"

namespace {

using clock_type = std::chrono::steady_clock;

double
now_us()
{
	return std::chrono::duration<double, std::micro>(
	    clock_type::now().time_since_epoch()).count();
}

// A process that reads the clock all the time, next to sleepers.
class watcher {
public:
	explicit watcher(int sleepers)
	{
		void *const p = mmap(nullptr, sizeof *seen_, PROT_READ |
		    PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		seen_ = static_cast<seen *>(p);
		pid_ = fork();
		if (pid_ == 0)
			watch(sleepers);
		while (seen_->rounds == 0)
			sched_yield();
	}
	~watcher()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
		munmap(seen_, sizeof *seen_);
	}

	pid_t pid() const { return pid_; }

	// The longest time that it did not see pass, while f ran.
	double
	gap(const std::function<void()> &f) const
	{
		go_on();
		seen_->longest = 0;
		f();
		go_on();
		return seen_->longest;
	}

private:
	struct seen {
		std::atomic<std::uint64_t>	rounds;
		std::atomic<double>		longest;
	};

	[[noreturn]] void
	watch(int sleepers) const
	{
		for (int i = 0; i < sleepers; i++)
			std::thread([] {
				for (;;)
					pause();
			}).detach();
		for (double last = now_us();;) {
			const double t = now_us();
			if (t - last > seen_->longest)
				seen_->longest = t - last;
			last = t;
			seen_->rounds++;
		}
	}
	void
	go_on() const
	{
		const std::uint64_t n = seen_->rounds + 3;
		while (seen_->rounds < n)
			;
	}

	seen	*seen_;
	pid_t	pid_;
};

void
print(const char *what, std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	std::printf("%-44s %9.1f %9.1f %9.1f us\n", what, values.front(),
	    values[values.size() / 2], values[values.size() * 99 / 100]);
}

void
measure(const char *what, const watcher &w, int times,
    const std::function<void()> &f)
{
	std::vector<double> walls, gaps;
	for (int i = 0; i < times; i++)
		gaps.push_back(w.gap([&] {
			const double before = now_us();
			f();
			walls.push_back(now_us() - before);
		}));
	std::printf("%s\n", what);
	print("    takes", walls);
	print("    longest gap of a thread of the target", gaps);
}

void
pass(stack9::user_pass_route &r, pid_t pid)
{
	r.each_copy(pid, false, [](void *, stack9::sides &) noexcept {
		return 0;
	}, nullptr);
}

} // namespace

int
main()
{
	using stack9::job;
	auto &one = route_of<job::user>(stack9::backend_ptrace);
	auto &all = route_of<job::user_each>(stack9::backend_ptrace);
	auto &asleep = route_of<job::user>(stack9::backend_procfs);
	auto &all_asleep = route_of<job::user_each>(stack9::backend_procfs);
	std::printf("%-44s %9s %9s %9s\n", "", "least", "median", "p99");
	const noted sleeper({deed::read, deed::read});
	{
		const watcher w(0);
		measure("nothing", w, 1000, [] {
			for (const double t = now_us(); now_us() - t < 50;)
				;
		});
		measure("ptrace, it", w, 1000, [&] { take(one, w.pid()); });
		measure("ptrace, a sleeper of another process", w, 1000,
		    [&] { take(one, sleeper.tid(1)); });
		measure("procfs, a sleeper of another process", w, 1000,
		    [&] { take(asleep, sleeper.tid(1)); });
	}
	for (const int n : {10, 100, 1000}) {
		const watcher w(n - 1);
		std::printf("%d threads\n", n);
		const int times = 5000 / n;
		measure("ptrace, all at one instant", w, times,
		    [&] { pass(all, w.pid()); });
		measure("procfs, all", w, times,
		    [&] { pass(all_asleep, w.pid()); });
	}
}
