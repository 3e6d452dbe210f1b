// Writes strings that may hold any byte.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "json.h"

#include <nlohmann/json.hpp>

namespace stackprint {
namespace {

std::string
in_hex(const std::string &bytes)
{
	std::string text;
	for (const char c : bytes)
		text += fmt::format("{:02x}", static_cast<unsigned char>(c));
	return text;
}

} // namespace

std::string
json_member(std::string_view key, const std::string &value)
{
	using nlohmann::json;
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

} // namespace stackprint
