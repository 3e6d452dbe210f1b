// Times whole programs: how much stacksnoop prints a second without a loss, and
// how soon stackcount has begun, beside bpftrace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "benches.h"
#include "events_peer.h"
#include "events_target.h"
#include "releases.h"
#include "pair.h"

namespace {

constexpr char name[] = "events_worker";

// Has so many events at that rate printed; the rate that it came to, 0 if one
// was lost.
using printer = std::function<double(events_target &, long, double)>;

double
a_second(long calls, double ns)
{
	return static_cast<double>(calls) / ns * 1e9;
}

std::string
probe(pid_t pid)
{
	return fmt::format("tracepoint:syscalls:sys_enter_getppid /pid == {}/",
	    pid);
}

double
by_bpftrace(const std::string &program, events_target &t, long calls,
    double rate)
{
	const scratch dir;
	tracer p(bpftrace(program, probe(t.pid()) + " { printf(\"%s "
	    "%d%s\\n\", comm, pid, kstack); }", dir / "begun"), dir / "out");
	if (!p.wait_for(dir / "begun"))
		return 0;
	const double ns = t.calls(calls, rate).all;
	p.end();
	return lines_with(dir / "out", name) ==
	    static_cast<std::size_t>(calls) ? a_second(calls, ns) : 0;
}

double
by_stacksnoop(const std::string &program, events_target &t, long calls,
    double rate)
{
	const scratch dir;
	tracer p({program, "-k", "-p", std::to_string(t.pid()), "-o",
	    dir / "out", "syscall:getppid"}, dir / "said");
	// The first events are those that it is seen by.
	do {
		t.calls(1);
		usleep(2000);
		if (!p.runs())
			return 0;
	} while (lines_with(dir / "out", name) == 0);
	usleep(50000);
	const std::size_t before = lines_with(dir / "out", name);
	const double ns = t.calls(calls, rate).all;
	p.end();
	return lines_with(dir / "out", name) - before >=
	    static_cast<std::size_t>(calls) ? a_second(calls, ns) : 0;
}

// The highest rate, of a second each, at which nothing is lost.
double
sustained(const printer &print)
{
	events_target t(4);
	double best = 0, bad = 0;
	const auto goes = [&](double rate) {
		const double came_to = print(t, static_cast<long>(rate), rate);
		best = std::max(best, came_to);
		// Slower than asked: that is all the program can do.
		return came_to > rate * 0.97;
	};
	for (double rate = 2000; bad == 0; rate *= 2)
		if (!goes(rate))
			bad = rate;
	for (double good = bad / 2; bad - good > bad / 20;) {
		const double rate = (good + bad) / 2;
		(goes(rate) ? good : bad) = rate;
	}
	return best;
}

void
bench_rate(const std::string &stacksnoop)
{
	fmt::print("\nkernel stacks printed a second, by name, to a file, none "
	    "lost\n");
	const double ours = sustained([&](events_target &t, long n, double r) {
		return by_stacksnoop(stacksnoop, t, n, r);
	});
	fmt::print("  {:<46} {:>10.0f}\n", "stacksnoop -k", ours);
	for (const release &r : releases_of("bpftrace")) {
		const double theirs = sustained([&](events_target &t, long n,
		    double rate) {
			return by_bpftrace(r.program, t, n, rate);
		});
		fmt::print("  {:<46} {:>10.0f}\n  {:<46} {:>10.2f} times   "
		    "goal: 4\n", r.name + ", printf(kstack)", theirs, "ratio",
		    ours / theirs);
	}
}

void
bench_start(const std::string &stackcount, int rounds)
{
	const std::string worker = beside("events_worker");
	const scratch dir;
	const auto once = [&](const std::vector<std::string> &words) {
		return [words, &dir] { tracer(words, dir / "out").wait(); };
	};
	std::vector<way> ways{{"stackcount -c 1 EVENT -- PROGRAM", once(
	    {stackcount, "-c", "1", "syscall:getppid", "--", worker, "once"})}};
	for (const release &r : releases_of("bpftrace"))
		ways.push_back({r.name + " -e 'EVENT { exit(); }' -c PROGRAM",
		    once({r.program, "-e", fmt::format("tracepoint:"
		    "raw_syscalls:sys_enter /comm == \"{}\" && args->id == {}/ "
		    "{{ exit(); }}", name, SYS_getppid), "-c", worker +
		    " once"})});
	compare("from the command line to the first event, and the end", ways,
	    rounds, "floor against bpftrace 0.27: 5, goal 8");
}

} // namespace

void
bench_event_programs(const char *stackprint, bool quick)
{
	const std::string path = stackprint;
	const std::string tools = path.substr(0, path.rfind('/') + 1);
	bench_rate(tools + "stacksnoop");
	bench_start(tools + "stackcount", quick ? 3 : 9);
}
