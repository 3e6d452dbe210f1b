// Makes the rule that says the same as a row, on x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/rule_of_row.h"

namespace stack9::unwind {

namespace {

constexpr std::uint8_t deref = 0x06;

// The C library describes the signal frame so: CFA and rsp are *(rsp + 160),
// rip at rsp + 168, rbp at rsp + 120.
bool
is_signal_frame(const row &r) noexcept
{
	cursor c(r.cfa_expression);
	std::int64_t offset = 0;

	if (r.cfa_register >= 0)
		return is_plain_signal_frame(r);
	return takes_base(c, register_sp, offset) &&
	    offset == static_cast<std::int64_t>(signal_sp) &&
	    c.fixed<std::uint8_t>() == deref && c.left() == 0 &&
	    is_at(place_of(r, register_pc), register_sp, signal_pc) &&
	    is_at(place_of(r, register_fp), register_sp, signal_fp) &&
	    (is_kept(place_of(r, register_sp)) ||
	    is_at(place_of(r, register_sp), register_sp, signal_sp));
}

// Linkers describe the lazy entries of a PLT, 16 bytes each, by an expression:
// an entry has pushed a word from its byte number `from` on.
//	breg7 8; breg16 0; lit15; and; lit<from>; ge; lit3; shl; plus
// Gives rsp's distance from the CFA, or 0.
std::int64_t
plt_distance(const row &r, std::uintptr_t pc) noexcept
{
	constexpr std::uint8_t begin[] = {0x80, 0, 0x3f, 0x1a};
	constexpr std::uint8_t end[] = {0x2a, 0x33, 0x24, 0x22};
	constexpr std::uint8_t lit0 = 0x30, lit15 = 0x3f;
	cursor c(r.cfa_expression);
	std::int64_t distance = 0;

	if (r.cfa_register >= 0 || !takes_base(c, register_sp, distance))
		return 0;
	for (const auto byte : begin)
		if (c.fixed<std::uint8_t>() != byte)
			return 0;
	const auto from = c.fixed<std::uint8_t>();
	for (const auto byte : end)
		if (c.fixed<std::uint8_t>() != byte)
			return 0;
	if (!c.ok() || c.left() != 0 || from < lit0 || from > lit15)
		return 0;
	return distance + ((pc & 15) >= static_cast<unsigned>(from - lit0) ?
	    8 : 0);
}

// A function that has aligned its frame has CFA = *(rbp - n), and rbp saved at
// rbp.
bool
is_realigned(const row &r, std::int64_t &below) noexcept
{
	cursor c(r.cfa_expression);
	std::int64_t offset = 0;

	if (r.cfa_register >= 0 || !takes_base(c, register_fp, offset) ||
	    c.fixed<std::uint8_t>() != deref || c.left() != 0 ||
	    offset < -static_cast<std::int64_t>(rule::field_max * 8))
		return false;
	below = -offset;
	return fits(below) && is_at(place_of(r, register_fp), register_fp, 0);
}

rule
with_saved_fp(kind base, std::int64_t cfa, const place &fp) noexcept
{
	const auto words = [](std::int64_t bytes) {
		return static_cast<std::uint32_t>(bytes / 8);
	};

	if (!fits(cfa))
		return cause::far;
	if (is_kept(fp))
		return {base, words(cfa)};
	if (fp.what != place::offset)
		return cause::frame_pointer;
	if (fp.number < -static_cast<std::int64_t>(rule::field_max * 8) ||
	    !fits(-fp.number))
		return cause::far;
	return {base, words(cfa), words(-fp.number)};
}

} // namespace

rule
rule_of_row(const row &r, std::uintptr_t pc) noexcept
{
	const place &address = place_of(r, r.return_column);
	const place &fp = place_of(r, register_fp);
	std::int64_t distance = 0;

	if (address.what == place::undefined)
		return kind::end;
	if (r.signal_frame)
		return is_signal_frame(r) ? rule(kind::signal) :
		    rule(cause::cfa_expression, r.interrupted());
	if (r.return_column != register_pc || address.what != place::offset ||
	    address.number != -8)
		return cause::return_address;
	if (!is_kept(place_of(r, register_sp)))
		return cause::cfa_register;
	if (r.cfa_register == register_sp)
		return with_saved_fp(kind::sp, r.cfa_offset, fp);
	if (r.cfa_register == register_fp)
		return with_saved_fp(kind::fp, r.cfa_offset, fp);
	if (r.cfa_register >= 0)
		return cause::cfa_register;
	if (is_realigned(r, distance))
		return {kind::realigned,
		    static_cast<std::uint32_t>(distance / 8)};
	distance = plt_distance(r, pc);
	return distance == 0 ? rule(cause::cfa_expression) :
	    with_saved_fp(kind::sp, distance, fp);
}

} // namespace stack9::unwind
