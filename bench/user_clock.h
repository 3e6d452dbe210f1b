// Measures the gaps that a thread of the target sees while it is captured.  It
// reads the clock without end, and a gap between two readings is time that it
// did not have.
//
// Rejected: a real-time thread.  After a second the kernel takes 50 ms from it
// for others, and a capture of a second would be blamed for that.  So the clock
// is an ordinary thread.  The kernel counts the time that it waited for a CPU,
// and that is not part of a gap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

constexpr std::uint64_t slice_ns = 100'000;
constexpr std::size_t slices_max = 1 << 18;	// 26 seconds

// In memory that the target and who measures share.
struct clock_page {
	std::atomic<std::uint32_t>	ready;	// target: threads are in place
	std::atomic<std::int32_t>	clock_tid;
	std::atomic<std::uint32_t>	go;	// odd: read the clock; futex
	std::atomic<std::uint32_t>	going;	// the go that the clock is at
	// For each slice of the last window, the longest gap that lies in
	// it, wholly or in part.
	std::uint32_t			slices;
	std::uint64_t			gap_ns[slices_max];
};

// The page of a descriptor; NULL: there is none.
clock_page *map_clock_page(int fd);

// In the target: never returns.
[[noreturn]] void run_clock(clock_page &);

// Elsewhere: the clock is running; the clock has stopped and gap_ns is whole.
void start_window(clock_page &);
void end_window(clock_page &);
