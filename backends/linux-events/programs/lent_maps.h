// Keeps programs where programs of others jump to, and maps pinned for these.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace stack9::events {

class lent_maps {
public:
	lent_maps() noexcept = default;
	lent_maps(const lent_maps &) = delete;
	lent_maps &operator=(const lent_maps &) = delete;
	~lent_maps();

	// Puts a program into an array until take_back().  The caller keeps the
	// array open.  0; or an errno.  Throws std::bad_alloc.
	int lend(int array, int program);
	// Calls of others have no answer from then on.
	void take_back() noexcept;
	// Pins a map, until it is this object's end and the pin still that of
	// this map.  0; or an errno.  Throws std::bad_alloc.
	int pin(const std::string &path, int map);

private:
	static std::uint32_t id_of(int map) noexcept;
	bool is_mine() const noexcept { return owner_ == getpid(); }

	std::vector<int> arrays_;
	std::vector<std::pair<std::string, std::uint32_t>> pins_;
	const pid_t	owner_ = getpid();
};

} // namespace stack9::events
