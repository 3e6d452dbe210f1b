// Begins and ends a watch.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watch.h"

#include <cerrno>

#include <bpf/bpf.h>
#include <time.h>

#include "os/clocks.h"

namespace stack9::events {

watch::watch(const watch_request &r, std::vector<probe> &&probes)
    : filter_(r.filter), sink_(r.sink), loader_(std::move(probes))
{
}

// A child has none of the watch's memory, and must not end what is its
// parent's.
watch::~watch()
{
	if (is_mine())
		return;
	intake_.abandon();
	processes_.abandon();
}

int
watch::begin(std::string &why)
{
	if (const int error = loader_.configure(filter_, sink_, why);
	    error != 0)
		return error;
	const settings &set = loader_.set();
	const std::uint32_t unwound = sink_.frames != 0 ? sink_.frames :
	    S9_MOST_FRAMES;
	const stack_form of_wakers{set.config.frames, unwound, false};
	delivery_.begin({set.config.frames, unwound, loader_.are_exact()},
	    set.wakers ? &of_wakers : nullptr);
	intake_.begin(unwound);
	if (set.wakers)
		ledger_.begin();
	if (set.config.sides & STACK9_USER)
		processes_.begin(filter_);
	if (set.languages && processes_.early() != nullptr &&
	    intake_.prepare(*processes_.early(), filter_.pid))
		loader_.take_many(sink_);
	intake_.again().begin(loader_);
	const int error = loader_.load(intake_, why);
	if (error == 0)
		totals_.begin(loader_.loaded());
	return error;
}

int
watch::read(int timeout_ms)
{
	// Waits in slices; the log of mappings is read between them.
	constexpr int slice_ms = 100;
	if (!is_mine())
		return EINVAL;
	int left = timeout_ms;
	for (;;) {
		const int now = left < 0 || left > slice_ms ? slice_ms : left;
		const int error = intake_.read(now);
		if (!intake_.reading())
			processes_.keep_up();
		if (left > 0)
			left -= now;
		if (error != EAGAIN || left == 0 || intake_.interrupted())
			return error;
	}
}

int
watch::take(const stack9_bpf_stack &from)
{
	if (!loader_.set().lends)
		return EOPNOTSUPP;
	const int error = intake_.take(lent_.take(from));
	lent_.count += error != EBUSY;
	return error;
}

int
watch::each_event(stack9_event_fn *fn, void *arg) const
{
	for (const probe &p : loader_.probes())
		if (const int error = fn(arg, p.label.c_str()); error != 0)
			return error;
	return 0;
}

// Programs that are at an event will soon be done.  The bound is for a count
// that is wrong for once: a watch that ends is better than a watch that hangs.
void
watch::wait_for_programs()
{
	constexpr int most_ms = 1000;
	for (int ms = 0; ms < most_ms && !totals_.rest(); ms++) {
		const timespec t{0, 1'000'000};
		nanosleep(&t, nullptr);
	}
}

// Threads that are still blocked count as blocked until now.
int
watch::stop()
{
	if (stopped_)
		return 0;
	if (!is_mine())
		return EINVAL;
	if (intake_.reading())
		return EBUSY;
	intake_.end();
	wait_for_programs();
	loader_.detach();
	skipped_ = loader_.loaded().skipped();
	stopped_ = true;
	return loader_.set().off_cpu ? end_blocked() : 0;
}

int
watch::end_one(const s9_blocked &b, std::uint64_t now)
{
	const std::uint64_t took = now - b.since_ns;
	const s9_config &c = loader_.set().config;
	if (b.since_ns == 0 || b.since_ns > now || took < c.min_ns ||
	    (c.max_ns != 0 && took > c.max_ns) || c.limit != 0)
		return 0;
	s9_event_head head = b.e.head;
	head.weight_ns = took;
	head.when_ns = now;
	if (head.what == S9_RESUMED) {
		ended_++;
		return intake_.count_resumed(head);
	}
	ended_++;
	intake_.identify(b.e.stacks, b.e.pcs, identity_);
	processes_.find_or_add(b.e.stacks.space, head);
	return ledger_.add(head, identity_.bytes());
}

int
watch::end_blocked()
{
	const int map = loader_.loaded().map(map_id::blocked);
	const std::uint64_t now = boot_ns();
	// Earlier records come first.
	while (intake_.read(0) == 0)
		continue;
	std::vector<std::uint64_t> value(
	    loader_.loaded().value_size(map_id::blocked) / 8 + 1);
	std::int32_t tid = 0, next = 0;
	for (bool first = true; bpf_map_get_next_key(map, first ? nullptr :
	    &tid, &next) == 0; first = false) {
		tid = next;
		if (bpf_map_lookup_elem(map, &tid, value.data()) != 0)
			continue;
		if (const int error = end_one(*reinterpret_cast<s9_blocked *>(
		    value.data()), now); error != 0)
			return error;
	}
	return 0;
}

} // namespace stack9::events
