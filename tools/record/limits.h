// Bounds what a file can make a reader do.  Files come from anybody, and root
// reads them.  stackrecord(5) has the same numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace recording {

inline constexpr std::size_t most_payload = std::size_t{64} << 20;
// Bytes after damage in which another segment is searched for.
inline constexpr std::size_t most_damage = 2 * most_payload;
inline constexpr std::size_t most_text = 65536;		// bytes of a name
inline constexpr std::size_t most_frames_of_stack = 65536;
inline constexpr std::size_t most_entries = std::size_t{1} << 20; // of a list

// The tables of one segment.
inline constexpr std::size_t most_modules = std::size_t{1} << 18;
inline constexpr std::size_t most_frames = std::size_t{1} << 20;
inline constexpr std::size_t most_stacks = std::size_t{1} << 20;
inline constexpr std::size_t most_processes = std::size_t{1} << 20;
inline constexpr std::size_t most_threads = std::size_t{1} << 20;
inline constexpr std::size_t most_bases = std::size_t{1} << 22;
inline constexpr std::size_t most_waits = std::size_t{1} << 18;
inline constexpr std::size_t most_events = std::size_t{1} << 16;
inline constexpr std::size_t most_frame_numbers = std::size_t{1} << 25;
inline constexpr std::size_t most_text_of_all = std::size_t{1} << 28;

} // namespace recording
