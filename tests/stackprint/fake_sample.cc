// Plays the cast's samples.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_sample.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace fake {

played::played(const role &r, pid_t pid, int sides, stack9_space *space,
    std::uint32_t frames)
    : comm(r.comm)
{
	sample.thread = {r.tid, pid, 1};
	sample.state = r.state;
	sample.cpu = r.state == '?' ? -1 : 1;
	sample.when_ns = 123456789;
	kernel.side = STACK9_KERNEL;
	user.side = STACK9_USER;
	fill(kernel, kernel_pcs, r.kernel, frames);
	fill(user, user_pcs, r.user, frames);
	user.space = space;
	// User addresses of another process of the program.
	if (pid != process)
		for (std::uint64_t &pc : user_pcs)
			pc += twin_shift;
	if (r.tid == by_ptrace)
		user.route = "ptrace";
	if (sides & STACK9_KERNEL)
		sample.kernel = &kernel;
	if (sides & STACK9_USER)
		sample.user = &user;
	if (r.user.why == STACK9_WHY_TRACED && (sides & STACK9_USER))
		sample.tracer = getppid();
	join();
}

played::played(const played &from)
    : sample(from.sample), holders(1), kernel(from.kernel), user(from.user),
      kernel_pcs(from.kernel_pcs), user_pcs(from.user_pcs), text(from.text),
      comm(from.comm), event(from.event)
{
	if (sample.kernel != nullptr)
		sample.kernel = &kernel;
	if (sample.user != nullptr)
		sample.user = &user;
	if (sample.event != nullptr)
		sample.event = event.c_str();
	if (user.space != nullptr)
		stack9_space_hold(user.space);
	join();
}

// Overwrites the addresses, so that a stack is wrong if it is used later.
played::~played()
{
	std::fill(kernel_pcs.begin(), kernel_pcs.end(), 1);
	std::fill(user_pcs.begin(), user_pcs.end(), 1);
	std::fill(comm.begin(), comm.end(), '!');
	if (holders != 0)
		stack9_space_close(user.space);
}

void
played::join()
{
	sample.comm = comm.c_str();
	kernel.pcs = kernel_pcs.empty() ? nullptr : kernel_pcs.data();
	kernel.text = text.empty() ? nullptr : text.data();
	user.pcs = user_pcs.empty() ? nullptr : user_pcs.data();
}

void
played::fill(stack9_stack &s, std::vector<std::uint64_t> &pcs, const half &h,
    std::uint32_t frames)
{
	s.error = h.error;
	s.why = h.why;
	s.flags = h.flags & ~text_only;
	s.depth = std::min(h.depth, frames);
	s.dropped = h.dropped + h.depth - s.depth;
	if (s.depth < h.depth)
		s.why = STACK9_WHY_TRUNCATED;
	s.reason = h.reason != nullptr ? h.reason : stack9_why_text(s.why);
	s.route = "fake";
	s.when_ns = 123456789;
	if (h.flags & text_only)
		text.assign(text_lines, text_lines + s.depth);
	else
		pcs.assign(h.pcs, h.pcs + s.depth);
	std::uint64_t hash = 0;
	for (const std::uint64_t pc : pcs)
		hash = (hash ^ pc) * 0x9e3779b97f4a7c15;
	s.hash = hash;
}

void
played::forget()
{
	comm.clear();
	sample.state = '?';
	sample.cpu = -1;
	join();
}

void
played::fail(stack9_stack &s, int error, stack9_why why, const char *reason)
{
	s.error = error;
	s.why = why;
	s.reason = reason != nullptr ? reason : stack9_why_text(why);
	s.flags = s.depth = s.dropped = 0;
	s.pcs = nullptr;
	s.text = nullptr;
	(&s == &kernel ? kernel_pcs : user_pcs).clear();
	if (&s == &kernel)
		text.clear();
}

int
played::error() const
{
	if ((sample.kernel != nullptr && kernel.error == 0) ||
	    (sample.user != nullptr && user.error == 0))
		return 0;
	return sample.user != nullptr ? user.error : kernel.error;
}

} // namespace fake

extern "C" struct stack9_sample *
stack9_sample_hold(const struct stack9_sample *sample)
{
	auto *const p = const_cast<fake::played *>(
	    reinterpret_cast<const fake::played *>(sample));
	if (p->holders == 0)
		return &(new fake::played(*p))->sample;
	p->holders++;
	return &p->sample;
}

extern "C" void
stack9_sample_close(struct stack9_sample *sample)
{
	auto *const p = reinterpret_cast<fake::played *>(sample);
	if (p != nullptr && --p->holders == 0) {
		p->holders = 1;
		delete p;
	}
}

namespace {

bool
is_same(const stack9_stack *a, const stack9_stack *b)
{
	if (a == nullptr || b == nullptr)
		return a == b;
	return a->error == b->error && a->why == b->why &&
	    a->flags == b->flags && a->dropped == b->dropped &&
	    a->space == b->space && a->depth == b->depth &&
	    (a->pcs == nullptr) == (b->pcs == nullptr) &&
	    (a->pcs == nullptr || std::equal(a->pcs, a->pcs + a->depth,
	    b->pcs));
}

} // namespace

extern "C" int
stack9_sample_same(const struct stack9_sample *a,
    const struct stack9_sample *b)
{
	return is_same(a->kernel, b->kernel) && is_same(a->user, b->user);
}
