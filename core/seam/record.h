// Defines the records that a capture fills: one stack, one name, one mapping,
// one line of source.  Their memory is the caller's.  api/ turns them into the
// samples and frames of <stack9.h>.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <stack9.h>

namespace stack9 {

class copy_taker;	// copy_taker.h
class written_stack;	// written.h

// A flag of a record beside STACK9_STACK_*: text has names, and pcs are all 0.
inline constexpr unsigned int record_has_text = 0x2;

// One capture.  The caller of a capture sets pcs, max, text, text_size and
// space, and zeroes the rest; the capture fills in everything else.
struct stack_record {
	stack9_thread	 thread;	// the thread
	stack9_side	 side;		// KERNEL or USER
	int		 error;		// 0, or why depth is 0 (errno)
	stack9_why	 why;		// the reason, as a number
	const char	*reason;	// the reason, in a sentence, or NULL;
					// never freed
	const char	*route;		// the route that took or refused it
	unsigned int	 flags;		// STACK9_STACK_*, record_has_text
	std::uint32_t	 depth;		// frames in pcs (or lines in text)
	std::uint32_t	 dropped;	// frames known to be missing outside
	std::uint32_t	 max;		// size of pcs, in frames
	std::uintptr_t	*pcs;		// innermost first
	char		*text;		// buffer for a route that has names and
					// no addresses, or NULL: a line a
					// frame, each ended by '\n', NUL
	std::size_t	 text_size;
	std::uint64_t	 when_ns;	// CLOCK_BOOTTIME then; 0 unknown
	std::uint64_t	 switches;	// of contexts, before it was captured;
					// 0: not known
	int		 cpu;		// on it, or last on it; -1 unknown
	char		 state;		// a letter as in /proc/TID/stat; '?'
	char		 comm[17];	// its name, always NUL-ended
	pid_t		 tracer;	// the tracer, if that is known and
					// matters (WHY_TRACED); or 0
	written_stack	*written;	// USER, another process: takes the
					// frames of languages.  NULL: they are
					// not wanted
	std::uint64_t	 moment;	// for them: written_question.moment
	copy_taker	*taker;		// USER, another process: takes the copy
					// of a stack that was walked; or NULL
	stack9_space	*space;		// USER, another process: unwinds the
					// stack and names pcs.  NULL: the
					// capture makes one for itself
};

// Takes the records of one thread of a pass; a side that was not asked for is
// NULL.  A value other than 0 ends the pass; the pass returns it.  The records
// are valid during the call.
using record_fn = int(void *arg, const stack_record *kernel,
    const stack_record *user);

inline constexpr std::size_t name_max = 1024;	// longest name, with its NUL

// The name of an address.
struct symbol_name {
	char		name[name_max];	// as in the symbol table
	char		module[64];	// kernel module or file, or ""
	std::uintptr_t	offset;		// pc minus the symbol's start
	std::uintptr_t	size;		// of the symbol; 0: not known
};

// Flags of a question for a name.
inline constexpr unsigned int name_return_address = 0x1;	// look up
				// pc - 1; the offset is from pc
inline constexpr unsigned int name_nowait = 0x2;	// async-signal-safe,
				// no lock or heap
inline constexpr unsigned int name_debuginfod = 0x4;	// lines: ask the
				// servers of $DEBUGINFOD_URLS

// The mapping at an address.
struct mapped_module {
	const char	*path;		// as /proc/PID/maps has it, "[vdso]",
					// "" for anonymous memory; valid as
					// long as the space is
	std::uintptr_t	 start, end;	// of the mapping
	std::uint64_t	 offset;	// in the file, of the address
	std::uint64_t	 vaddr;		// in the ELF image; 0: there is none
	unsigned char	 build_id[32];
	unsigned int	 build_id_size;	// 0: none known
	int		 deleted;	// the file has no name any more
};

// One level of source: a function, inlined or not, at a line.
struct source_line {
	const char	*function;	// as in the debug information: the
					// linkage name where it has one
	const char	*file;		// "" if not known
	unsigned int	 line;		// 0: not known
	unsigned int	 column;
	int		 inlined;	// into the next one
};
using source_line_fn = int(void *arg, const source_line *);

} // namespace stack9
