// Numbers the programs and the maps of the object on events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "event_names.h"

namespace stack9::events {

#define	S9_ID(name)	name,
#define	S9_NAME(name)	#name,
enum class program_id : std::uint8_t {
	S9_PROGRAMS_OF_ANY_KERNEL(S9_ID)
	S9_PROGRAMS_OF_NEW_KERNELS(S9_ID)
	S9_PROGRAMS_THAT_LEND(S9_ID)
};
enum class map_id : std::uint8_t {
	S9_MAPS(S9_ID)
	S9_MAPS_OF_THE_BORDER(S9_ID)
};

// By id.
inline constexpr const char *program_names[] = {
	S9_PROGRAMS_OF_ANY_KERNEL(S9_NAME)
	S9_PROGRAMS_OF_NEW_KERNELS(S9_NAME)
	S9_PROGRAMS_THAT_LEND(S9_NAME)
};
inline constexpr const char *map_names[] = {
	S9_MAPS(S9_NAME)
	S9_MAPS_OF_THE_BORDER(S9_NAME)
};
#undef S9_ID
#undef S9_NAME

inline constexpr std::size_t program_count = std::size(program_names);
inline constexpr std::size_t map_count = std::size(map_names);

constexpr std::size_t
index_of(program_id id) noexcept
{
	return static_cast<std::size_t>(id);
}

constexpr std::size_t
index_of(map_id id) noexcept
{
	return static_cast<std::size_t>(id);
}

// n: name is none of them.
template <std::size_t n>
constexpr std::size_t
index_in(const char *const (&names)[n], std::string_view name) noexcept
{
	return static_cast<std::size_t>(std::find(names, names + n, name) -
	    names);
}

using program_set = std::bitset<program_count>;

} // namespace stack9::events
