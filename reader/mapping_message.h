// Writes a mapping into a message, and reads it there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "process/mapping.h"

#include "message.h"

namespace stack9::sandbox {

// file_number: of its file; 0: it has none.  Throws std::bad_alloc.
inline void
put_mapping(message &to, const process::mapping &m, std::uint32_t file_number)
{
	to.put(std::uint64_t{m.start});
	to.put(std::uint64_t{m.end});
	to.put(m.offset);
	to.put(m.inode);
	to.put(m.major);
	to.put(m.minor);
	to.put(m.readable);
	to.put(m.writable);
	to.put(m.executable);
	to.put(m.deleted);
	to.put(m.is_image);
	to.put(m.is_moved);
	to.put(m.is_refused);
	to.put(m.is_debug_file);
	to.put(m.image_at);
	to.put(file_number);
	to.put_text(m.path);
}

// Throws std::bad_alloc.
inline process::mapping
take_mapping(message &from, std::uint32_t &file_number)
{
	process::mapping m;
	m.start = from.get<std::uint64_t>();
	m.end = from.get<std::uint64_t>();
	m.offset = from.get<std::uint64_t>();
	m.inode = from.get<std::uint64_t>();
	m.major = from.get<std::uint32_t>();
	m.minor = from.get<std::uint32_t>();
	m.readable = from.get<bool>();
	m.writable = from.get<bool>();
	m.executable = from.get<bool>();
	m.deleted = from.get<bool>();
	m.is_image = from.get<bool>();
	m.is_moved = from.get<bool>();
	m.is_refused = from.get<bool>();
	m.is_debug_file = from.get<bool>();
	m.image_at = from.get<std::uint64_t>();
	file_number = from.get<std::uint32_t>();
	m.path = from.get_text();
	return m;
}

} // namespace stack9::sandbox
