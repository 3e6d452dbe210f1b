// Links finished captures through their slots, so that a released one leaves no
// trace in the list.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ready.h"

#include <atomic>
#include <new>

#include <unistd.h>

namespace stack9::bpf {

int
ready_list::open(int ring) noexcept
{
	try {
		links_.resize(slots_.captures() + 1);
		ids_.resize(slots_.captures() + 1);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	const silence_libbpf no_prints;
	ring_.reset(ring_buffer__new(ring, record, this, nullptr));
	if (ring_ == nullptr)
		return errno;
	if (const int error = event_.open(); error != 0)
		return error;
	event_.step_aside();
	return add_to_epoll(fd(), event_.get()) ? 0 : errno;
}

void
ready_list::append(std::uint32_t slot) noexcept
{
	link &l = links_[slot], &list = links_[0];
	if (l.listed)
		return;
	l.listed = true;
	l.next = 0;
	l.before = list.before;
	links_[list.before].next = slot;
	list.before = slot;
}

void
ready_list::unlink(std::uint32_t slot) noexcept
{
	link &l = links_[slot];
	if (!l.listed)
		return;
	l.listed = false;
	links_[l.before].next = l.next;
	links_[l.next].before = l.before;
}

void
ready_list::add(stack9_id whole) noexcept
{
	note(whole);
	signal();
}

void
ready_list::note(stack9_id whole) noexcept
{
	const slot_id id(whole);
	const s9_phase now = slots_.phase(id);
	// Records of captures that were released meanwhile are read too.
	if (now != S9_DONE && now != S9_CANCELLED && now != S9_FORSAKEN)
		return;
	link &l = links_[id.slot];
	if (l.came && ids_[id.slot] == whole)
		return;
	ids_[id.slot] = whole;
	l.came = true;
	if (!l.held_back)
		append(id.slot);
}

// Notes all that are over; note() ignores those that were noted before.
void
ready_list::add_unpublished() noexcept
{
	for (std::uint32_t i = 1; i <= slots_.captures(); i++)
		if (const stack9_id id = slots_.id_in(i); id != 0)
			note(id);
}

int
ready_list::record(void *self, void *data, std::size_t size) noexcept
{
	if (size < sizeof(s9_ready))
		return 0;
	const auto *r = static_cast<const s9_ready *>(data);
	auto *list = static_cast<ready_list *>(self);
	if (r->id != 0)
		list->note(r->id);
	else
		list->drop_came_ = true;
	return 0;
}

void
ready_list::read_ring() noexcept
{
	released_ = 0;
	ring_buffer__consume(ring_.get());
	std::atomic_ref<__u64> unpublished(slots_.control().unpublished);
	if (unpublished.exchange(0) != 0)
		add_unpublished();
}

void
ready_list::hold_back(slot_id id) noexcept
{
	link &l = links_[id.slot];
	l.held_back = true;
	l.came = false;
}

void
ready_list::let_go(stack9_id whole) noexcept
{
	const slot_id id(whole);
	link &l = links_[id.slot];
	l.held_back = false;
	if (l.came && ids_[id.slot] == whole)
		append(id.slot);
	signal();
}

void
ready_list::remove(slot_id id) noexcept
{
	unlink(id.slot);
	links_[id.slot].came = links_[id.slot].held_back = false;
	if (++released_ >= slots_.captures())
		read_ring();
	signal();
}

stack9_id
ready_list::pop() noexcept
{
	const std::uint32_t first = links_[0].next;
	if (first == 0)
		return 0;
	unlink(first);
	return ids_[first];
}

std::uint64_t
ready_list::consume_dropped() noexcept
{
	s9_control &c = slots_.control();
	// This comes first, so that the next one is published again.
	std::atomic_ref<__u64>(c.drop_published).store(0);
	const std::uint64_t all = std::atomic_ref<__u64>(c.dropped).load();
	const std::uint64_t fresh = all - dropped_;
	dropped_ = all;
	drop_came_ = false;
	return fresh;
}

void
ready_list::signal() noexcept
{
	const bool any = links_[0].next != 0 || drop_came_;
	if (any == signalled_)
		return;
	const int error = any ? event_.raise() : event_.lower();
	if (error == 0 || error == EAGAIN)
		signalled_ = any;
}

} // namespace stack9::bpf
