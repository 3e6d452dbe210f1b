// Measures the time of single captures.  A fence keeps two of them from
// overlapping in the core: reading one stack again and again allows that, and
// no program's work does.  The cost of reading the CPU's tick counter is taken
// off.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <time.h>

constexpr double budget_ns = 60e6;	// for one figure

inline double
now_ns()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<double>(t.tv_sec) * 1e9 +
	    static_cast<double>(t.tv_nsec);
}

// The CPU time of the calling thread, without the machine's other work.
inline double
cpu_ns()
{
	timespec t{};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return static_cast<double>(t.tv_sec) * 1e9 +
	    static_cast<double>(t.tv_nsec);
}

inline void
fence()
{
#if defined(__x86_64__)
	asm volatile("lfence" ::: "memory");
#elif defined(__aarch64__)
	asm volatile("dsb ish\n\tisb" ::: "memory");
#else
#error "a fence for this CPU"
#endif
}

// Everything before has been done, nothing after has begun.
inline std::uint64_t
ticks()
{
	fence();
#if defined(__x86_64__)
	const std::uint64_t t = __builtin_ia32_rdtsc();
#else
	std::uint64_t t;
	asm volatile("mrs %0, cntvct_el0" : "=r"(t));
#endif
	fence();
	return t;
}

// Nanoseconds between two ticks(), less what two ticks() cost.
class tick_clock {
public:
	tick_clock()
	{
		const double from = now_ns();
		const std::uint64_t first = ticks();
		std::vector<std::uint64_t> empty;
		while (empty.size() < 1000 || now_ns() - from < 5e6) {
			const std::uint64_t begin = ticks();
			empty.push_back(ticks() - begin);
		}
		ns_ = (now_ns() - from) / static_cast<double>(ticks() - first);
		std::nth_element(empty.begin(),
		    empty.begin() + empty.size() / 2, empty.end());
		cost_ = static_cast<double>(empty[empty.size() / 2]);
	}

	double
	ns(std::uint64_t begin, std::uint64_t end) const
	{
		return (static_cast<double>(end - begin) - cost_) * ns_;
	}

private:
	double	ns_;
	double	cost_;
};

// The lowest mean of a round of figures: an interrupt spoils one round.
class rounds {
public:
	explicit rounds(unsigned each) : each_(each) {}

	void
	add(double ns)
	{
		sum_ += ns;
		if (++count_ % each_ != 0)
			return;
		lowest_ = std::min(lowest_, sum_ / each_);
		sum_ = 0;
	}

	// A few whole rounds at least, and for as long as a figure may take.
	bool
	enough() const
	{
		return count_ >= 4 * each_ && count_ % each_ == 0 &&
		    now_ns() - begin_ > budget_ns;
	}

	double lowest() const { return lowest_; }

private:
	unsigned	each_;
	unsigned	count_ = 0;
	double		sum_ = 0;
	double		lowest_ = std::numeric_limits<double>::infinity();
	double		begin_ = now_ns();
};

// The same, of something that is done back to back:
//	do
//		for (unsigned i = 0; i < b.times(); i++)
//			...
//	while (b.go_on());
// of which the first batch warms up.
class batches {
public:
	unsigned times() const { return times_; }

	bool
	go_on()
	{
		const double now = now_ns();
		if (begin_ == 0)
			end_ = now + budget_ns;
		else if (now - begin_ < 50e3)
			times_ *= 2;
		else
			lowest_ = std::min(lowest_, (now - begin_) / times_);
		begin_ = now;
		return now < end_;
	}

	double lowest() const { return lowest_; }

private:
	unsigned	times_ = 16;
	double		begin_ = 0;
	double		end_ = 0;
	double		lowest_ = std::numeric_limits<double>::infinity();
};
