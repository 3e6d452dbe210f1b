// Times what an event costs the program that it happens in: counted by the
// library, by the kernel's own map of stacks, by bpftrace, and only walked.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <stack9_watch.h>
#include <unistd.h>

#include "apart.h"
#include "benches.h"
#include "events_bare.h"
#include "events_peer.h"
#include "events_target.h"
#include "events_watched.h"
#include "releases.h"
#include "statistics.h"

namespace {

constexpr int rounds = 7;

// One that is compared with others.
struct counter {
	std::string		name;
	std::function<std::optional<took>()> once;	// none: it cannot
	// Those of stackcount, to count the same; empty: it cannot.
	std::vector<std::string> options = {};
	std::vector<double>	ns = {}, least = {};	// of an event
	bool			absent = false;
};

class comparison {
public:
	comparison(int depth, stack9_side side, bool quick,
	    const char *stacks = "one")
	    : target_(depth, stacks), cpus_(target_.pid()), side_(side),
	    calls_(quick ? 20'000 : 60'000)
	{
		target_.calls(calls_);
	}

	void run(std::string_view what);
	// The ways to take a user stack, and their times by turns only.
	// stackcount: its program, for the CPU time that it takes itself.
	void run_ways(std::string_view what, const std::string &stackcount);

private:
	std::optional<took> empty();
	std::optional<took> bare(bool in_map = false);
	std::optional<took> ours(const char *how, unsigned int flags);
	long warm_up(watched &, bool learns);
	std::optional<took> peer(const release &);
	double cpu_of(const std::string &stackcount, const counter &);
	void print(const counter &) const;
	std::vector<counter> counters();
	std::vector<counter> ways();
	void measure(std::vector<counter> &);

