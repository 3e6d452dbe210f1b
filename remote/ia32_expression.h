// Evaluates DWARF expressions, as libdw gives them, over 32-bit x86 registers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>

#include <elfutils/libdw.h>

#include "unwind/memory.h"
#include "unwind/outcome.h"

#include "ia32_registers.h"

namespace stack9::remote {

// The result of an expression: a value, the address of a value, or the register
// that holds it.
struct ia32_result {
	enum { is_value, is_address, is_register } what;
	std::uint32_t	number;
};

// stepped: to has the result.  cfa: the CFA, if it is known.
unwind::outcome ia32_evaluate(std::span<const Dwarf_Op>,
    const ia32_registers &, unwind::memory &,
    std::optional<std::uint32_t> cfa, ia32_result &to) noexcept;

} // namespace stack9::remote
