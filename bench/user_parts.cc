// Times the parts of a pass over a process's user stacks: the copies, taken by
// a route and thrown away, and their unwinding, again and again.  No other
// program sees core/seam/.
//
//	user_parts pid [quick] threads
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <unistd.h>

#include "core/seam/backend.h"
#include "core/seam/record.h"
#include "core/seam/space.h"

#include "own_clock.h"
#include "statistics.h"

namespace {

using namespace stack9;

struct copied {
	stack9_thread	td{};
	user_copy	copy;
};

struct pass {
	bool			keep = false;
	std::vector<copied>	kept;
	unsigned long		threads = 0, refused = 0, bytes = 0;
};

int
take(void *arg, sides &s) noexcept
{
	pass &p = *static_cast<pass *>(arg);
	p.threads++;
	p.refused += s.user.error != 0;
	p.bytes += s.copy.stack.bytes.size();
	if (p.keep && s.user.error == 0)
		p.kept.push_back({s.user.thread, std::move(s.copy)});
	return 0;
}

void
print_copies(user_pass_route &r, pid_t pid, bool kernel, int rounds)
{
	std::vector<double> wall, cpu;
	pass p;
	for (int i = 0; i <= rounds; i++) {
		p = pass{};
		const double begin = now_ns(), began = cpu_ns();
		if (const int error = r.each_copy(pid, kernel, take, &p)) {
			std::printf("  copies by %s: error %d\n", r.name,
			    error);
			return;
		}
		if (i != 0) {
			cpu.push_back(cpu_ns() - began);
			wall.push_back(now_ns() - begin);
		}
	}
	if (p.threads == 0)
		return;
	const double each = 1e3 * static_cast<double>(p.threads);
	std::printf("  copies alone, %-17s %8.2f us a thread, lowest %7.2f, "
	    "cpu %6.2f; %.0f bytes each, %lu refused\n",
	    kernel ? "and kernel stack" : r.name, median(wall) / each,
	    lowest(wall) / each, lowest(cpu) / each,
	    1e3 * static_cast<double>(p.bytes) / each, p.refused);
	if (!kernel)
		std::printf("    goal 5 us, of CPU: %s\n",
		    lowest(cpu) / each <= 5 ? "reached" : "MISSED");
}

struct unwound {
	unsigned long	frames = 0, whole = 0, more = 0, renew = 0;
};

unwound
unwind_all(std::vector<copied> &all, stack9_space &space)
{
	static std::uintptr_t pcs[4096];
	unwound u;
	for (copied &c : all) {
		stack_record rec{};
		rec.thread = c.td;
		rec.side = STACK9_USER;
		rec.pcs = pcs;
		rec.max = 4096;
		rec.space = &space;
		std::uint64_t wanted = 0;
		const space_walk how = walk_copy(space, c.copy, rec, wanted);
		u.frames += rec.depth;
		u.whole += how == space_walk::done &&
		    rec.why == STACK9_WHY_NONE;
		u.more += how == space_walk::wants_more;
		u.renew += how == space_walk::wants_renewal;
	}
	return u;
}

// So few that they stay in the cache, as a copy does that has just been made.
constexpr std::size_t few = 32;

void
print_unwinding(std::vector<copied> &all, int rounds)
{
	all.resize(std::min(all.size(), few));
	const double begin = cpu_ns();
	stack9_space *space = nullptr;
	if (all.empty() || space_open(all.front().td, space) != 0)
		return;
	const double opened = cpu_ns();
	unwind_all(all, *space);
	const double first = cpu_ns();
	std::vector<double> took;
	unwound u;
	for (int i = 0; i < 10 * rounds; i++) {
		const double from = cpu_ns();
		u = unwind_all(all, *space);
		took.push_back(cpu_ns() - from);
	}
	const double frames = static_cast<double>(u.frames);
	std::printf("  space_open %.2f ms; unwinding %zu copies first %.2f ms, "
	    "then %.1f ns a frame, lowest %.1f\n    %lu frames: %lu stacks "
	    "whole, %lu want more memory, %lu want to look again\n",
	    (opened - begin) / 1e6, all.size(), (first - opened) / 1e6,
	    median(took) / frames, lowest(took) / frames, u.frames, u.whole,
	    u.more, u.renew);
	space_drop(space);
}

} // namespace

int
main(int argc, char **argv)
{
	alarm(60);
	if (argc < 3)
		return 64;
	const pid_t pid = std::atoi(argv[1]);
	const int rounds = std::strcmp(argv[2], "quick") == 0 ? 5 : 31;
	pass p;
	p.keep = true;
	for (const backend *b : backends)
		for (user_pass_route *r : b->user_each) {
			if (r->can().error != 0)
				continue;
			print_copies(*r, pid, false, rounds);
			if (r->both_sides())
				print_copies(*r, pid, true, rounds);
			if (p.kept.empty())
				r->each_copy(pid, false, take, &p);
		}
	print_unwinding(p.kept, rounds);
	return 0;
}
