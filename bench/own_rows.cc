// Times captures of one thread: of an unchanged stack, of changing ones, in a
// signal handler, of pcs that were never seen.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_rows.h"

#include <csignal>

#include "own_clock.h"
#include "own_cold.h"
#include "own_fixed.h"

namespace {

constexpr std::uint32_t seed = 20'240'607;

// Each capture is from another place: a random number of the innermost frames
// has been left, and others were entered.
struct changing final : walker {
	changing(capture c, unsigned mean, unsigned most) : call(c),
	    mean_frames(mean), most_left(most) {}

	capture		call;
	frames		into;
	unsigned	mean_frames;
	unsigned	most_left;	// of the innermost, at once
	unsigned	mean_nodes = 0;
	tick_clock	clock;
	rounds		all{2000};
	double		seen = 0;
	double		captures = 0;

	void
	leaf() override
	{
		const std::uint64_t begin = ticks();
		const unsigned found = call(into);
		const std::uint64_t end = ticks();
		if (mean_nodes == 0) {
			mean_nodes = nodes_for(mean_frames, found);
			return;
		}
		all.add(clock.ns(begin, end));
		seen += found;
		captures++;
		go_on();
	}

	void
	go_on()
	{
		low = 0;
		if (all.enough())
			return;
		const unsigned here = depth;
		const unsigned left = 1 + (next() >> 8) % most_left;
		target = mean_nodes - most_left / 2 +
		    (next() >> 8) % (most_left + 1);
		low = std::min(here, target) - left;
	}
};

struct in_handler final : fixed_walk {
	in_handler(capture c, bool signalled) : fixed_walk(c), raises(signalled)
	{
		walk = this;
		std::signal(SIGUSR1, [](int) { walk->timed(); });
	}

	static inline in_handler *walk;
	bool		raises;
	tick_clock	clock;
	rounds		all{500};

	[[gnu::always_inline]] void
	timed()
	{
		const std::uint64_t begin = ticks();
		once();
		all.add(clock.ns(begin, ticks()));
	}

	void
	leaf() override
	{
		low = 0;
		do {
			if (raises)
				std::raise(SIGUSR1);
			else
				timed();
		} while (!probing() && !all.enough());
	}
};

// One capture at the end of each descent: the stack is another one the next
// time, except the few frames around it.
struct one_path final : fixed_walk {
	one_path(capture c, rounds &r) : fixed_walk(c), all(r) {}

	rounds		&all;
	tick_clock	clock;

	void
	leaf() override
	{
		low = 0;
		const std::uint64_t begin = ticks();
		once();
		const std::uint64_t end = ticks();
		if (!probing())
			all.add(clock.ns(begin, end));
	}
};

struct never_seen final : cold_walk {
	explicit never_seen(capture c) : call(c) {}

	capture			call;
	frames			into;
	tick_clock		clock;
	std::vector<double>	all;
	unsigned		found = 0;

	void
	leaf() override
	{
		const std::uint64_t begin = ticks();
		found = call(into);
		all.push_back(clock.ns(begin, ticks()));
	}
};

figure
in_or_out(capture c, unsigned wanted, bool signalled)
{
	in_handler w(c, signalled);
	if (!w.run(wanted, seed))
		return {};
	return {w.all.lowest(), double(wanted)};
}

} // namespace

figure
row_fence(capture c, unsigned)
{
	frames into;
	batches all;
	do {
		for (unsigned i = 0; i < all.times(); i++) {
			c(into);
			fence();
		}
	} while (all.go_on());
	return {all.lowest(), 0};
}

figure
row_unchanged(capture c, unsigned wanted)
{
	batch_walk w(c);
	if (!w.run(wanted, seed))
		return {};
	return {w.all.lowest(), double(wanted)};
}

static figure
changed(capture c, unsigned wanted, unsigned most)
{
	changing w(c, wanted, most);
	w.into.limit = __builtin_frame_address(0);
	walk_tree(w, 1, seed);
	if (w.mean_nodes < 64)	// go_on() takes 20 and 40 of them
		return {};
	walk_tree(w, w.mean_nodes, seed);
	return {w.all.lowest(), w.seen / w.captures};
}

figure
row_changing(capture c, unsigned wanted)
{
	return changed(c, wanted, 40);
}

figure
row_changing_less(capture c, unsigned wanted)
{
	return changed(c, wanted, 10);
}

static figure
paths_in_turn(capture c, unsigned wanted, unsigned paths)
{
	rounds all{2000};
	one_path w(c, all);
	bool good = true;
	for (unsigned i = 0; good && !all.enough(); i++)
		good = w.run(wanted, seed + i % paths);
	return good ? figure{all.lowest(), double(wanted)} : figure{};
}

figure
row_eight_paths(capture c, unsigned wanted)
{
	return paths_in_turn(c, wanted, 8);
}

// More than are remembered.
figure
row_many_paths(capture c, unsigned wanted)
{
	return paths_in_turn(c, wanted, 1000);
}

figure
row_alone(capture c, unsigned wanted)
{
	return in_or_out(c, wanted, false);
}

figure
row_handler(capture c, unsigned wanted)
{
	return in_or_out(c, wanted, true);
}

// The first two captures pay for what a process pays once.
figure
row_never_seen(capture c, unsigned each)
{
	never_seen w(c);
	w.into.limit = __builtin_frame_address(0);
	for (unsigned from = 0; from + each <= cold_functions; from += each)
		walk_cold(w, from, each);
	if (w.found < each || w.all.size() < 3)
		return {};
	const auto counted = w.all.begin() + 2;
	const auto median = counted + (w.all.end() - counted) / 2;
	std::nth_element(counted, median, w.all.end());
	return {*median, double(w.found)};
}
