// Measures what the recorder itself costs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stackrecord {

class cost {
public:
	// Children count, too: one reads strangers' files, and there may be
	// another one later.
	cost();

	// CPU time since the beginning.
	std::uint64_t	ns() const;

private:
	std::uint64_t	now() const;

	std::uint64_t	began_;
};

} // namespace stackrecord
