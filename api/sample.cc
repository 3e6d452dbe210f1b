// Makes samples of records, keeps them, and gives them back.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sample.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/seam/thread.h"

#include "sample_parts.h"

namespace stack9 {
namespace {

// The record that knows the thread better: a capture that failed may not know
// its state.
const stack_record &
better_known(const stack_record *kernel, const stack_record *user) noexcept
{
	return kernel == nullptr || (user != nullptr && kernel->state == '?') ?
	    *user : *kernel;
}

// 0 if the sides are of two moments.
std::uint64_t
switches_of(const stack_record *kernel, const stack_record *user) noexcept
{
	if (kernel == nullptr || user == nullptr)
		return kernel != nullptr ? kernel->switches : user->switches;
	if (user->why == STACK9_WHY_KTHREAD || user->switches == 0)
		return kernel->switches;
	return kernel->error != 0 || kernel->switches == user->switches ?
	    user->switches : 0;
}

// A copy holds the spaces of its stacks.
void
close_spaces(const stack9_sample &s) noexcept
{
	for (const stack9_stack *side : {s.kernel, s.user})
		if (side != nullptr)
			stack9_space_close(side->space);
}

std::uint32_t
flags_of(const written_lock &l) noexcept
{
	std::uint32_t flags = (l.is_endless ? STACK9_WRITTEN_LOCK_ENDLESS : 0) |
	    (l.has_no_owner ? STACK9_WRITTEN_LOCK_OWNERLESS : 0);
	switch (l.kind) {
	case written_lock::what::interpreter:
		return flags | STACK9_WRITTEN_LOCK_INTERPRETER;
	case written_lock::what::lock:
		return flags | STACK9_WRITTEN_LOCK_OBJECT;
	case written_lock::what::condition:
		return flags | STACK9_WRITTEN_LOCK_OBJECT |
		    STACK9_WRITTEN_LOCK_CONDITION;
	case written_lock::what::end:
		return flags | STACK9_WRITTEN_LOCK_OBJECT |
		    STACK9_WRITTEN_LOCK_END;
	default:
		return flags;
	}
}

} // namespace

// Those that stand for frames which were cut are left out.
void
lent_sample::add_written(side &to, const written_stack &from)
{
	to.written.clear();
	for (const written_frame &f : from.frames)
		if (f.at < to.stack.depth || to.stack.dropped == 0)
			to.written.push_back({f.at, f.flags,
			    from.text_of(f.language).data(),
			    from.text_of(f.name).data(),
			    from.text_of(f.file).data(), f.line, 0});
	to.stack.written_count = static_cast<std::uint32_t>(
	    to.written.size());
	to.stack.written = to.written.empty() ? nullptr : to.written.data();
	to.stack.written_note = from.note.c_str();
	to.stack.thread_name = from.thread_name.c_str();
	if (from.lock.address == 0)
		return;
	to.lock = {from.lock.object.c_str(), from.lock.address,
	    from.lock.word_at, from.lock.owner, from.lock.word,
	    flags_of(from.lock)};
	to.stack.written_lock = &to.lock;
}

void
lent_sample::fill(side &to, const stack_record &rec, std::uint32_t frames)
{
	stack9_stack &s = to.stack;
	s = {};
	s.side = rec.side;
	s.error = rec.error;
	s.why = rec.why;
	s.flags = rec.flags & ~record_has_text;
	s.depth = rec.depth;
	s.dropped = rec.dropped;
	s.route = rec.route != nullptr ? rec.route : "";
	s.when_ns = rec.when_ns;
	s.space = rec.space;
	const char *reason = rec.reason;
	if (frames != 0 && s.depth > frames) {
		s.dropped += s.depth - frames;
		s.depth = frames;
		s.why = STACK9_WHY_TRUNCATED;
		reason = nullptr;
	}
	s.reason = reason != nullptr ? reason : stack9_why_text(s.why);
	if (rec.flags & record_has_text) {
		to.lines = rec.text;
		to.text.clear();
		for (char *at = to.lines.data(); to.text.size() < s.depth;) {
			to.text.push_back(at);
			at += std::strcspn(at, "\n");
			if (*at != '\0')
				*at++ = '\0';
		}
		s.text = to.text.data();
	} else if (s.depth != 0) {
		s.pcs = rec.pcs;
	}
	s.written_note = "";
	s.thread_name = "";
	if (rec.written != nullptr && rec.error == 0)
		add_written(to, *rec.written);
	s.hash = hash_of(s);
}

const stack9_sample &
lent_sample::show(const stack_record *kernel, const stack_record *user,
    std::uint32_t frames)
{
	const stack_record &who = better_known(kernel, user);
	stack9_sample &s = box_.sample;
	s = {};
	s.thread = who.thread;
	std::memcpy(comm_, who.comm, sizeof who.comm);
	s.comm = comm_;
	s.state = who.state;
	s.cpu = who.cpu;
	s.when_ns = who.when_ns;
	s.switches = switches_of(kernel, user);
	if (kernel != nullptr) {
		fill(kernel_, *kernel, frames);
		s.kernel = &kernel_.stack;
		s.tracer = kernel->tracer;
	}
	if (user != nullptr) {
		fill(user_, *user, frames);
		s.user = &user_.stack;
		s.tracer = user->tracer;
	}
	return s;
}

void
lent_sample::name_thread() noexcept
{
	stack9_sample &s = box_.sample;
	stack9_thread now{};
	thread_stat stat{};
	if (s.state != '?' || find_thread(s.thread.tid, now, stat) != 0 ||
	    (s.thread.start != 0 && s.thread.start != now.start))
		return;
	copy_name(comm_, stat.comm);
	s.state = stat.state;
	s.cpu = stat.cpu;
	s.thread = now;
}

std::size_t
lent_sample::size_with_parts(const stack9_sample &from) noexcept
{
	return parts::round_up(sizeof(box)) + size_of(from.kernel) +
	    size_of(from.user) + size_of(from.comm) + size_of(from.event);
}

template <class Parts>
stack9_sample *
lent_sample::copy_to(Parts &to, const stack9_sample &from, int holders)
    noexcept
{
	box &b = *new (to.template take<box>(1)) box{from, {holders}};
	b.sample.kernel = copy_stack(to, from.kernel);
	b.sample.user = copy_stack(to, from.user);
	b.sample.comm = copy_text(to, from.comm);
	b.sample.event = copy_text(to, from.event);
	return &b.sample;
}

// One block of memory holds the sample and all that it points to, except
// spaces, routes and reasons.  A waker in it is lent, as long as the sample is
// held.
stack9_sample *
lent_sample::copy_of(const stack9_sample &from) noexcept
{
	const std::size_t size = size_with_parts(from) +
	    (from.waker != nullptr ? size_with_parts(*from.waker) : 0);
	auto *const block = static_cast<std::byte *>(std::malloc(size));
	if (block == nullptr)
		return nullptr;
	parts to(block);
	stack9_sample *const made = copy_to(to, from, 1);
	if (from.waker != nullptr)
		made->waker = copy_to(to, *from.waker, 0);
	return made;
}

} // namespace stack9

extern "C" struct stack9_sample *
stack9_sample_hold(const struct stack9_sample *sample)
{
	using box = stack9::lent_sample::box;
	if (sample == nullptr)
		return nullptr;
	auto *const own = const_cast<box *>(
	    reinterpret_cast<const box *>(sample));
	if (own->holders.load(std::memory_order_relaxed) == 0)
		return stack9::lent_sample::copy_of(*sample);
	own->holders.fetch_add(1, std::memory_order_relaxed);
	return &own->sample;
}

extern "C" void
stack9_sample_close(struct stack9_sample *sample)
{
	using box = stack9::lent_sample::box;
	auto *const own = reinterpret_cast<box *>(sample);
	if (sample == nullptr ||
	    own->holders.load(std::memory_order_relaxed) == 0 ||
	    own->holders.fetch_sub(1, std::memory_order_acq_rel) != 1)
		return;
	stack9::close_spaces(*sample);
	if (sample->waker != nullptr)
		stack9::close_spaces(*sample->waker);
	std::free(own);
}
