// Writes strings that may hold any byte.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tools/model/hex.h"

namespace tools {
namespace {

using nlohmann::json;

bool
is_ascii(char c)
{
	return static_cast<unsigned char>(c) < 0x80;
}

} // namespace

// The JSON library knows UTF-8.  It escapes nothing outside ASCII, so a run of
// such bytes needs no reading back.
std::string
utf8(std::string_view bytes)
{
	std::string text;
	auto at = bytes.begin();
	while (at != bytes.end()) {
		const auto run = std::find_if_not(at, bytes.end(), is_ascii);
		const auto end = std::find_if(run, bytes.end(), is_ascii);
		text.append(at, run);
		if (run != end) {
			const std::string quoted = json(std::string(run, end))
			    .dump(-1, ' ', false,
			    json::error_handler_t::replace);
			text.append(quoted, 1, quoted.size() - 2);
		}
		at = end;
	}
	return text;
}

std::string
json_member(std::string_view key, const std::string &value)
{
	// Only ASCII is written: a terminal also acts on the control characters
	// of Unicode.
	try {
		return fmt::format("\"{}\":{}", key,
		    json(value).dump(-1, ' ', true));
	} catch (const json::type_error &) {
		return fmt::format("\"{}\":{},\"{}_hex\":\"{}\"", key,
		    json(value).dump(-1, ' ', true,
		    json::error_handler_t::replace), key, in_hex(value));
	}
}

} // namespace tools
