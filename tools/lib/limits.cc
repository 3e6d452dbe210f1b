// Asks the library for its counts, of which those that begin with "left-out-"
// are about limits.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "limits.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <stack9.h>

#include "json.h"

namespace tools {
namespace {

constexpr std::string_view prefix = "left-out-";

struct kind {
	std::string	name, meaning;
	std::uint64_t	count;
};

int
add(void *arg, const char *name, std::uint64_t count, const char *meaning)
    noexcept
{
	if (count == 0 ||
	    std::string_view(name).substr(0, prefix.size()) != prefix)
		return 0;
	try {
		static_cast<std::vector<kind> *>(arg)->push_back(
		    {name + prefix.size(), meaning, count});
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	return 0;
}

std::vector<kind>
left_out()
{
	std::vector<kind> all;
	stack9_stats(add, &all);
	return all;
}

} // namespace

// strtod() alone would take hexadecimal numbers, "nan" and more.
std::string
limits_error(const std::string &s)
{
	if (s == "none")
		return {};
	const double value = std::strtod(s.c_str(), nullptr);
	const bool good = s.find_first_not_of("0123456789.") == s.npos &&
	    s.find('.') == s.rfind('.') && value > 0 && std::isfinite(value);
	return good ? std::string() :
	    "not a number that is more than 0, nor \"none\": " + s;
}

void
set_limits(const std::string &factor)
{
	if (!factor.empty())
		setenv("STACK9_LIMITS", factor.c_str(), 1);
}

// More descriptors are not what the option gives, nor another end of a process.
std::string
left_out_text()
{
	std::string text;
	bool limits = false;
	for (const kind &k : left_out()) {
		text += fmt::format("{}{} ({})", text.empty() ?
		    "; left out: " : ", ", k.meaning, k.count);
		limits |= k.name != "descriptors" && k.name != "readers";
	}
	return text + (limits ? "; --limits reads more" : "");
}

std::string
left_out_json()
{
	std::string text;
	for (const kind &k : left_out())
		text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",",
		    k.name, k.count);
	return text.empty() ? "" : ",\"left_out\":{" + text + "}";
}

} // namespace tools
