// Takes DWARF expressions apart to compare them, and works them out on made-up
// registers and memory.  It is written apart from the unwinder's own, because
// it is to test that.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <elfutils/libdw.h>

// The operations; none if the bytes end amid one.
std::vector<Dwarf_Op> operations(std::span<const std::byte>);

bool same_operations(std::span<const Dwarf_Op>, std::span<const Dwarf_Op>);

// A machine that nobody has: every register and every word has a value of its
// own that shows where it comes from.
struct made_up {
	std::uint64_t	pc;
	std::uint64_t	seed;

	std::uint64_t of_register(std::uint64_t number) const;
	std::uint64_t word(std::uint64_t address) const;
};

// Answers what the expression leaves, or nothing if it does what no unwind
// information of today does.
std::optional<std::uint64_t> work_out(std::span<const std::byte>,
    const made_up &, std::optional<std::uint64_t> first = {});
