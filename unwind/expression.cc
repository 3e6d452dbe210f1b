// Evaluates expressions over the registers of this CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "expression.h"

#include "expression_decoder.h"

namespace stack9::unwind {

outcome
evaluate(std::span<const std::byte> expression, const registers &regs,
    memory &m, std::optional<std::uintptr_t> pushed,
    std::uintptr_t &value) noexcept
{
	return evaluate_by(expression, regs, m, pushed, value);
}

} // namespace stack9::unwind
