// Compares what libdw makes of unwind information with what a row says.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_libdw.h"

#include <cstdlib>

#include <dwarf.h>
#include <fmt/format.h>

#include "corpus_expression.h"

using stack9::unwind::place;
using stack9::unwind::row;

namespace {

constexpr const char *names[stack9::unwind::register_count] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9",
	"r10", "r11", "r12", "r13", "r14", "r15", "return address",
};

// The registers that a call keeps (psABI 3.2.1), except rbx; nobody needs to
// say so.
bool
kept_by_calls(int number)
{
	return number == stack9::unwind::register_fp ||
	    (number >= 12 && number <= 15);
}

// The word of libdw on one register, for comparing.
struct word {
	Dwarf_Op	memory[3]{};
	Dwarf_Op	*ops = nullptr;
	std::size_t	count = 0;
	bool		known;

	word(Dwarf_Frame *frame, int number)
	    : known(dwarf_frame_register(frame, number, memory, &ops,
		&count) == 0) {}

	bool same() const { return count == 0 && ops == nullptr; }
	bool undefined() const { return count == 0 && ops != nullptr; }

	// At (or, as_value, is) the CFA plus number.
	bool
	by_cfa(std::int64_t number, bool as_value) const
	{
		const std::size_t n = count - (as_value ? 1 : 0);
		if (ops == nullptr || count == 0 || n == 0 || n > 2 ||
		    ops[0].atom != DW_OP_call_frame_cfa ||
		    (as_value && ops[n].atom != DW_OP_stack_value))
			return false;
		if (n == 1)
			return number == 0;
		return ops[1].atom == DW_OP_plus_uconst &&
		    static_cast<std::int64_t>(ops[1].number) == number;
	}

	// The CFA is pushed before an expression is worked out.
	bool
	by_expression(std::span<const std::byte> bytes, bool as_value) const
	{
		std::vector<Dwarf_Op> mine = operations(bytes);
		Dwarf_Op op{};
		op.atom = DW_OP_call_frame_cfa;
		mine.insert(mine.begin(), op);
		op.atom = DW_OP_stack_value;
		if (as_value)
			mine.push_back(op);
		return same_operations(mine, {ops, count});
	}

	bool
	in_register(std::int64_t number) const
	{
		return count == 1 && ops[0].atom == DW_OP_regx &&
		    static_cast<std::int64_t>(ops[0].number) == number;
	}
};

// Compares a register of which nothing is said.  elfutils 0.188 takes rax's
// number for rbx's there, so these two show nothing.
bool
same_default(int number, const word &theirs)
{
	if (number == 0 || number == 3)
		return theirs.same() || theirs.undefined();
	if (number == stack9::unwind::register_sp)
		return theirs.by_cfa(0, true);
	return kept_by_calls(number) ? theirs.same() : theirs.undefined();
}

std::string
text_of(const Dwarf_Op *ops, std::size_t count)
{
	if (count == 0)
		return ops == nullptr ? "same" : "undefined";
	std::string text;
	for (std::size_t i = 0; i < count; i++)
		text += fmt::format("{}{:#x}({:#x},{:#x})", i == 0 ? "" : " ",
		    ops[i].atom, ops[i].number, ops[i].number2);
	return text;
}

std::string
text_of(const place &p)
{
	constexpr const char *how[] = {
		"unspecified", "same", "undefined", "offset", "value_offset",
		"in_register", "expression", "value_expression",
	};
	const auto ops = operations(p.bytes());
	return fmt::format("{} {}", how[p.what], ops.empty() ?
	    std::to_string(p.number) : text_of(ops.data(), ops.size()));
}

} // namespace

libdw_row::libdw_row(Dwarf_CFI *cfi, std::uintptr_t pc)
{
	if (dwarf_cfi_addrframe(cfi, pc, &frame_) != 0) {
		frame_ = nullptr;
		return;
	}
	Dwarf_Addr begin, end;
	return_column_ = dwarf_frame_info(frame_, &begin, &end, &signal_frame_);
	end_ = end;
	if (dwarf_frame_cfa(frame_, &cfa_, &cfa_count_) != 0)
		cfa_ = nullptr;
}

libdw_row::~libdw_row()
{
	std::free(frame_);
}

bool
libdw_row::computes() const
{
	return cfa_ != nullptr && cfa_->atom != DW_OP_bregx;
}

bool
libdw_row::same_cfa(const row &r) const
{
	if (cfa_ == nullptr)
		return true;
	if (r.cfa_register < 0)
		return same_operations(operations(r.cfa_expression),
		    {cfa_, cfa_count_});
	return cfa_count_ == 1 && cfa_->atom == DW_OP_bregx &&
	    static_cast<int>(cfa_->number) == r.cfa_register &&
	    static_cast<std::int64_t>(cfa_->number2) == r.cfa_offset;
}

bool
libdw_row::same_place(int number, const place &p) const
{
	const word theirs(frame_, number);
	if (!theirs.known)
		return false;
	switch (p.what) {
	case place::unspecified:
		return same_default(number, theirs);
	case place::same:
		return theirs.same();
	case place::undefined:
		return theirs.undefined();
	case place::offset:
	case place::value_offset:
		return theirs.by_cfa(p.number, p.what == place::value_offset);
	case place::in_register:
		return theirs.in_register(p.number);
	case place::expression:
	case place::value_expression:
		return theirs.by_expression(p.bytes(),
		    p.what == place::value_expression);
	}
	return false;
}

const char *
libdw_row::differs(const row &r) const
{
	if (r.return_column != return_column_)
		return "return column";
	if (r.signal_frame != signal_frame_)
		return "signal frame";
	if (!same_cfa(r))
		return "CFA";
	for (int i = 0; i < stack9::unwind::register_count; i++)
		if (!same_place(i, r.places[static_cast<std::size_t>(i)]))
			return names[i];
	return nullptr;
}

std::string
libdw_row::text() const
{
	if (frame_ == nullptr)
		return "none";
	std::string text = "CFA " + (cfa_ == nullptr ? "invalid" :
	    text_of(cfa_, cfa_count_));
	for (int i = 0; i < stack9::unwind::register_count; i++) {
		const word w(frame_, i);
		if (!w.undefined())
			text += fmt::format(", {} {}", names[i],
			    text_of(w.ops, w.count));
	}
	return text;
}

std::string
text_of(const row &r)
{
	std::string text;
	if (r.cfa_register >= 0) {
		text = fmt::format("CFA r{} + {}", r.cfa_register,
		    r.cfa_offset);
	} else {
		const auto ops = operations(r.cfa_expression);
		text = "CFA " + text_of(ops.data(), ops.size());
	}
	for (std::size_t i = 0; i < r.places.size(); i++)
		if (r.places[i].what != place::unspecified)
			text += fmt::format(", {} {}", names[i],
			    text_of(r.places[i]));
	return fmt::format("{} [{:#x}, {:#x}){}", text, r.begin, r.end,
	    r.signal_frame ? " signal" : "");
}
