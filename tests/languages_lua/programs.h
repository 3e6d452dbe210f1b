// Names the programs of Lua that tests run.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

inline bool
is_lua_here(const std::string &lua)
{
	const char *const root = std::getenv("STACK9_LANGUAGE_ROOT");
	const std::string in = root != nullptr ? "chroot '" +
	    std::string(root) + "' " : "";
	return std::system((in + lua + " -v >/dev/null 2>&1").c_str()) == 0;
}

// STACK9_LUAS names others, with colons between.  PATH has them, or that of the
// root of another system.
inline std::vector<std::string>
luas()
{
	const char *const given = std::getenv("STACK9_LUAS");
	std::string rest = given != nullptr ? given : "lua5.3:lua5.4:luajit";
	std::vector<std::string> all;
	while (!rest.empty()) {
		const std::size_t end = rest.find(':');
		if (is_lua_here(rest.substr(0, end)))
			all.push_back(rest.substr(0, end));
		rest = end == rest.npos ? "" : rest.substr(end + 1);
	}
	return all;
}
