// Measures the first capture of new threads, the memory that it takes, and
// captures of two threads at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <barrier>
#include <fstream>
#include <string>
#include <thread>

#include <sched.h>

#include "own_clock.h"
#include "own_fixed.h"
#include "own_rows.h"

namespace {

constexpr std::uint32_t seed = 20'240'607;

struct first_capture final : fixed_walk {
	first_capture(capture c, const tick_clock &k) : fixed_walk(c),
	    clock(k) {}

	const tick_clock &clock;
	double		ns = 0;

	void
	leaf() override
	{
		low = 0;
		const std::uint64_t begin = ticks();
		once();
		ns = clock.ns(begin, ticks());
	}
};

// Waits before its capture and after it, while memory is looked at.
struct held_capture final : fixed_walk {
	held_capture(capture c, std::barrier<> &b) : fixed_walk(c), gate(b) {}

	std::barrier<>	&gate;

	void
	leaf() override
	{
		low = 0;
		if (probing()) {
			once();
			return;
		}
		touch_stack();
		gate.arrive_and_wait();
		gate.arrive_and_wait();
		once();
		gate.arrive_and_wait();
		gate.arrive_and_wait();
	}

	// So that stack is not counted as the capture's.
	[[gnu::noinline]] static void
	touch_stack()
	{
		volatile char below[32 * 1024];
		for (std::size_t i = 0; i < sizeof below; i += 1024)
			below[i] = 0;
	}
};

// Goes as deep as another was found to have to go: the capture that finds out
// is not a first one.
[[gnu::noinline]] bool
run_like(fixed_walk &w, unsigned wanted, unsigned &nodes)
{
	w.set_nodes(nodes);
	const bool good = w.run(wanted, seed);
	if (nodes == 0)
		nodes = w.nodes();
	return good;
}

// Pages that are this process's own, in bytes.
double
private_memory()
{
	std::ifstream in("/proc/self/smaps_rollup");
	for (std::string word; in >> word;) {
		double kib;
		if (word == "Anonymous:" && in >> kib)
			return kib * 1024;
	}
	return -1;
}

// The n-th CPU that this process may run on; -1: there are fewer.
int
cpu(unsigned n)
{
	cpu_set_t mine;
	sched_getaffinity(0, sizeof mine, &mine);
	for (int c = 0; c < CPU_SETSIZE; c++)
		if (CPU_ISSET(c, &mine) && n-- == 0)
			return c;
	return -1;
}

void
run_on(int c)
{
	cpu_set_t only;
	CPU_ZERO(&only);
	CPU_SET(c, &only);
	sched_setaffinity(0, sizeof only, &only);
}

// The slowest of so many threads, each on a CPU of its own.
figure
threads_at_once(capture c, unsigned wanted, unsigned count)
{
	if (cpu(count - 1) < 0)
		return {};
	std::barrier gate(count);
	std::vector<double> ns(count, -1);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < count; i++)
		threads.emplace_back([&, i, on = cpu(i)] {
			run_on(on);
			batch_walk w(c);
			gate.arrive_and_wait();
			if (w.run(wanted, seed))
				ns[i] = w.all.lowest();
		});
	for (std::thread &t : threads)
		t.join();
	if (*std::min_element(ns.begin(), ns.end()) < 0)
		return {};
	return {*std::max_element(ns.begin(), ns.end()), double(wanted)};
}

} // namespace

// The first ones meet pcs that the process does not know yet.
figure
row_first_of_thread(capture c, unsigned wanted)
{
	constexpr unsigned skipped = 4, count = 200;
	const tick_clock clock;
	std::vector<double> all;
	unsigned nodes = 0;
	bool good = true;
	for (unsigned i = 0; i < skipped + count; i++)
		std::thread([&] {
			first_capture w(c, clock);
			good = run_like(w, wanted, nodes) && good;
			if (i >= skipped)
				all.push_back(w.ns);
		}).join();
	if (!good)
		return {};
	std::nth_element(all.begin(), all.begin() + count / 2, all.end());
	return {all[count / 2], double(wanted)};
}

// A thread has captured before, so the process has everything that it needs
// once.
figure
row_bytes_of_thread(capture c, unsigned wanted)
{
	constexpr unsigned count = 64;
	std::barrier alone(1), gate(count + 1);
	unsigned nodes = 0;
	std::atomic<unsigned> good = 0;
	const auto hold = [&](std::barrier<> &b) {
		held_capture w(c, b);
		good += run_like(w, wanted, nodes);
	};
	std::thread(hold, std::ref(alone)).join();
	if (good == 0)
		return {};
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < count; i++)
		threads.emplace_back(hold, std::ref(gate));
	gate.arrive_and_wait();		// all are there
	const double before = private_memory();
	gate.arrive_and_wait();		// now they capture
	gate.arrive_and_wait();		// they have
	const double after = private_memory();
	gate.arrive_and_wait();
	for (std::thread &t : threads)
		t.join();
	if (good != count + 1)
		return {};
	return {(after - before) / count, double(wanted)};
}

figure
row_one_thread(capture c, unsigned wanted)
{
	return threads_at_once(c, wanted, 1);
}

figure
row_two_threads(capture c, unsigned wanted)
{
	return threads_at_once(c, wanted, 2);
}
