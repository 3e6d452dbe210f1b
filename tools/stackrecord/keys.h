// Makes keys of tables: the bytes of values, one after the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

namespace stackrecord {

template <class Value>
void
append_bytes(std::string &key, const Value &value)
{
	static_assert(std::is_trivially_copyable_v<Value>);
	char bytes[sizeof value];
	std::memcpy(bytes, &value, sizeof value);
	key.append(bytes, sizeof value);
}

inline void
append_bytes(std::string &key, const std::string &text)
{
	append_bytes(key, text.size());
	key += text;
}

} // namespace stackrecord
