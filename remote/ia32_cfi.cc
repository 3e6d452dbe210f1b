// Reads rows of 32-bit x86 code by libdw, and steps by them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ia32_cfi.h"

#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "process/memory_want.h"

#include "ia32_expression.h"
#include "ia32_sections.h"

namespace stack9::remote {
namespace {

using process::attachment;
using unwind::outcome;

struct cfi_closer {
	void operator()(Dwarf_CFI *c) const noexcept { dwarf_cfi_end(c); }
};
struct frame_closer {
	void operator()(Dwarf_Frame *f) const noexcept { std::free(f); }
};
using frame_holder = std::unique_ptr<Dwarf_Frame, frame_closer>;

// The caller of each function holds the lock of the file.
class ia32_cfi final : public attachment {
public:
	explicit ia32_cfi(const file &f) noexcept
	    : file_(f), eh_(open_eh_frame(f)) {}
	frame_holder find(Dwarf_Addr) noexcept;

private:
	Dwarf_CFI *debug_frame() noexcept;

	const file				&file_;
	std::unique_ptr<Dwarf_CFI, cfi_closer>	eh_;
	opened_debug				debug_;
	bool					asked_ = false;	// for debug_
};

// Opens .debug_frame only if .eh_frame was not enough, because libdw reads much
// for it.
Dwarf_CFI *
ia32_cfi::debug_frame() noexcept
{
	if (!asked_) {
		const process::memory_want want;
		open_debug_frame(file_, debug_);
		if (want.is()) {
			debug_.dwarf.reset();
			debug_ = {};
			return nullptr;
		}
	}
	asked_ = true;
	return dwarf_getcfi(debug_.dwarf.get());
}

frame_holder
ia32_cfi::find(Dwarf_Addr at) noexcept
{
	Dwarf_Frame *found = nullptr;
	if (dwarf_cfi_addrframe(eh_.get(), at, &found) != 0 &&
	    dwarf_cfi_addrframe(debug_frame(), at, &found) != 0)
		found = nullptr;
	return frame_holder(found);
}

class stepping {
public:
	stepping(Dwarf_Frame *f, unwind::memory &words,
	    const ia32_registers &from) noexcept
	    : frame_(f), words_(words), from_(from)
	{
		column_ = dwarf_frame_info(f, nullptr, nullptr, &signal_);
	}

	outcome run(ia32_registers &next) noexcept;

private:
	outcome find_cfa() noexcept;
	outcome find(int number, std::uint32_t &) noexcept;
	outcome find_pc(ia32_registers &next) noexcept;
	outcome value_at(const ia32_result &, std::uint32_t &) noexcept;

	Dwarf_Frame		*frame_;
	unwind::memory		&words_;
	const ia32_registers	&from_;
	std::optional<std::uint32_t> cfa_;
	int			column_;	// of the return address
	bool			signal_ = false;
	bool			undefined_ = false;	// found by find()
	bool			by_fp_ = false;		// the CFA
};

outcome
stepping::value_at(const ia32_result &where, std::uint32_t &value) noexcept
{
	switch (where.what) {
	case ia32_result::is_value:
		value = where.number;
		return outcome::stepped;
	case ia32_result::is_address:
		return words_.read(where.number, &value, sizeof value) ?
		    outcome::stepped : outcome::no_memory;
	case ia32_result::is_register:
		if (where.number >= ia32_registers::count ||
		    !from_.knows(static_cast<int>(where.number)))
			return outcome::no_register;
		value = from_.value[where.number];
		return outcome::stepped;
	}
	return outcome::malformed;
}

outcome
stepping::find_cfa() noexcept
{
	Dwarf_Op *ops;
	std::size_t count;
	ia32_result cfa;
	if (dwarf_frame_cfa(frame_, &ops, &count) != 0 || count == 0)
		return outcome::malformed;
	if (const outcome o = ia32_evaluate({ops, count}, from_, words_, {},
	    cfa); o != outcome::stepped)
		return o;
	cfa_ = cfa.number;
	by_fp_ = count == 1 && ops->atom == DW_OP_bregx &&
	    ops->number == ia32_registers::fp;
	return outcome::stepped;
}

// An empty list of operations means one of two things; the pointer to it shows
// which.
outcome
stepping::find(int number, std::uint32_t &value) noexcept
{
	Dwarf_Op buffer[3], *ops;
	std::size_t count;
	ia32_result where{ia32_result::is_register,
	    static_cast<std::uint32_t>(number)};
	if (dwarf_frame_register(frame_, number, buffer, &ops, &count) != 0)
		return outcome::malformed;
	undefined_ = count == 0 && ops == buffer;
	if (undefined_)
		return outcome::no_register;
	if (count == 0)
		return value_at(where, value);
	const outcome o = ia32_evaluate({ops, count}, from_, words_, cfa_,
	    where);
	return o == outcome::stepped ? value_at(where, value) : o;
}

outcome
stepping::find_pc(ia32_registers &next) noexcept
{
	std::uint32_t pc = 0;
	const outcome o = find(column_, pc);
	if (o != outcome::stepped)
		return undefined_ ? outcome::end : o;
	if (pc == 0 && !signal_)	// with a signal: a call through NULL
		return outcome::zero;
	next.set(ia32_registers::pc, pc);
	return outcome::stepped;
}

outcome
stepping::run(ia32_registers &next) noexcept
{
	constexpr int sp = ia32_registers::sp, fp = ia32_registers::fp;
	if (column_ < 0 || column_ >= ia32_registers::count)
		return outcome::malformed;
	const outcome how_cfa = find_cfa();
	const outcome how_pc = find_pc(next);
	if (how_pc == outcome::end)
		return outcome::end;	// its CFA means nothing then
	if (how_cfa != outcome::stepped)
		return how_cfa;
	if (how_pc != outcome::stepped && how_pc != outcome::zero)
		return how_pc;
	for (int n = 0; n < ia32_registers::count; n++) {
		std::uint32_t value;
		if (n != column_ && find(n, value) == outcome::stepped)
			next.set(n, value);
	}
	if (!next.knows(sp))
		next.set(sp, *cfa_);
	// The caller's frame is further out, except where a signal switched
	// stacks.
	if (!signal_ && from_.knows(sp) && next[sp] <= from_[sp])
		return outcome::malformed;
	next.exact = signal_;
	return how_pc != outcome::zero ? how_pc : unwind::outcome_of_zero(
	    by_fp_, next.knows(fp) ? next[fp] : 0);
}

} // namespace

outcome
ia32_step(file &f, std::uint64_t lookup, unwind::memory &words,
    ia32_registers &regs) noexcept
{
	const std::lock_guard locked(f.lock());
	if (f.elf() == nullptr)
		return outcome::no_info;
	if (f.ia32 == nullptr) {
		const process::memory_want want;
		std::unique_ptr<attachment> made(new (std::nothrow)
		    ia32_cfi(f));
		if (made == nullptr || want.is())
			return outcome::no_info;
		f.ia32 = std::move(made);
	}
	const frame_holder frame =
	    static_cast<ia32_cfi *>(f.ia32.get())->find(lookup);
	if (frame == nullptr)
		return outcome::no_info;
	ia32_registers next;
	const outcome how = stepping(frame.get(), words, regs).run(next);
	if (how == outcome::stepped)
		regs = next;
	else if (how == outcome::zero || how == outcome::strayed)
		regs.set(ia32_registers::sp, next[ia32_registers::sp]);
	return how;
}

} // namespace stack9::remote
