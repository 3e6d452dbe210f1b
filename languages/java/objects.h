// Finds objects of Java, and their classes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "layout.h"

namespace stack9::languages::java {

// Each gives an address; 0: there is none, or it cannot be read.
class objects {
public:
	objects(unwind::memory &m, const layout &l) noexcept : m_(m), l_(l) {}

	// The object that a handle of the machine leads to.
	std::uint64_t object_in(std::uint64_t handle) noexcept;
	// The one that a field of an object has.
	std::uint64_t object_at(std::uint64_t field) noexcept;
	// The class of an object.
	std::uint64_t class_of(std::uint64_t object) noexcept;

	// The bits of a collector in words that name objects.
	struct colors {
		std::uint64_t	bad = 0, shift = 0;	// 0: nothing
		bool operator==(const colors &) const = default;
	};
	// False: they are there, and cannot be read.
	bool read_colors(colors &) noexcept;

private:
	std::uint64_t plain(std::uint64_t word) noexcept;
	std::uint64_t extended(std::uint64_t address, std::uint64_t shift,
	    std::uint32_t word) noexcept;

	unwind::memory	&m_;
	const layout	&l_;
};

} // namespace stack9::languages::java
