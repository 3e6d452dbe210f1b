// Takes DWARF expressions apart and works them out, as far as unwind
// information has them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_expression.h"

#include <algorithm>
#include <cstring>

#include <dwarf.h>

namespace {

class reader {
public:
	explicit reader(std::span<const std::byte> b) : rest_(b) {}

	bool empty() const { return rest_.empty(); }
	bool failed() const { return failed_; }

	template <class T> std::uint64_t
	fixed()
	{
		T value{};
		if (rest_.size() < sizeof value) {
			failed_ = true;
			return 0;
		}
		std::memcpy(&value, rest_.data(), sizeof value);
		rest_ = rest_.subspan(sizeof value);
		return static_cast<std::uint64_t>(
		    static_cast<std::int64_t>(value));
	}

	std::uint64_t
	leb(bool is_signed)
	{
		std::uint64_t value = 0, byte = 0x80;
		unsigned int shift = 0;
		for (; (byte & 0x80) != 0 && shift < 64; shift += 7) {
			byte = fixed<std::uint8_t>();
			value |= (byte & 0x7f) << shift;
		}
		if (is_signed && (byte & 0x40) != 0 && shift < 64)
			value |= ~std::uint64_t{0} << shift;
		return value;
	}

private:
	std::span<const std::byte>	rest_;
	bool				failed_ = false;
};

bool
is_breg(unsigned int atom)
{
	return atom >= DW_OP_breg0 && atom <= DW_OP_breg31;
}

bool
is_lit(unsigned int atom)
{
	return atom >= DW_OP_lit0 && atom <= DW_OP_lit31;
}

void
operands(reader &in, Dwarf_Op &op)
{
	switch (op.atom) {
	case DW_OP_const1u: case DW_OP_pick: case DW_OP_deref_size:
		op.number = in.fixed<std::uint8_t>();
		break;
	case DW_OP_const1s:
		op.number = in.fixed<std::int8_t>();
		break;
	case DW_OP_const2u:
		op.number = in.fixed<std::uint16_t>();
		break;
	case DW_OP_const2s: case DW_OP_bra: case DW_OP_skip:
		op.number = in.fixed<std::int16_t>();
		break;
	case DW_OP_const4u:
		op.number = in.fixed<std::uint32_t>();
		break;
	case DW_OP_const4s:
		op.number = in.fixed<std::int32_t>();
		break;
	case DW_OP_const8u: case DW_OP_const8s: case DW_OP_addr:
		op.number = in.fixed<std::uint64_t>();
		break;
	case DW_OP_constu: case DW_OP_plus_uconst: case DW_OP_regx:
		op.number = in.leb(false);
		break;
	case DW_OP_consts:
		op.number = in.leb(true);
		break;
	case DW_OP_bregx:
		op.number = in.leb(false);
		op.number2 = in.leb(true);
		break;
	default:
		if (is_breg(op.atom))
			op.number = in.leb(true);
		break;
	}
}

using stack = std::vector<std::uint64_t>;

bool
compute(unsigned int atom, std::uint64_t a, std::uint64_t b, std::uint64_t &to)
{
	const auto sa = static_cast<std::int64_t>(a);
	const auto sb = static_cast<std::int64_t>(b);
	switch (atom) {
	case DW_OP_plus:	to = a + b; return true;
	case DW_OP_minus:	to = a - b; return true;
	case DW_OP_mul:		to = a * b; return true;
	case DW_OP_and:		to = a & b; return true;
	case DW_OP_or:		to = a | b; return true;
	case DW_OP_xor:		to = a ^ b; return true;
	case DW_OP_shl:		to = b < 64 ? a << b : 0; return true;
	case DW_OP_shr:		to = b < 64 ? a >> b : 0; return true;
	case DW_OP_eq:		to = a == b; return true;
	case DW_OP_ne:		to = a != b; return true;
	case DW_OP_ge:		to = sa >= sb; return true;
	case DW_OP_gt:		to = sa > sb; return true;
	case DW_OP_le:		to = sa <= sb; return true;
	case DW_OP_lt:		to = sa < sb; return true;
	default:		return false;
	}
}

bool
binary(unsigned int atom, stack &s)
{
	if (s.size() < 2)
		return false;
	const std::uint64_t b = s.back();
	s.pop_back();
	return compute(atom, s.back(), b, s.back());
}

bool
perform(const Dwarf_Op &op, const made_up &machine, stack &s)
{
	if (is_breg(op.atom))
		s.push_back(machine.of_register(op.atom - DW_OP_breg0) +
		    op.number);
	else if (op.atom == DW_OP_bregx)
		s.push_back(machine.of_register(op.number) + op.number2);
	else if (is_lit(op.atom))
		s.push_back(op.atom - DW_OP_lit0);
	else if (op.atom >= DW_OP_const1u && op.atom <= DW_OP_consts)
		s.push_back(op.number);
	else if (s.empty())
		return false;
	else if (op.atom == DW_OP_plus_uconst)
		s.back() += op.number;
	else if (op.atom == DW_OP_deref)
		s.back() = machine.word(s.back());
	else
		return binary(op.atom, s);
	return true;
}

} // namespace

std::vector<Dwarf_Op>
operations(std::span<const std::byte> bytes)
{
	std::vector<Dwarf_Op> all;
	reader in(bytes);
	while (!in.empty()) {
		Dwarf_Op op{};
		op.atom = static_cast<std::uint8_t>(in.fixed<std::uint8_t>());
		operands(in, op);
		if (in.failed())
			return {};
		all.push_back(op);
	}
	return all;
}

bool
same_operations(std::span<const Dwarf_Op> a, std::span<const Dwarf_Op> b)
{
	return std::equal(a.begin(), a.end(), b.begin(), b.end(),
	    [](const Dwarf_Op &x, const Dwarf_Op &y) {
		    return x.atom == y.atom && x.number == y.number &&
			x.number2 == y.number2;
	    });
}

std::uint64_t
made_up::of_register(std::uint64_t number) const
{
	// Apart by more than any frame is long, and aligned as a CFA is.
	return number == 16 ? pc : (seed + number) << 32;
}

std::uint64_t
made_up::word(std::uint64_t address) const
{
	return (address ^ seed) * 0x9e3779b97f4a7c15;
}

std::optional<std::uint64_t>
work_out(std::span<const std::byte> bytes, const made_up &machine,
    std::optional<std::uint64_t> first)
{
	stack s;
	if (first.has_value())
		s.push_back(*first);
	for (const Dwarf_Op &op : operations(bytes))
		if (!perform(op, machine, s))
			return std::nullopt;
	return s.empty() ? std::nullopt : std::optional(s.back());
}
