// Names the programs of Lua that tests run.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

// STACK9_LUAS names others, with colons between, which PATH has.
inline std::vector<std::string>
luas()
{
	const char *const given = std::getenv("STACK9_LUAS");
	std::string rest = given != nullptr ? given : "lua5.3:lua5.4";
	std::vector<std::string> all;
	while (!rest.empty()) {
		const std::size_t end = rest.find(':');
		all.push_back(rest.substr(0, end));
		rest = end == rest.npos ? "" : rest.substr(end + 1);
	}
	return all;
}
