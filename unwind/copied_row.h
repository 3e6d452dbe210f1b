// Reads a row from unwind information that may be unmapped at any moment:
// another thread may have left the module of its frame since, and closed it.
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
	// Does what row_here() does, but reads the information through a
	// memory.  malformed also means that the information is gone.
	found read(memory &, std::uintptr_t pc) noexcept;
	// Valid until the next read().
	const row &get() const noexcept { return row_; }

private:
	found search(memory &, std::uintptr_t pc) noexcept;
	found read_entry(memory &, std::uintptr_t fde, std::uintptr_t pc)
	    noexcept;

	// Only 54 of a system's 3 million functions need more bytes.
	alignas(8) std::array<std::byte, 4096>	 bytes_;
	row					 row_;
};

// Finds the rule that look_up() (table.h) finds.  A rule that is not known yet
// is computed from a copied row.
rule rule_for(memory &, std::uintptr_t lookup, copied_row &scratch) noexcept;

// Reads the code of this process by copied rows.
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
