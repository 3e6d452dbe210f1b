// Reads samples in the order of time, and gives each to the intake as a copy
// that a program would have sent.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sampled_watch.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <poll.h>

#include "arch/perf_registers.h"
#include "os/clocks.h"

namespace stack9::events {
namespace {

constexpr std::size_t head_size = offsetof(s9_event_copy, bytes);

std::uint16_t
type_of(const char *bytes) noexcept
{
	perf_event_header h;
	std::memcpy(&h, bytes, sizeof h);
	return static_cast<std::uint16_t>(h.type);
}

} // namespace

sampled_watch::sampled_watch(const watch_request &r, std::vector<probe> &&p)
    : filter_(r.filter), sink_(r.sink), loader_(std::move(p))
{
}

// A child has none of the watch's memory, and must not end what is its
// parent's.
sampled_watch::~sampled_watch()
{
	if (is_mine())
		return;
	intake_.abandon();
	processes_.abandon();
}

int
sampled_watch::begin(std::string &why)
{
	if (const int error = loader_.configure(filter_, sink_, why);
	    error != 0)
		return error;
	const settings &set = loader_.set();
	const std::uint32_t unwound = sink_.frames != 0 ? sink_.frames :
	    S9_MOST_FRAMES;
	delivery_.begin({set.config.frames, unwound, true}, nullptr);
	intake_.begin(unwound);
	intake_.open_alone(set.languages);
	processes_.begin(filter_);
	if (set.languages && processes_.early() != nullptr)
		intake_.prepare(*processes_.early(), 0);
	return events_.open(loader_.probes()[0], filter_, set.config.sides,
	    why);
}

// Times of the samples follow those of the records before them in their CPU.
// The other records are known to the log at once: it sorts them itself.
void
sampled_watch::collect()
{
	events_.read([this](const char *bytes, std::size_t size) {
		const std::uint16_t type = type_of(bytes);
		std::uint64_t when = time_of_record(bytes, size);
		if (type == PERF_RECORD_SAMPLE) {
			perf_sample s;
			if (!read_sample(bytes, size, events_.has_kernel(), s))
				return;
			when = s.when_ns;
		} else if (size >= perf_trailer) {
			processes_.log().add(bytes, size - perf_trailer, when);
		}
		waiting_.push_back({when, {bytes, bytes + size}});
	});
}

bool
sampled_watch::passes(const perf_sample &s, const s9_event_head &head) const
{
	const s9_config &c = loader_.set().config;
	return (c.pid == 0 || s.pid == c.pid) &&
	    (c.tid == 0 || s.tid == c.tid) &&
	    (!c.by_comm || std::memcmp(head.comm, c.comm,
	    sizeof c.comm) == 0) && (c.limit == 0 || events_seen_ < c.limit);
}

int
sampled_watch::take_sample(const record &r)
{
	perf_sample s;
	std::vector<std::uint64_t> aligned(r.bytes.size() / 8 + 1);
	std::memcpy(aligned.data(), r.bytes.data(), r.bytes.size());
	if (!read_sample(reinterpret_cast<const char *>(aligned.data()),
	    r.bytes.size(), events_.has_kernel(), s))
		return 0;
	const std::size_t frames = std::min<std::uint64_t>(s.frames,
	    loader_.set().config.frames),
	    size = head_size + s.bytes + 8 * frames;
	copy_.assign(size / 8 + 1, 0);
	auto &c = *reinterpret_cast<s9_event_copy *>(copy_.data());
	c.head.what = S9_EVENT_COPY;
	c.head.cpu = static_cast<__s32>(s.cpu);
	c.head.when_ns = s.when_ns;
	c.head.dropped = lost_;
	threads_.introduce(s.pid, s.tid, c.head, c.stacks.space);
	if (!passes(s, c.head))
		return 0;
	c.stacks.kernel = static_cast<__u16>(frames);
	if (s.registers != nullptr) {
		std::uint64_t regs[S9_REGS] = {};
		arch::put_perf_registers(s.registers, regs);
		std::copy(std::begin(regs), std::end(regs), c.user.regs);
		c.user.from = arch::stack_pointer_in(regs);
		c.user.bytes = static_cast<__u32>(s.bytes);
		c.user.flags = s.more ? S9_USER_MORE : 0;
	}
	std::copy_n(s.stack, s.bytes, c.bytes);
	std::memcpy(c.bytes + s.bytes, s.kernel, 8 * frames);
	events_seen_++;
	return intake_.consume(&c, size);
}

// The ids of the thread come first of what follows each record.
int
sampled_watch::take_switch(const record &r)
{
	perf_event_header h;
	std::int32_t ids[2];
	s9_event_head head{};
	s9_space space{};
	std::memcpy(&h, r.bytes.data(), sizeof h);
	std::memcpy(ids, r.bytes.data() + r.bytes.size() - perf_trailer,
	    sizeof ids);
	const s9_config &c = loader_.set().config;
	if (!loader_.set().off_cpu || (c.pid != 0 && ids[0] != c.pid) ||
	    (c.tid != 0 && ids[1] != c.tid))
		return 0;
	if (!(h.misc & PERF_RECORD_MISC_SWITCH_OUT))
		return sleepers_.comes_back(ids[1], r.when);
	if (h.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		return 0;
	head.when_ns = r.when;
	threads_.introduce(ids[0], ids[1], head, space);
	return c.by_comm && std::memcmp(head.comm, c.comm, sizeof c.comm) != 0 ?
	    0 : sleepers_.leaves(head, space);
}

int
sampled_watch::apply(const record &r)
{
	switch (type_of(r.bytes.data())) {
	case PERF_RECORD_SAMPLE:
		return take_sample(r);
	case PERF_RECORD_SWITCH:
		return take_switch(r);
	case PERF_RECORD_LOST: {
		std::uint64_t id_and_lost[2];
		std::memcpy(id_and_lost, r.bytes.data() +
		    sizeof(perf_event_header), sizeof id_and_lost);
		lost_ += id_and_lost[1];
		return 0;
	}
	}
	threads_.note(r.bytes.data(), r.bytes.size());
	return 0;
}

// A record waits if it came after the reading began: an earlier one may still
// come in the buffer of another CPU.
int
sampled_watch::drain()
{
	const std::uint64_t begin = stopped_ ? UINT64_MAX : boot_ns();
	collect();
	std::stable_sort(waiting_.begin(), waiting_.end(),
	    [](const record &a, const record &b) { return a.when < b.when; });
	std::size_t n = 0;
	int stop = 0;
	reading_ = true;
	while (n < waiting_.size() && waiting_[n].when <= begin && stop == 0)
		stop = apply(waiting_[n++]);
	if (stop == 0)
		stop = intake_.end_line();
	if (!stopped_)
		sleepers_.capture();
	reading_ = false;
	waiting_.erase(waiting_.begin(), waiting_.begin() +
	    static_cast<std::ptrdiff_t>(n));
	return stop != 0 ? stop : n != 0 ? 0 : EAGAIN;
}

int
sampled_watch::wait(int timeout_ms) const noexcept
{
	pollfd p[] = {{fd(), POLLIN, 0}, {interrupt_, POLLIN, 0}};
	return poll(p, 2, timeout_ms);
}

// The kernel wakes the reader when a buffer fills.  Single samples are looked
// for in slices.
int
sampled_watch::read(int timeout_ms)
{
	const int slice_ms = loader_.set().off_cpu ? 1 : 20;
	if (!is_mine())
		return EINVAL;
	if (reading_)
		return EBUSY;
	for (int left = timeout_ms;;) {
		if (const int error = drain(); error != EAGAIN || left == 0)
			return error;
		const int now = left < 0 ? slice_ms : std::min(left, slice_ms);
		if (wait(now) < 0)
			return EINTR;
		pollfd sign{interrupt_, POLLIN, 0};
		if (interrupt_ >= 0 && poll(&sign, 1, 0) == 1)
			return EAGAIN;
		left -= left < 0 ? 0 : now;
	}
}

int
sampled_watch::counts()
{
	if (sink_.what != STACK9_WATCH_COUNT)
		return EINVAL;
	if (reading_)
		return EBUSY;
	while (drain() == 0 && stopped_)
		continue;
	delivery_.restart();
	return ledger_.counts().each([this](const std::string &identity,
	    const s9_count &count) {
		return delivery_.counted(identity, count);
	});
}

int
sampled_watch::stop()
{
	if (!is_mine())
		return EINVAL;
	if (reading_)
		return EBUSY;
	events_.end();
	stopped_ = true;
	if (!loader_.set().off_cpu)
		return 0;
	const int stop = drain();
	return stop != 0 && stop != EAGAIN ? stop : sleepers_.end(boot_ns());
}

int
sampled_watch::counted(watch_totals &t)
{
	const std::uint64_t seen = events_seen_ + sleepers_.events();
	t.events = seen + lost_;
	t.no_room = lost_ + intake_.lost();
	t.copied = events_seen_ + sleepers_.captured();
	t.kept = seen - intake_.lost();
	t.truncated = delivery_.truncated();
	t.lacking = delivery_.lacking();
	t.stacks = ledger_.counts().stacks();
	t.frames = loader_.set().config.frames;
	t.probes = 1;
	return 0;
}

int
sampled_watch::each_event(stack9_event_fn *fn, void *arg) const
{
	return fn(arg, loader_.probes()[0].label.c_str());
}

} // namespace stack9::events
