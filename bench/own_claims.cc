// Checks the figures against the claims.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_claims.h"

#include <fmt/format.h>

namespace {

struct limits {
	unsigned	frames;
	double		floor = none;
	double		goal = none;
};

// Without frame pointers, and with them.
question
plain(const char *peer, const char *row, unsigned frames)
{
	return {"own_worker", peer, row, frames};
}

question
pointers(const char *peer, const char *row, unsigned frames)
{
	return {"own_worker_fp", peer, row, frames};
}

using build = question(const char *, const char *, unsigned);

// An unchanged stack, at each depth.
std::vector<claim>
by_depth(build of_ours, build of_peer, const char *peer,
    const std::vector<limits> &depths)
{
	std::vector<claim> all;
	for (const auto &[frames, floor, goal] : depths)
		all.push_back({fmt::format("{} frames", frames),
		    of_ours("stack9", "unchanged", frames),
		    of_peer(peer, "unchanged", frames), floor, goal});
	return all;
}

// The same row for both.
claim
both(const char *name, const char *peer, const char *row, unsigned frames,
    double floor = none, double goal = none)
{
	return {name, plain("stack9", row, frames), plain(peer, row, frames),
	    floor, goal};
}

std::vector<claims>
unchanged()
{
	return {
		{"times as fast as unw_backtrace, unchanged stack",
		    measure::faster, by_depth(plain, plain, "libunwind",
		    {{8, 3.5, 4}, {18, 5, 6}, {32, 6, 8}, {127, 9, 12},
		    {1000}})},
		{"times the time of a frame-pointer loop in code that has them",
		    measure::slower, by_depth(plain, pointers, "loop",
		    {{8, 1.9, 1.7}, {18, 1.2, 1.0}, {32, 0.95, 0.75},
		    {127, 0.6, 0.5}, {1000, 0.35, 0.3}})},
		{"both in code that has frame pointers: times as fast as "
		    "unw_backtrace", measure::faster, by_depth(pointers,
		    pointers, "libunwind", {{8}, {18}, {32}, {127}, {1000}})},
		{"... times the time of the loop", measure::slower,
		    by_depth(pointers, pointers, "loop",
		    {{8}, {18}, {32}, {127}, {1000}})},
		{"times as fast as those without a cache, 32 frames",
		    measure::faster, {
			both("glibc's backtrace()", "glibc", "unchanged", 32,
			    80, 100),
			both("libgcc's _Unwind_Backtrace()", "libgcc",
			    "unchanged", 32, 80, 100),
		}},
	};
}

std::vector<claims>
varied()
{
	return {
		{"times as fast as unw_backtrace, stacks that differ",
		    measure::faster, {
			both("97 frames, 27 of them new", "libunwind",
			    "changing", 97, 3.5, 4),
			both("97 frames, 7 of them new", "libunwind",
			    "changing-less", 97, 3.5, 4),
			both("32 frames, 8 paths in turn", "libunwind",
			    "eight-paths", 32, 1.8, 3.5),
			both("32 frames, 1000 paths in turn", "libunwind",
			    "many-paths", 32, 1.8),
			both("32 frames, 2 stacks in turn", "libunwind",
			    "two-stacks", 32),
			both("32 frames, 8 stacks in turn", "libunwind",
			    "eight-stacks", 32),
			both("... 2 that are told", "libunwind",
			    "two-told", 32, 1.8, 3.5),
			both("... 8 that are told", "libunwind",
			    "eight-told", 32, 1.8, 3.5),
		}},
		{"in a signal handler: times the time outside, 32 frames",
		    measure::slower, {
			{"stack9", plain("stack9", "handler", 32),
			    plain("stack9", "alone", 32), 4.5, 1.3},
			{"unw_backtrace", plain("libunwind", "handler", 32),
			    plain("libunwind", "alone", 32)},
		}},
		{"never-seen pcs, 64 a capture: times the time of",
		    measure::slower, {
			both("libgcc's _Unwind_Backtrace()", "libgcc",
			    "never-seen", 64, 1),
			both("unw_backtrace", "libunwind", "never-seen", 64),
		}},
	};
}

std::vector<claims>
threads()
{
	return {
		{"a new thread's first capture, 32 frames of known pcs: us",
		    measure::us, {
			both("against unw_backtrace", "libunwind",
			    "first-of-thread", 32, 2.5, 1),
			both("against _Unwind_Backtrace()", "libgcc",
			    "first-of-thread", 32),
		}},
		{"memory that a thread's first capture takes: KiB",
		    measure::kib, {
			both("against unw_backtrace", "libunwind",
			    "bytes-of-thread", 32, none, 4),
		}},
		{"two threads at once: times the time of one, 32 frames",
		    measure::slower, {
			{"stack9", plain("stack9", "two-threads", 32),
			    plain("stack9", "one-thread", 32), 1.05},
			{"unw_backtrace", plain("libunwind", "two-threads", 32),
			    plain("libunwind", "one-thread", 32)},
		}},
	};
}

} // namespace

std::vector<claims>
own_claims()
{
	std::vector<claims> all = unchanged();
	for (const auto &more : {varied(), threads()})
		all.insert(all.end(), more.begin(), more.end());
	return all;
}
