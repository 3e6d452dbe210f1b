// Times asynchronous captures: the cost of submitting, the cost to the target,
// and the time until the user side is there.  The synchronous call that stops
// nobody and ptrace(2) run beside it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <stack9_async.h>

#include "apart.h"
#include "async_stream.h"
#include "benches.h"
#include "captured.h"
#include "events_target.h"
#include "own_clock.h"
#include "statistics.h"
#include "user_target.h"

namespace {

constexpr std::size_t batch = 1000;

struct inside {
	std::uint64_t	captured = 0, ns = 0, walked = 0;

	static inside
	now()
	{
		inside all;
		stack9_stats([](void *arg, const char *name,
		    std::uint64_t value, const char *) {
			auto &to = *static_cast<inside *>(arg);
			if (std::string_view(name) == "async-captured")
				to.captured = value;
			if (std::string_view(name) == "async-inside-ns")
				to.ns = value;
			if (std::string_view(name) == "async-walked")
				to.walked = value;
			return 0;
		}, &all);
		return all;
	}
};

void
print(std::string_view what, const std::vector<double> &us,
    std::string_view note = "")
{
	fmt::print("  {:<38} {:>8.2f} us, lowest {:>7.2f}, p99 {:>8.2f}{}\n",
	    what, median(us), lowest(us), percentile(us, 99), note);
}

// So many sleepers submitted one after the other, and taken back.
void
bench_submit(const submissions &to, const std::vector<stack9_thread> &sleepers,
    stack9_side side, std::string_view what, int rounds)
{
	std::vector<double> submit, back;
	std::vector<stack9_id> ids;
	for (int r = 0; r < rounds; r++) {
		ids.clear();
		const double begin = now_ns();
		for (const stack9_thread &td : sleepers)
			if (stack9_id id; stack9_async_submit(to.stream, &td,
			    side, 0, 0, &id) == 0)
				ids.push_back(id);
		const double middle = now_ns();
		for (const stack9_id id : ids)
			stack9_async_release(to.stream, id);
		const double n = 1e3 * static_cast<double>(ids.size());
		submit.push_back((middle - begin) / n);
		back.push_back((now_ns() - middle) / n);
	}
	print(fmt::format("submit, {}", what), submit,
	    fmt::format("; released unmet {:.2f}", median(back)));
}

// Returns the time until it was reported; 0: it never was.
double
until_ready(const submissions &of, double begin)
{
	pollfd p{of.fd, POLLIN, 0};
	stack9_ready one{};
	one.size = sizeof one;
	while (stack9_async_next(of.stream, &one) != 0)
		if (poll(&p, 1, 1000) != 1)
			return 0;
	return (now_ns() - begin) / 1e3;
}

struct way {
	std::vector<double>	submit, ready, collect;
	std::size_t		others = 0;
};

// Collects into a sample and closes that.  False: no user side.
bool
collect(const submissions &from, stack9_id id, stack9_space *space)
{
	stack9_sample *sample = nullptr;
	const int error = stack9_async_collect(from.stream, id, space,
	    &sample);
	stack9_sample_close(sample);
	return error == 0;
}

void
once(const submissions &to, const subject &s, unsigned int flags, way &w)
{
	stack9_id id;
	const double begin = now_ns();
	if (stack9_async_submit(to.stream, &s.td, STACK9_USER, flags, 0,
	    &id) != 0) {
		w.others++;
		return;
	}
	const double submitted = (now_ns() - begin) / 1e3;
	const double ready = until_ready(to, begin);
	const double middle = now_ns();
	if (collect(to, id, s.space) && ready > 0) {
		w.submit.push_back(submitted);
		w.ready.push_back(ready);
		w.collect.push_back((now_ns() - middle) / 1e3);
	} else {
		w.others++;
	}
	stack9_async_release(to.stream, id);
}

void
bench_way(const submissions &to, const subject &s, unsigned int flags,
    std::string_view what, std::size_t rounds)
{
	way w;
	const inside before = inside::now();
	for (std::size_t i = 0; i < rounds; i++)
		once(to, s, flags, w);
	const inside after = inside::now();
	const auto n = static_cast<double>(after.captured - before.captured);
	print(fmt::format("{}: until ready", what), w.ready,
	    fmt::format("; submit {:.2f}, collect {:.2f}; {} not",
	    median(w.submit), median(w.collect), w.others));
	fmt::print("  {:<38} {:>8.2f} us a capture\n", "  inside the target",
	    static_cast<double>(after.ns - before.ns) / n / 1e3);
}

// The synchronous call by a route; "": the library's choice.
void
bench_save(const subject &s, const char *route, std::size_t rounds)
{
	std::vector<double> took;
	std::size_t others = 0;
	stack9_force(route);
	for (std::size_t i = 0; i < rounds; i++) {
		const double begin = now_ns();
		if (capture_side(s.td, STACK9_USER, s.space).error == 0)
			took.push_back((now_ns() - begin) / 1e3);
		else
			others++;
	}
	stack9_force(nullptr);
	print(fmt::format("stack9_save(), {}", *route != '\0' ? route :
	    "stopping nobody"), took, fmt::format("; {} not", others));
}

void
bench_asleep(user_target &t, const submissions &to, bool quick)
{
	std::vector<stack9_thread> all;
	for (const pid_t tid : t.sleepers())
		if (stack9_thread td; stack9_thread_find(tid, &td) == 0)
			all.push_back(td);
	fmt::print(" {} threads that sleep\n", all.size());
	const int rounds = quick ? 5 : 31;
	bench_submit(to, all, STACK9_USER, "user side", rounds);
	bench_submit(to, all, STACK9_BOTH, "both", rounds);
	subject one(all.front().tid);
	const std::size_t captures = quick ? 100 : 2000;
	fmt::print(" one of them\n");
	bench_way(to, one, STACK9_ASYNC_WAKE, "STACK9_ASYNC_WAKE", captures);
	bench_save(one, "", captures);
	bench_save(one, "ptrace", captures);
}

void
bench_running(user_target &t, const submissions &to, bool quick)
{
	fmt::print(" one thread that spins\n");
	const apart cpus(t.pid());
	subject one(t.pid());
	const std::size_t captures = quick ? 100 : 2000;
	start_window(t.page());
	bench_way(to, one, 0, "resumed by itself", captures);
	bench_save(one, "", captures);
	bench_save(one, "ptrace", captures);
	end_window(t.page());
}

// Collects and releases all that have come.  Their time, in us; and how many.
double
drain(const submissions &from, stack9_space *space, long &n)
{
	stack9_ready one{};
	one.size = sizeof one;
	const double begin = now_ns();
	while (stack9_async_next(from.stream, &one) == 0) {
		n += collect(from, one.id, space);
		stack9_async_release(from.stream, one.id);
	}
	return (now_ns() - begin) / 1e3;
}

// A thread's system calls, as many at a time as there are slots; and what each
// takes longer than without the event.
void
bench_event(int frames, int rounds)
{
	constexpr long calls = 1000;
	events_target t(frames);
	std::vector<double> plain, least, taken;
	for (int r = 0; r < rounds; r++)
		plain.push_back(t.calls(calls).least);
	const subject s(t.pid());	// it runs its program by now
	const submissions to;
	stack9_watch_options o{};
	o.size = sizeof o;
	o.pid = t.pid();
	o.side = STACK9_USER;
	if (stack9_async_watch(to.stream, "t:raw_syscalls:sys_enter", &o) !=
	    0)
		return;
	inside before;
	for (int r = -3; r < rounds; r++) {	// three to learn from
		if (r == 0)
			before = inside::now();
		const took took = t.calls(calls);
		long n = 0;
		const double us = drain(to, s.space, n);
		if (r < 0 || n == 0)
			continue;
		least.push_back(took.least - lowest(plain));
		taken.push_back(us / static_cast<double>(n));
	}
	const inside after = inside::now();
	fmt::print("  a system call from {:>3} frames: {:>6.0f} ns more, "
	    "lowest {:>6.0f}; taken in {:.2f} us; {} walked, {} copied\n",
	    frames, median(least), lowest(least), median(taken),
	    after.walked - before.walked, after.captured - before.captured);
}

} // namespace

void
bench_async(bool quick)
{
	const double begin = now_ns();
	const submissions all;
	if (all.error != 0) {
		fmt::print("\nasynchronous captures: error {}\n", all.error);
		return;
	}
	fmt::print("\nasynchronous captures; begun in {:.1f} ms, once\n",
	    (now_ns() - begin) / 1e6);
	user_target t(batch, 10);
	if (!t.in_place())
		return;
	bench_asleep(t, all, quick);
	bench_running(t, all, quick);
	fmt::print(" events that submit their threads\n");
	for (const int frames : {8, 32, 64})
		bench_event(frames, quick ? 5 : 31);
}
