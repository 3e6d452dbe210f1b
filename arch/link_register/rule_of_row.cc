// Makes the rule that says the same as a row, on CPUs whose calls leave the
// return address in a register: aarch64 and riscv64.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/rule_of_row.h"

namespace stack9::unwind {

rule
rule_of_row(const row &r, std::uintptr_t) noexcept
{
	const place &address = place_of(r, r.return_column);
	const place &fp = place_of(r, register_fp);

	if (address.what == place::undefined)
		return kind::end;
	if (r.signal_frame)
		return is_plain_signal_frame(r) ? rule(kind::signal) :
		    rule(cause::cfa_expression, r.interrupted());
	if (r.return_column != register_lr || address.what != place::offset)
		return cause::return_address;
	if (r.cfa_register < 0)
		return cause::cfa_expression;
	if ((r.cfa_register != register_sp && r.cfa_register != register_fp) ||
	    !is_kept(place_of(r, register_sp)))
		return cause::cfa_register;
	// stp x29, x30 leaves them so, and compilers save ra and s0 so.
	if (fp.what != place::offset || fp.number != address.number - 8)
		return cause::frame_pointer;
	if (!fits(r.cfa_offset) || fp.number > -16 || fp.number % 8 != 0 ||
	    fp.number < -static_cast<std::int64_t>(rule::field_max * 8))
		return cause::far;
	// The memory below sp may be gone.
	if (r.cfa_register == register_sp && -fp.number > r.cfa_offset)
		return cause::far;
	return {r.cfa_register == register_sp ? kind::sp : kind::fp,
	    static_cast<std::uint32_t>(r.cfa_offset / 8),
	    static_cast<std::uint32_t>(-fp.number / 8)};
}

} // namespace stack9::unwind
