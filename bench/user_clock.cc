// Runs the clock thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_clock.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

// Shorter ones are not asked about: asking takes microseconds.
constexpr std::uint64_t asked_ns = 20'000;

std::uint64_t
clock_ns()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
	    static_cast<std::uint64_t>(t.tv_nsec);
}

void
futex(std::atomic<std::uint32_t> &word, int what, std::uint32_t value)
{
	syscall(SYS_futex, &word, what, value, nullptr, nullptr, 0);
}

// How long the calling thread has waited for a CPU in its life: the second
// number of its schedstat.  0 where there is none.
class waited {
public:
	waited()
	    : fd_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

	std::uint64_t
	since_last()
	{
		char text[96] = "";
		unsigned long long ran = 0, now = last_;
		if (pread(fd_, text, sizeof text - 1, 0) > 0)
			std::sscanf(text, "%llu %llu", &ran, &now);
		const std::uint64_t more = now - last_;
		last_ = now;
		return more;
	}

private:
	int			fd_;
	unsigned long long	last_ = 0;
};

class window {
public:
	explicit window(clock_page &p) : page_(p) { page_.slices = 0; }

	// The clock was read at these two times, one after the other.
	void
	add(std::uint64_t from, std::uint64_t to, std::uint64_t gap)
	{
		for (;;) {
			largest_ = std::max(largest_, gap);
			if (to < slice_end(from))
				return;
			close_slice();
		}
	}

	void
	close_slice()
	{
		if (page_.slices < slices_max)
			page_.gap_ns[page_.slices++] = largest_;
		largest_ = 0;
		end_ += slice_ns;
	}

private:
	std::uint64_t
	slice_end(std::uint64_t from)
	{
		if (end_ == 0)
			end_ = from + slice_ns;
		return end_;
	}

	clock_page	&page_;
	std::uint64_t	largest_ = 0;
	std::uint64_t	end_ = 0;
};

void
watch(clock_page &p, std::uint32_t go, waited &w)
{
	window all(p);
	w.since_last();
	std::uint64_t last = clock_ns();
	while (p.go.load(std::memory_order_relaxed) == go) {
		const std::uint64_t now = clock_ns();
		std::uint64_t gap = now - last;
		if (gap > asked_ns)
			gap -= std::min(gap, w.since_last());
		all.add(last, now, gap);
		last = gap > asked_ns || now - last > asked_ns ? clock_ns() :
		    now;
	}
	all.close_slice();
}

} // namespace

clock_page *
map_clock_page(int fd)
{
	void *const at = mmap(nullptr, sizeof(clock_page),
	    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? nullptr : static_cast<clock_page *>(at);
}

void
run_clock(clock_page &p)
{
	waited w;
	for (;;) {
		const std::uint32_t go = p.go.load();
		p.going.store(go);
		if (go % 2 == 0)
			futex(p.go, FUTEX_WAIT, go);
		else
			watch(p, go, w);
	}
}

static void
turn(clock_page &p)
{
	const std::uint32_t go = p.go.fetch_add(1) + 1;
	futex(p.go, FUTEX_WAKE, INT_MAX);
	while (p.going.load() != go)
		sched_yield();
}

void
start_window(clock_page &p)
{
	turn(p);
}

void
end_window(clock_page &p)
{
	turn(p);
}
