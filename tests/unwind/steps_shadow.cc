// Keeps a shadow stack by what the instructions do.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps_shadow.h"

#include <cstdlib>

namespace steps {

namespace {

constexpr address syscall_size = 2;

address &
word(address at) noexcept
{
	return *reinterpret_cast<address *>(at);
}

bool
is_prefix(unsigned char b) noexcept
{
	switch (b) {
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
	case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
		return true;
	default:
		return (b & 0xf0) == 0x40;	// REX
	}
}

} // namespace

insn
decode(address pc) noexcept
{
	const auto *p = reinterpret_cast<const unsigned char *>(pc);
	while (is_prefix(*p))
		p++;
	switch (*p) {
	case 0xe8:
		return insn::call;
	case 0xc2: case 0xc3:
		return insn::ret;
	case 0xe9: case 0xeb:
		return insn::jump;
	case 0x0f:
		return p[1] == 0x05 ? insn::syscall : insn::other;
	case 0xff:
		switch (p[1] >> 3 & 7) {
		case 2: case 3:
			return insn::call;
		case 4: case 5:
			return insn::jump;
		}
	}
	return insn::other;
}

void
shadow::begin() noexcept
{
	depth_ = 0;
	switched_ = false;
	next_ = insn::other;
}

void
shadow::push(entry e) noexcept
{
	if (depth_ == entries_.size())
		std::abort();
	entries_[depth_++] = e;
}

std::size_t
shadow::pop_below(address limit) noexcept
{
	const std::size_t before = depth_;
	while (depth_ > 0 && entries_[depth_ - 1].slot < limit)
		outermost_gone_ = entries_[--depth_];
	return before - depth_;
}

// A system call returns by iret.  That traps only after the next instruction
// (with FRED it traps before it); rt_sigreturn() goes on in the signal frame's.
insn
shadow::executed(address pc, address sp) const noexcept
{
	if (next_ != insn::syscall)
		return next_;
	address hidden = pc_ + syscall_size;
	for (std::size_t i = depth_; i-- > 0 && entries_[i].slot < sp;)
		if (entries_[i].interrupted)
			hidden = entries_[i].ra;
	return pc == hidden ? insn::other : decode(hidden);
}

deed
shadow::explain(insn done, address pc, std::size_t gone) noexcept
{
	const bool was_switched = switched_;
	if (done == insn::ret || done == insn::jump)
		switched_ = false;
	if (done == insn::ret && (gone != 1 || outermost_gone_.ra != pc))
		return deed::unexplained;
	if (done == insn::ret || (done == insn::jump && was_switched))
		return was_switched ? deed::landed : deed::plain;
	if (gone == 0)
		return deed::plain;
	if (next_ == insn::syscall && outermost_gone_.interrupted)
		return deed::plain;	// rt_sigreturn()
	switched_ = done == insn::other;
	return switched_ ? deed::switched : deed::unexplained;
}

bool
shadow::refresh() noexcept
{
	bool changed = false;
	for (std::size_t i = 0; i < depth_; i++) {
		entry &e = entries_[i];
		if (word(e.slot) == e.ra)
			continue;
		e.ra = word(e.slot);
		changed = true;
	}
	return changed;
}

deed
shadow::step(address pc, address sp) noexcept
{
	const insn done = executed(pc, sp);
	const bool call = done == insn::call;
	// A word that a call writes over is not a return address any more.
	const std::size_t gone = pop_below(call ? sp + 1 : sp);
	deed did = explain(done, pc, gone);
	if (call)
		push({sp, word(sp), false});
	if (refresh())
		did = deed::replaced;
	pc_ = pc;
	next_ = decode(pc);
	return did;
}

// The kernel's struct rt_sigframe: the return address of the handler, and after
// it the ucontext_t.
void
shadow::enter_signal(ucontext_t &uc) noexcept
{
	auto &pc = uc.uc_mcontext.gregs[REG_RIP];
	const address slot = reinterpret_cast<address>(&uc) - sizeof(address);
	push({reinterpret_cast<address>(&pc), static_cast<address>(pc),
	    true});
	push({slot, word(slot), false});
	next_ = insn::other;
}

} // namespace steps
