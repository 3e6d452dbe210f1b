// Reads and writes what callers allocate.  The caller of a structure may have
// been built with an older header, whose structure ends earlier, or with a
// newer one, whose further members have to be 0.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace stack9 {

inline constexpr char unknown_option_flags[] =
    "options->flags has one that this release does not know";

inline constexpr char unknown_size[] =
    "options->size is not that of the structure";

// Copies the caller's structure, whose first member is its size.  Members that
// the caller does not know become 0.  Returns NULL, or which member is wrong.
template <class T>
const char *
read_options(const T *from, std::uint32_t first_size, T &to) noexcept
{
	to = T{};
	if (from == nullptr)
		return nullptr;
	const std::uint32_t size = from->size;
	if (size < first_size || size > 4096)
		return unknown_size;
	const auto *const bytes = reinterpret_cast<const unsigned char *>(from);
	if (size > sizeof to && std::any_of(bytes + sizeof to, bytes + size,
	    [](unsigned char b) { return b != 0; }))
		return "options has a member that this release does not know "
		    "and that is not 0";
	std::memcpy(&to, from, std::min<std::size_t>(size, sizeof to));
	return nullptr;
}

// Copies a result to the caller's structure, as much of it as the caller knows.
// Members that this library does not know become 0.  False: its size is not
// that of the structure.
template <class T>
bool
write_result(T from, std::uint32_t first_size, T *to) noexcept
{
	const std::uint32_t size = to->size;
	if (size < first_size || size > 4096)
		return false;
	from.size = size;
	if (size == sizeof from) [[likely]] {	// no call to copy it
		*to = from;
		return true;
	}
	auto *const bytes = reinterpret_cast<unsigned char *>(to);
	std::memcpy(bytes, &from, std::min<std::size_t>(size, sizeof from));
	if (size > sizeof from)
		std::memset(bytes + sizeof from, 0, size - sizeof from);
	return true;
}

// Copies a text to the caller's buffer of at least one byte, cut to its size
// and ended by NUL.  False: it was cut.
inline bool
write_text(std::string_view from, char *to, std::size_t size) noexcept
{
	const std::size_t fits = std::min(from.size(), size - 1);
	std::memcpy(to, from.data(), fits);
	to[fits] = '\0';
	return fits == from.size();
}

} // namespace stack9
