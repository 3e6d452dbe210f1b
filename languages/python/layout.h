// Says where the structures of CPython have their members, by version.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "languages/runtime.h"

namespace stack9::languages::python {

// Offsets in bytes.
struct layout {
	unsigned int	minor = 0;	// 3.minor; 0: it is not known
	bool		is_free_threaded = false;
	// _PyRuntime, the interpreters in it, and their threads.
	std::uint16_t	interpreters_head, next_interpreter, threads_head,
			next_thread;
	// A thread: its frame, or since 3.11 and up to 3.12 its C frame.
	std::uint16_t	frame, frame_in_cframe;
	bool		has_cframe;
	std::uint16_t	thread_id;
	// A frame.  Up to 3.10 the position is f_lasti.
	std::uint16_t	code, previous, position, owner, thread_code_index;
	// A code object.
	std::uint16_t	filename, name, qualname, first_line, lines, bytecode,
			thread_codes;
};

// The file and the bias of a runtime, with the symbols that the walk uses.
struct loop {
	std::uint64_t	begin = 0, end = 0;	// of _PyEval_EvalFrameDefault
	std::uint64_t	cold_begin = 0, cold_end = 0;	// of its other part
	std::uint64_t	version = 0;		// of Py_Version
};

// Gives the layout of the runtime whose _PyRuntime is at an address.  minor 0:
// why is a sentence.
layout layout_of(const question &, const loaded &, std::uint64_t version_at,
    std::string &why);

// The bytes of an object before its members.
inline std::uint64_t
header_of(const layout &l) noexcept
{
	return l.is_free_threaded ? 32 : 16;
}

} // namespace stack9::languages::python
