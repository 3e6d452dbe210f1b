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
	std::uint16_t	modules;	// of an interpreter: sys.modules; 0:
					// it is not known
	// A thread: its frame, or since 3.11 and up to 3.12 its C frame.
	std::uint16_t	frame, frame_in_cframe;
	bool		has_cframe;
	std::uint16_t	thread_id;
	// A frame.  Up to 3.10 the position is f_lasti.
	std::uint16_t	code, previous, position, owner, thread_code_index;
	// A code object.
	std::uint16_t	filename, name, qualname, first_line, lines, bytecode,
			thread_codes;
	std::uint16_t	first_local;	// of a frame
};

// Where tasks of asyncio and coroutines have their members.
struct task_layout {
	bool		is_known = false;
	std::uint16_t	coroutine, name;	// of a task
	std::uint16_t	future_state;	// of a future
	// A coroutine: its frame, or up to 3.10 the address of that, and the
	// state of it (3.10: in the frame; 3.9: whether it runs).
	std::uint16_t	frame, frame_state;
	std::int8_t	created;	// the state of one that has not begun
	// A frame: the end of its stack, an address or (3.10 to 3.13) a number
	// of words from the beginning.
	std::uint16_t	stack_end, stack;
	// Since 3.14: the node of a list in a task, and the heads of lists.  0:
	// the tasks are in a set.
	std::uint16_t	node, of_thread;
	std::uint32_t	of_interpreter;
};

// Gives it; it is not known of a release that nobody has compared.
task_layout task_layout_of(const question &, const loaded &, const layout &);

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
