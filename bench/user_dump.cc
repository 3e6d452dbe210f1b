// Times whole dumps of a process's user stacks, each in a fresh program,
// against eu-stack, gdb and a loop over libunwind-ptrace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "benches.h"
#include "bpffs.h"
#include "statistics.h"
#include "user_tool.h"

namespace {

// The first two time the clock while nobody looks; then come ours, then peers.
enum which : std::size_t {
	idle, busy, pinned, plain, both_pinned, both, stopping, eu_stack, gdb,
	libunwind, tools
};

std::vector<user_tool>
all_tools(const std::string &stackprint, const std::string &bpffs)
{
	std::vector<user_tool> all(tools);
	all[idle] = {"nobody looks", {"idle", "20"}};
	all[busy] = {"a neighbour is busy", {"busy", "20"}};
	// Without a bpffs stackprint refuses it and says so.
	const std::string dir = bpffs.empty() ? "/dev" : bpffs;
	all[pinned] = {"stackprint -u, pinned",
	    {stackprint, "--pin", dir, "-u", "-p", "PID"}};
	all[plain] = {"stackprint -u", {stackprint, "-u", "-p", "PID"}};
	all[both_pinned] = {"stackprint, both sides, pinned",
	    {stackprint, "--pin", dir, "-p", "PID"}};
	all[both] = {"stackprint, both sides", {stackprint, "-p", "PID"}};
	all[stopping] = {"stackprint -u --stop",
	    {stackprint, "-u", "--stop", "-p", "PID"}};
	all[eu_stack] = {"eu-stack", {"eu-stack", "-p", "PID"}};
	all[gdb] = {"gdb, thread apply all bt", {"gdb", "-nx", "-batch", "-ex",
	    "set pagination off", "-ex", "thread apply all bt", "-p", "PID"}};
	all[libunwind] = {"libunwind-ptrace",
	    {beside("unwind_ptrace_dump"), "PID"}};
	return all;
}

void
print_row(const user_tool &tool, const user_runs &r)
{
	if (r.wall_us.empty()) {
		fmt::print("  {:<31} none: {}\n", tool.name,
		    r.status < 0 ? "could not be run" : fmt::format(
		    "it ended with status {:#x} and named nothing", r.status));
		return;
	}
	const bool looks = tool.command.back() == "PID";
	const auto only = [&](double value) {
		return looks ? fmt::format("{:.1f}", value) : std::string("-");
	};
	fmt::print("  {:<31} {:>8} {:>8} {:>8} {:>6} {:>8.3f} {:>8.3f} "
	    "{:>7.1f} {:>6} {:>4}\n", tool.name,
	    only(median(r.wall_us) / 1e3), only(lowest(r.wall_us) / 1e3),
	    only(median(r.cpu_us) / 1e3),
	    only(static_cast<double>(r.rss_kib) / 1024),
	    median(r.largest_ns) / 1e6, percentile(r.largest_ns, 99) / 1e6,
	    percentile(r.slice_ns, 99) / 1e3,
	    looks ? std::to_string(r.named) : "-", r.wall_us.size());
}

struct promise {
	which	ours, peer;
	double	times;		// at 100 threads
};

constexpr promise promises[] = {
	{pinned, eu_stack, 10},
	{plain, eu_stack, 3},
	{pinned, gdb, 50},
	{plain, gdb, 50},
	{pinned, libunwind, 0},
	{plain, libunwind, 0},
};

void
print_ratio(const std::vector<user_tool> &all,
    const std::vector<user_runs> &runs, const promise &p, unsigned threads)
{
	const user_runs &ours = runs[p.ours], &peer = runs[p.peer];
	if (ours.wall_us.empty() || peer.wall_us.empty())
		return;
	const double times = median(peer.wall_us) / median(ours.wall_us);
	const double best = lowest(peer.wall_us) / lowest(ours.wall_us);
	fmt::print("  {:<20} against {:<24} {:>6.1f} times, lowest {:>6.1f}, "
	    "cpu {:>6.1f}", all[p.ours].name, all[p.peer].name, times, best,
	    median(peer.cpu_us) / median(ours.cpu_us));
	if (threads == 100 && p.times > 0)
		fmt::print("  floor {}: {}", p.times,
		    best >= p.times ? "held" : "MISSED");
	fmt::print("\n");
}

void
print_gaps(const std::vector<user_tool> &all,
    const std::vector<user_runs> &runs)
{
	const double still = percentile(runs[idle].largest_ns, 99);
	for (const which w : {pinned, plain, both_pinned, both}) {
		const double p99 = percentile(runs[w].largest_ns, 99);
		if (!std::isnan(p99) && still > 0)
			fmt::print("  {:<31} gap's p99 {:>6.2f} times that of "
			    "nobody, floor 2: {}\n", all[w].name, p99 / still,
			    p99 <= 2 * still ? "held" : "MISSED");
	}
}

void
bench_row(const user_row &row, const std::vector<user_tool> &all,
    const patience &p)
{
	user_target t(row.threads, row.frames);
	if (!t.in_place()) {
		fmt::print("\nno target of {} threads\n", row.threads);
		return;
	}
	const auto runs = run_in_turns(t, all, p);
	fmt::print("\n{} threads asleep, {} frames of the target's own in "
	    "each\n  {:<31} {:>8} {:>8} {:>8} {:>6} {:>8} {:>8} {:>7} {:>6} "
	    "{:>4}\n", row.threads, row.frames, "", "wall, ms", "lowest",
	    "cpu, ms", "MiB", "gap, ms", "p99", "any, us", "named", "runs");
	for (std::size_t i = 0; i < all.size(); i++)
		print_row(all[i], runs[i]);
	for (const promise &r : promises)
		print_ratio(all, runs, r, row.threads);
	print_gaps(all, runs);
}

} // namespace

void
bench_user_dump(const char *stackprint, const std::vector<user_row> &rows,
    bool quick)
{
	std::string why;
	const std::string bpffs = private_bpffs(why);
	fmt::print("\nuser stacks of another process, a fresh program for each "
	    "dump\nwall: from before it is started to after it is reaped.  "
	    "gap: the longest that a clock\nthread of the target saw in a "
	    "dump, median and p99 of the dumps.  any: of all tenths of\na "
	    "millisecond of all dumps, the p99 of the longest gap in each.  "
	    "named: lines that name\na function of the target's{}{}\n",
	    why.empty() ? "" : "\n", why);
	const patience p = quick ? patience{2e5, 1, 7} : patience{2e6, 2, 101};
	for (const user_row &row : rows)
		bench_row(row, all_tools(stackprint, bpffs), p);
}
