// Delivers the counts of a watch, and its tally.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>

#include "watch.h"

namespace stack9::events {

// Adds the elements of the tables under the identities that they have here.
class watch::in_kernel final : public table_visitor {
public:
	in_kernel(watch &of, local_counts &to) : of_(of), to_(to),
	    repeated_(of.loader_.loaded()) {}

	int
	visit(const void *, const void *value) override
	{
		const auto &c = *static_cast<const s9_counted *>(value);
		s9_count count = c.count;
		// Both only grow, so the slot may be of another moment.
		std::uint64_t more = 0;
		if (const int error = c.slot == 0 ? 0 :
		    repeated_.read(c.slot, more); error != 0)
			return error;
		count.events += more;
		of_.intake_.identify(c.stacks, c.pcs, identity_);
		to_.add(identity_.bytes(), count);
		return 0;
	}

private:
	watch		&of_;
	local_counts	&to_;
	repeated_events	 repeated_;
	identity	 identity_;
};

// Collects all counts from the kernel's tables.
int
watch::gather(local_counts &all)
{
	in_kernel reader(*this, all);
	return counts_here() ? 0 : read_stacks(loader_.loaded(), reader);
}

// True if all stacks are counted in this process and none in the kernel.
bool
watch::counts_here() noexcept
{
	const settings &set = loader_.set();
	return set.wakers || (set.config.copy && !loader_.loaded().walks());
}

int
watch::counts()
{
	if (sink_.what != STACK9_WATCH_COUNT)
		return EINVAL;
	if (intake_.reading())
		return EBUSY;
	// Only the records that have come by now: more may come all the time.
	intake_.read(0);
	if (stopped_)
		while (intake_.read(0) == 0)
			continue;
	delivery_.restart();
	all_delivered_ = false;
	const int error = deliver_all();
	all_delivered_ = error == 0 && stopped_;
	return error;
}

int
watch::deliver_all()
{
	local_counts all = ledger_.counts();
	if (const int error = gather(all); error != 0)
		return error;
	distinct_ = all.stacks();
	return all.each([this](const std::string &identity,
	    const s9_count &count) {
		return delivery_.counted(identity, count);
	});
}

// The first copy shows that the kernel lacks a witness.
bool
watch::cannot_walk() noexcept
{
	const settings &set = loader_.set();
	return set.cannot_walk || (set.config.walk &&
	    (!loader_.loaded().walks() || intake_.rules().lacks_witness()));
}

int
watch::counted(watch_totals &t)
{
	s9_totals all;
	if (const int error = totals_.read(all); error != 0)
		return error;
	t.events = all.events + ended_;
	t.nested = all.nested;
	t.no_room = all.no_room + intake_.lost();
	t.spilled = all.spilled;
	t.skipped = stopped_ ? skipped_ : loader_.loaded().skipped();
	t.truncated = delivery_.truncated();
	t.lacking = delivery_.lacking();
	t.flags = cannot_walk() ? STACK9_TALLY_NO_WALK : 0;
	t.walked = all.walked;
	t.remembered = all.remembered;
	t.copied = all.copied;
	t.differing = intake_.rules().differing();
	intake_.again().tally(t, stopped_);
	t.refused = intake_.rules().slots().refused();
	t.frames = loader_.set().config.frames;
	t.probes = static_cast<std::uint32_t>(loader_.probes().size());
	t.stacks = all_delivered_ && distinct_ != 0 ? distinct_ :
	    all.stacks + ledger_.counts().stacks();
	const std::uint64_t not_kept = t.nested + t.no_room;
	// Once all counts have been delivered, their sum is known.
	const bool known = sink_.what == STACK9_WATCH_STREAM || all_delivered_;
	t.kept = known ? delivery_.events() + all.answered - lent_.count :
	    counts_here() ?
	    ledger_.counts().events() : t.events - std::min(t.events, not_kept);
	return 0;
}

} // namespace stack9::events
