// Times whole dumps of a process's user stacks, each in a fresh program,
// against eu-stack, gdb and a loop over libunwind-ptrace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "benches.h"
#include "bpffs.h"
#include "releases.h"
#include "statistics.h"
#include "user_tool.h"

namespace {

// The first two time the clock while nobody looks; then come ours, and then the
// peers.
enum which : std::size_t {
	idle, busy, pinned, plain, both_pinned, both, stopping, first_peer
};

std::vector<user_tool>
all_tools(const std::string &stackprint, const std::string &bpffs)
{
	std::vector<user_tool> all(first_peer);
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
	for (const release &r : releases_of("eu-stack"))
		all.push_back({r.name, {r.program, "-p", "PID"}});
	for (const release &r : releases_of("gdb"))
		all.push_back({r.name + ", thread apply all bt", {r.program,
		    "-nx", "-batch", "-ex", "set pagination off", "-ex",
		    "thread apply all bt", "-p", "PID"}});
	all.push_back({"libunwind-ptrace", {beside("unwind_ptrace_dump"),
	    "PID"}});
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

// Against the newest release at 100 threads.
struct promise {
	std::string_view peer;	// the beginning of its name
	double	floor, goal;
};

constexpr promise promises[] = {
	{"eu-stack", 6, 10},
	{"gdb", 26, 50},
};

const promise *
promise_of(const std::vector<user_tool> &all, std::size_t peer)
{
	for (const promise &p : promises)
		if (all[peer].name.starts_with(p.peer) &&
		    !all[peer + 1].name.starts_with(p.peer))
			return &p;
	return nullptr;
}

void
print_ratio(const std::vector<user_tool> &all,
    const std::vector<user_runs> &runs, which mine, std::size_t theirs,
    unsigned threads)
{
	const user_runs &ours = runs[mine], &peer = runs[theirs];
	if (ours.wall_us.empty() || peer.wall_us.empty())
		return;
	const double times = median(peer.wall_us) / median(ours.wall_us);
	const double best = lowest(peer.wall_us) / lowest(ours.wall_us);
	fmt::print("  {:<20} against {:<24} {:>6.1f} times, lowest {:>6.1f}, "
	    "cpu {:>6.1f}", all[mine].name, all[theirs].name, times, best,
	    median(peer.cpu_us) / median(ours.cpu_us));
	if (const promise *const p = promise_of(all, theirs);
	    threads == 100 && p != nullptr)
		fmt::print("  floor {}: {}, goal {}: {}", p->floor,
		    best >= p->floor ? "held" : "MISSED", p->goal,
		    best >= p->goal ? "held" : "MISSED");
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
	for (const which mine : {pinned, plain})
		for (std::size_t peer = first_peer; peer < all.size(); peer++)
			print_ratio(all, runs, mine, peer, row.threads);
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
