// Finds the waits of samples: reads the states of all threads, finds each wait,
// reads again the words that name holders, and then the states.  A holder is
// reported only if all that was the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "births.h"
#include "core/arguments.h"
#include "core/route.h"
#include "core/seam/second_reading.h"
#include "context.h"

namespace stack9::waits {
namespace {

int
look(std::vector<wait_facts> &all)
{
	stack_record reported{};
	const int error = first_answer<job::wait>(reported, [&](wait_route &r) {
		if (const verdict v = r.can(); v.error != 0)
			return answer::refused(v);
		const int failed = r.look(all);
		return is_refusal(failed) ? answer::refused(failed, nullptr) :
		    answer::is(failed);
	});
	return error != 0 && reported.reason != nullptr ?
	    failed(error, reported.reason) : error;
}

// Leaves each thread once, by ascending tid.
void
sort_threads(std::vector<wait_facts> &all)
{
	const auto less = [](const wait_facts &a, const wait_facts &b) {
		return a.thread.tid != b.thread.tid ?
		    a.thread.tid < b.thread.tid :
		    a.thread.start < b.thread.start;
	};
	std::sort(all.begin(), all.end(), less);
	all.erase(std::unique(all.begin(), all.end(),
	    [&](const wait_facts &a, const wait_facts &b) {
		return !less(a, b) && !less(b, a);
	}), all.end());
}

std::vector<wait_facts>
threads_of(const stack9_sample *const *samples, std::uint32_t count)
{
	std::vector<wait_facts> all(count);
	for (std::uint32_t i = 0; i < count; i++)
		all[i].thread = samples[i]->thread;
	sort_threads(all);
	return all;
}

// The index of the sample's thread.
std::size_t
index_of(const std::vector<wait_facts> &all, const stack9_thread &td)
{
	const auto it = std::lower_bound(all.begin(), all.end(), td,
	    [](const wait_facts &f, const stack9_thread &t) {
		return f.thread.tid != t.tid ? f.thread.tid < t.tid :
		    f.thread.start < t.start;
	});
	return static_cast<std::size_t>(it - all.begin());
}

bool
has_stack_of(const stack9_sample &s, const stack9_stack *side,
    const wait_facts &f)
{
	return side != nullptr && side->depth != 0 && s.switches != 0 &&
	    s.switches == f.switches && f.error == 0 && !f.running;
}

// False: a thread that the first reading has found has ended since.
bool
live(const std::vector<stack9_holder> &holders,
    const std::vector<wait_facts> &all)
{
	for (const stack9_holder &h : holders) {
		const std::size_t i = index_of(all, h.thread);
		if (i != all.size() && all[i].thread.tid == h.thread.tid &&
		    (all[i].thread.start != h.thread.start ||
		    !is_living(all[i])))
			return false;
	}
	return true;
}

// Returns true if a thread that was woken, or was in the kernel for another
// reason, has come onto a CPU since.  Its switches are not counted before it
// leaves that.  One that was in user mode still does what its stack shows.
bool
has_come_onto_cpu(const stack9_sample &s, const wait_facts &f)
{
	return f.arrived_ns > s.when_ns && s.when_ns != 0 &&
	    (s.kernel == nullptr || s.kernel->depth != 0);
}

// Returns true if the sample's stacks are older than the first reading.
bool
has_moved(const stack9_sample &s, const wait_facts &f)
{
	const bool runs = f.running || f.state == 'R';
	return f.error == 0 && s.switches != 0 &&
	    (s.switches != f.switches || has_come_onto_cpu(s, f) ||
	    (runs && s.state != 'R' && s.state != '?'));
}

// Returns true if more was read of it than in the first reading.
bool
is_of_two_moments(const blocked &w)
{
	return !w.holders.empty() || w.address != 0 || !w.object.empty();
}

// The threads that have to be as they were, sorted: those of whose waits more
// was read after the first reading, and those whom they wait for.
std::vector<wait_facts>
to_look_at(const std::vector<blocked> &all,
    const std::vector<wait_facts> &first)
{
	std::vector<bool> wanted(first.size());
	std::vector<wait_facts> again;
	for (const blocked &w : all) {
		if (!is_of_two_moments(w))
			continue;
		wanted[static_cast<std::size_t>(w.facts - first.data())] =
		    true;
		for (const stack9_holder &h : w.holders) {
			const std::size_t i = index_of(first, h.thread);
			if (i != first.size() &&
			    first[i].thread.tid == h.thread.tid)
				wanted[i] = true;
		}
	}
	again.reserve(static_cast<std::size_t>(std::count(wanted.begin(),
	    wanted.end(), true)));
	for (std::size_t i = 0; i < first.size(); i++)
		if (wanted[i])
			again.emplace_back().thread = first[i].thread;
	return again;
}

bool
are_same(const std::vector<std::uint32_t> &words, const memory &m)
{
	for (const std::uint32_t n : words)
		if (!m.is_same(n))
			return false;
	return true;
}

// Nothing more was read of it, but another thread may wait for it by now: then
// its stacks have to be of that moment.
void
check_holder(blocked &w, const std::vector<wait_facts> &second)
{
	const std::size_t i = index_of(second, w.facts->thread);
	if (i != second.size() && second[i].thread.tid == w.tid() &&
	    has_moved(*w.sample, second[i]))
		w.flags |= STACK9_WAIT_MOVED;
}

// Takes back what was not the same at the second reading.
void
check(blocked &w, const std::vector<wait_facts> &second, const context &x)
{
	if (!is_of_two_moments(w))
		return check_holder(w, second);
	const wait_facts &f = *w.facts;
	const wait_facts &again = second[index_of(second, f.thread)];
	const char *why = nullptr;
	if (!is_same_wait(f, again) || f.state != again.state) {
		w.flags |= STACK9_WAIT_MOVED;
		why = "it has moved while this was found out";
	} else if (w.holders.empty()) {
		return;
	} else if (f.tracer.tid != again.tracer.tid ||
	    f.lock_at != again.lock_at ||
	    f.lock_holder.tid != again.lock_holder.tid ||
	    !are_same(w.words, x.words)) {
		why = "its holder has changed while this was found out";
	} else if (!live(w.holders, second)) {
		why = "its holder has ended while this was found out";
	} else {
		return;
	}
	if ((w.flags & STACK9_WAIT_MOVED) == 0)
		w.flags |= STACK9_WAIT_CHANGING;
	w.holders.clear();
	w.flags &= ~(STACK9_WAIT_ALL_HOLDERS | STACK9_WAIT_BY_READERS |
	    STACK9_WAIT_BY_OTHERS);
	w.reason = why;
}

int
find_all(const stack9_sample *const *samples, std::uint32_t count,
    stack9_wait_fn *fn, void *arg)
{
	std::vector<wait_facts> first = threads_of(samples, count);
	std::vector<std::size_t> index(count);
	for (std::uint32_t i = 0; i < count; i++)
		index[i] = index_of(first, samples[i]->thread);
	if (const int error = look(first); error != 0)
		return error;
	context x;
	x.people.know(first);
	std::vector<blocked> all(count);
	for (std::uint32_t i = 0; i < count; i++) {
		blocked &w = all[i];
		w.sample = samples[i];
		w.facts = &first[index[i]];
		w.has_stack = has_stack_of(*w.sample, w.sample->user,
		    *w.facts);
		w.has_kernel_stack = has_stack_of(*w.sample, w.sample->kernel,
		    *w.facts);
		w.idle_ns = w.facts->idle_ns;
		find_wait(w, x);
		if (has_moved(*w.sample, *w.facts))
			w.flags |= STACK9_WAIT_MOVED;
		if (w.address != 0 && w.kind < STACK9_WAIT_KERNEL_MUTEX &&
		    w.sample->user != nullptr)
			w.place = x.where.of(w.sample->user->space,
			    w.address);
		else if (w.kind >= STACK9_WAIT_KERNEL_MUTEX &&
		    w.kind <= STACK9_WAIT_KERNEL_RT_MUTEX)
			w.place = x.where.of_kernel(w.address);
	}
	drop_newborn(all);
	x.words.read_again();
	std::vector<wait_facts> second = to_look_at(all, first);
	announce_second_reading(0, 0);
	const int error = second.empty() ? 0 : look(second);
	if (error != 0)
		return error;
	for (std::uint32_t i = 0; i < count; i++) {
		check(all[i], second, x);
		const stack9_wait reported = made_of(all[i]);
		if (fn(arg, &reported) != 0)
			return ECANCELED;
	}
	return 0;
}

} // namespace
} // namespace stack9::waits

extern "C" int
stack9_waits(const struct stack9_sample *const *samples, uint32_t count,
    unsigned int flags, stack9_wait_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {fn == nullptr, has_no_fn},
	    {flags != 0, has_unknown_flags},
	    {samples == nullptr && count != 0,
	    "samples is NULL, and count is not 0"},
	    }); error != 0)
		return error;
	if (std::find(samples, samples + count, nullptr) != samples + count)
		return failed(EINVAL, "one of samples is NULL");
	return public_call([&] {
		return count == 0 ? 0 :
		    waits::kept_of(samples, count) != nullptr ?
		    waits::find_kept(samples, count, fn, arg) :
		    waits::find_all(samples, count, fn, arg);
	});
}
