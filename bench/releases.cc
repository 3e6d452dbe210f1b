// Asks programs for their versions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "releases.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <regex>

namespace {

std::optional<release>
ask(const std::string &path, const std::string &name)
{
	FILE *const in = popen(("'" + path + "' --version 2>/dev/null").c_str(),
	    "r");
	if (in == nullptr)
		return {};
	std::array<char, 256> line{};
	const bool is_there = std::fgets(line.data(), line.size(), in) !=
	    nullptr;
	for (std::array<char, 256> rest; std::fgets(rest.data(), rest.size(),
	    in) != nullptr;)
		;
	if (pclose(in) != 0 || !is_there)
		return {};
	const std::string text = line.data();
	std::smatch version;
	std::regex_search(text, version, std::regex("[0-9]+(\\.[0-9]+)+"));
	return release{path, name + " " + version.str()};
}

} // namespace

std::vector<release>
releases_of(const std::string &program)
{
	std::vector<release> all;
	if (const auto here = ask(program, program))
		all.push_back(*here);
	if (const char *const dir = std::getenv("STACK9_PEERS"))
		if (const auto other = ask(std::string(dir) + "/" + program,
		    program))
			all.push_back(*other);
	return all;
}
