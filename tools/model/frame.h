// Holds one frame of a stack as all programs know it, whether the library, an
// event or a record gave it, and whether it is an address or a function of a
// language.  Sources fill it in; sinks write it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

namespace tools {

enum class frame_kind : std::uint8_t {
	kernel,
	user,
	inlined,	// in the user frame outside it
	delimiter,	// between the kernel's frames and the user's
	process,	// comm, the outermost frame
	note,		// in place of frames: "[stack truncated]"
	language,	// a function of an interpreter: it has no address
};

// These are in frame::flags.
enum : std::uint8_t {
	frame_exact = 1,	// the address is not a return address
	frame_signal = 2,	// the next frame was interrupted
	frame_deleted = 4,	// the file had no name any more
	frame_mapped = 8,	// something is mapped there
	frame_in_file = 16,	// the address is that in the ELF image
	frame_guessed = 32,	// it may be of another moment than its stack
};

struct frame {
	frame_kind	kind = frame_kind::user;
	std::uint8_t	flags = 0;
	std::string	name;		// for people: demangled; ""
	std::string	linkage;	// not demangled; "": same as name
	std::string	module;		// file, "vmlinux" or kernel module; ""
	std::string	build_id;	// of the file, in hex; ""
	std::uint64_t	address = 0;	// 0: none
	std::uint64_t	offset = 0;	// address minus the function's start
	std::string	file;		// of source; ""
	unsigned int	line = 0, column = 0;
	std::string	language{};	// "python"; "": machine code
};

inline constexpr const char *kernel_file = "vmlinux";	// a frame's module

// Gives the name that is in the symbol table; "" if there is none.
inline const std::string &
linkage_of(const frame &f)
{
	return f.linkage.empty() ? f.name : f.linkage;
}

// Gives the frame's name or, if it has none, another thing that is known of it:
// "0x1101".  The text is never "".
std::string name_of(const frame &);

// True if the frame is code: no delimiter, process or note.
inline bool
is_code(const frame &f)
{
	return f.kind == frame_kind::kernel || f.kind == frame_kind::user ||
	    f.kind == frame_kind::inlined || f.kind == frame_kind::language;
}

// True if the frame's code has no name.
bool is_nameless(const frame &);

// Gives "orders.py:214", the file with its directories if they are wanted; ""
// if the file is not known.
std::string site_of(const frame &, bool whole);

// Gives the name for readers that see nothing else of the frame.  User code
// without a name is "[libx.so+0x1101]", and a function of a language is
// "Shop.reserve (/srv/orders.py:214)": two files may have equal addresses and
// equal names, and their functions are not the same.
std::string label(const frame &);

// Gives the kernel's module that the frame is in; "" for the kernel itself.
inline std::string
kernel_module(const frame &f)
{
	return f.kind != frame_kind::kernel || f.module == kernel_file ?
	    std::string() : f.module;
}

// Drop the demangled name, and the file and line, for a reader that does not
// use them.  Those of a language's function are part of what it is.
void keep_raw_name(frame &);
void drop_source(frame &);

} // namespace tools