	const std::vector<release> bpftraces_ = releases_of("bpftrace");
	events_target	target_;
	apart		cpus_;
	stack9_side	side_;
	long		calls_;
};

std::optional<took>
comparison::empty()
{
	const empty_program none;
	if (!none.is_there())
		return {};
	return target_.calls(calls_);
}

std::optional<took>
comparison::bare(bool in_map)
{
	const bare_walk walk(target_.pid(), "sys_enter_getppid",
	    side_ == STACK9_USER, in_map);
	if (!walk.is_there())
		return {};
	return target_.calls(calls_);
}

// Makes events until what there is to learn has been learned, or half of what
// is measured.  Returns how many.
long
comparison::warm_up(watched &w, bool learns)
{
	long made = 0;
	std::uint64_t copied;
	do {
		copied = w.copied();
		target_.calls(calls_ / 10, 0, [&] { w.read(); });
		made += calls_ / 10;
	} while (learns && w.copied() != copied && made < calls_ / 2);
	return made;
}

std::optional<took>
comparison::ours(const char *how, unsigned int flags)
{
	watched w(target_.pid(), side_, flags);
	if (w.why_not() != nullptr) {
		fmt::print("  {}\n", w.why_not());
		return {};
	}
	const long before = warm_up(w, flags == 0);
	const took t = target_.calls(calls_, 0, [&] { w.read(); });
	const std::uint64_t kept = w.kept();
	const auto all = static_cast<std::uint64_t>(before + calls_);
	if (kept != all)
		fmt::print("  {}: kept {} of {}\n", how, kept, all);
	return t;
}

std::optional<took>
comparison::peer(const release &r)
{
	const scratch dir;
	tracer t(bpftrace(r.program, fmt::format("tracepoint:syscalls:"
	    "sys_enter_getppid /pid == {}/ {{ @[{}] = count(); }}",
	    target_.pid(), side_ == STACK9_USER ? "ustack" : "kstack"),
	    dir / "begun"), dir / "out");
	if (!t.wait_for(dir / "begun"))
		return {};
	const took time = target_.calls(calls_);
	t.end();
	const long kept = sum_behind(dir / "out", "]: ");
	if (kept == 0)
		return {};
	if (kept != calls_)
		fmt::print("  {}: kept {} of {}\n", r.name, kept, calls_);
	return time;
}

std::vector<counter>
comparison::counters()
{
	const unsigned int walk = side_ == STACK9_USER ?
	    STACK9_WATCH_FRAME_POINTERS : 0;
	std::vector<counter> all{
		{"bpf_get_stack() alone", [this] { return bare(); }},
		{"counted by stack9_watch_open()", [=, this] {
			return ours("counted", walk);
		}},
		{"counted by the kernel's map of stacks", [this] {
			return bare(true);
		}},
	};
	for (const release &r : bpftraces_)
		all.push_back({r.name + ", count()", [&r, this] {
			return peer(r);
		}});
	if (side_ == STACK9_USER)
		all.push_back({"copied, and counted by stack9_watch_open()",
		    [this] { return ours("copied", STACK9_WATCH_COPY); }});
	return all;
}

std::vector<counter>
comparison::ways()
{
	std::vector<counter> all{
		{"an empty program", [this] { return empty(); }},
		{"bpf_get_stack() alone", [this] { return bare(); }},
		{"by frame pointers, counted", [this] {
			return ours("by frame pointers",
			    STACK9_WATCH_FRAME_POINTERS);
		}, {"--fp"}},
		{"by learned rules, counted", [this] {
			return ours("by learned rules", 0);
		}, {"-q"}},
		{"copied, and counted", [this] {
			return ours("copied", STACK9_WATCH_COPY);
		}, {"--copy"}},
	};
	for (const release &r : bpftraces_)
		all.push_back({r.name + ", count()", [&r, this] {
			return peer(r);
		}});
	return all;
}

void
comparison::print(const counter &c) const
{
	if (c.absent)
		fmt::print("  {:<46} not here\n", c.name);
	else
		fmt::print("  {:<46} {:>8.0f} ns   [{:.0f} .. {:.0f}]\n",
		    c.name, median(c.ns), lowest(c.least),
		    percentile(c.ns, 100));
}

void
comparison::measure(std::vector<counter> &all)
{
	for (int round = 0; round < rounds; round++)
		for (counter &c : all) {
			if (c.absent)
				continue;
			const took without = target_.calls(calls_);
			const std::optional<took> with = c.once();
			c.absent = !with.has_value();
			if (c.absent)
				continue;
			c.ns.push_back(with->median - without.median);
			c.least.push_back(with->least - without.least);
		}
	for (const counter &c : all)
		print(c);
}

// Seconds of CPU that the program takes for a million events, beyond those that
// it takes for few.
double
comparison::cpu_of(const std::string &stackcount, const counter &c)
{
	constexpr long few = 10'000, many = 400'000;
	const auto seconds = [&](long n) {
		const scratch dir;
		std::vector<std::string> words{stackcount, "-u", "-p",
		    std::to_string(target_.pid()), "-f", "folded", "-o",
		    dir / "stacks"};
		words.insert(words.end(), c.options.begin(), c.options.end());
		words.push_back("syscall:getppid");
		tracer t(words, dir / "out");
		// The first events are those that it is seen by.
		usleep(500'000);
		target_.calls(n);
		return t.end_of_cpu();
	};
	return (seconds(many) - seconds(few)) * 1e6 / (many - few);
}

void
comparison::run_ways(std::string_view what, const std::string &stackcount)
{
	fmt::print(" {}\n", what);
	std::vector<counter> all = ways();
	measure(all);
	for (const counter &c : all)
		if (!c.options.empty() && !c.absent)
			fmt::print("  {:<46} {:>8.2f} s of CPU for a million "
			    "events\n", "stackcount, " + c.name, cpu_of(
			    stackcount, c));
}

void
comparison::run(std::string_view what)
{
	fmt::print(" {}\n", what);
	std::vector<counter> all = counters();
	measure(all);
	const auto ratio = [&](std::size_t i, std::size_t to,
	    std::string_view goal) {
		if (to < all.size() && !all[i].absent && !all[to].absent)
			fmt::print("  {:<46} {:>8.2f} times  {}\n",
			    "... to " + all[to].name, median(all[i].ns) /
			    median(all[to].ns), goal);
	};
	fmt::print("  counted by stack9_watch_open():\n");
	ratio(1, 0, "goal: within 1.10, better 1.05");
	ratio(1, 2, "");
	ratio(1, 3, "goal: below 1");
}

} // namespace

void
bench_events(const char *stackprint, bool quick)
{
	const std::string path = stackprint;
	const std::string stackcount = path.substr(0, path.rfind('/') + 1) +
	    "stackcount";
	fmt::print("\nevents: cost of one to the program, beyond the system "
	    "call that it is;\n{} runs in turns: the median of their median "
	    "batches of 200 [the quickest batch .. the slowest run]\n", rounds);
	comparison(4, STACK9_KERNEL, quick).run("kernel stacks");
	comparison(9, STACK9_USER, quick).run("user stacks, 14 frames");
	// The functions of the worker and of the C library are the others.  A
	// tree is as much deeper, and does not go into few frames.
	constexpr int others = 8, tree = 13, leaves = 1;
	for (const int frames : {8, 14, 32, 64, 127}) {
		comparison(frames - others, STACK9_USER, quick).run_ways(
		    fmt::format("user stacks, {} frames", frames), stackcount);
		const bool deep = frames > others + tree;
		comparison(frames - others - (deep ? tree : leaves),
		    STACK9_USER, quick, deep ? "tree" : "leaves").run_ways(
		    fmt::format("4096 user stacks, {} frames", frames),
		    stackcount);
	}
}
