// A row out of unwind information that may be unmapped at any moment: what
// another thread was in, it may have left since, and closed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "row.h"
#include "code.h"
#include "memory.h"

namespace stack9::unwind {

class copied_row {
public:
	// As row_here(), the information being read through a memory;
	// malformed also if it has gone.
	found read(memory &, std::uintptr_t pc) noexcept;
	// Good until the next read().
	const row &get() const noexcept { return row_; }

private:
	found search(memory &, std::uintptr_t pc) noexcept;
	found read_entry(memory &, std::uintptr_t fde, std::uintptr_t pc)
	    noexcept;

	// Of 3 million functions of a system, 54 are described by more.
	alignas(8) std::array<std::byte, 4096>	 bytes_;
	row					 row_;
};

// The rule of look_up() (table.h), computed so at first sight.
rule rule_for(memory &, std::uintptr_t lookup, copied_row &scratch) noexcept;

// This process's code, so read.
class copied_code final : public code {
public:
	explicit copied_code(memory &words) noexcept : words_(words) {}

	rule rule_of(std::uintptr_t lookup) noexcept override;
	found row_of(std::uintptr_t lookup, row &) noexcept override;
	bool covers(std::uintptr_t pc) noexcept override;

private:
	memory		&words_;
	copied_row	row_;
};

} // namespace stack9::unwind
