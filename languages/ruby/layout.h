// Says where the structures of Ruby have their members, by version.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "languages/runtime.h"

namespace stack9::languages::ruby {

// Offsets in bytes.  The members that all releases have at the same place are
// constants of the files that read them.
struct layout {
	unsigned int	version = 0;	// 207 is 2.7; 0: it is not known
	// An execution context and its thread.  pthread_self() is a member of
	// the thread, or since 3.3 of its native thread.
	std::uint16_t	context_thread, thread_context, thread_id,
			thread_native, native_id;
	std::uint16_t	thread_name;
	// The lists of threads: of a machine up to 2.7, then of its ractors.
	std::uint16_t	threads, ractors, ractor_node;
	// A control frame.
	std::uint16_t	frame_size;
	// The lines of compiled code, the size of an entry, and its parents.
	std::uint16_t	lines, line_size, local_code;
	// Strings: where the characters of short ones are, and whether their
	// length is a part of their flags.
	std::uint16_t	short_string;
	bool		has_short_length;
	// Arrays: the mask of the length of short ones.
	std::uint32_t	short_array;
	// Classes: the table of their variables up to 3.1, or the members for
	// a name and for the object of a singleton class.
	std::uint16_t	class_table, class_path, class_has_name, class_of;
};

// Gives the layout of the runtime whose ruby_version is at an address.  version
// 0: why is a sentence.
layout layout_of(unwind::memory &, std::uint64_t version_at, std::string &why);

} // namespace stack9::languages::ruby
