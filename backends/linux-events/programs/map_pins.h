// Keeps maps pinned in a directory, as long as this is there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace stack9::events {

class map_pins {
public:
	map_pins() noexcept = default;
	map_pins(const map_pins &) = delete;
	map_pins &operator=(const map_pins &) = delete;
	// Removes those that are still the same maps.
	~map_pins();

	// 0; or an errno.  Throws std::bad_alloc.
	int add(const std::string &path, int map);

private:
	static std::uint32_t id_of(int map) noexcept;

	std::vector<std::pair<std::string, std::uint32_t>> all_;
	const pid_t	owner_ = getpid();
};

} // namespace stack9::events
