// Measures what the recorder itself costs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

namespace stackrecord {

class cost {
public:
	// The children that there are now count, too: one reads strangers'
	// files.
	cost();

	// CPU time since the beginning.
	std::uint64_t	ns() const;

private:
	std::uint64_t	now() const;

	std::vector<clockid_t>	clocks_;
	std::uint64_t		began_;
};

} // namespace stackrecord
