// Defines what a core file says of its process: threads with their registers,
// segments of memory, mapped files, and how it ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace stack9::cores {

// The registers as in NT_PRSTATUS: those of x86-64 take 216 bytes, those of
// aarch64 272.  Those of floating point are as in NT_FPREGSET, 512 and 528
// bytes.
inline constexpr std::size_t registers_max = 272, floats_max = 528;

struct thread {
	pid_t		tid;
	std::int32_t	signal;		// 0: none
	std::uint32_t	size;		// of registers
	std::uint64_t	pointer;	// to itself, as the ABI has it; 0:
					// not kept
	std::uint64_t	signed_bits[2];	// NT_ARM_PAC_MASK: of addresses of
					// data and of code; for debuggers
	std::uint32_t	floats_size;	// 0: not in the core
	std::uint32_t	reserved;
	std::byte	registers[registers_max];
	std::byte	floats[floats_max];	// for debuggers
};

// A stretch of memory, of which the first `kept` bytes lie in the core.
struct segment {
	std::uint64_t	start, end;
	std::uint64_t	at;		// offset in the core
	std::uint64_t	kept;
	std::uint32_t	flags;		// PF_R, PF_W, PF_X
	std::uint32_t	reserved;
};

struct mapped_file {
	std::uint64_t	start, end;
	std::uint64_t	offset;		// in the file
	std::uint32_t	path_at, path_size;	// in texts
};

// Numbers of a core, all 0 if it does not have them.
struct facts {
	pid_t		pid;
	std::int32_t	signal, code;	// of NT_SIGINFO; code is si_code
	std::uint32_t	has_siginfo, has_address, has_files, has_sender;
	std::uint64_t	address;	// si_addr
	pid_t		sender;		// si_pid
	std::int32_t	machine;	// EM_386, EM_X86_64 or EM_AARCH64
	std::uint32_t	is_32;		// its file and its words
	std::uint64_t	headers;	// AT_PHDR
	std::uint64_t	program;	// AT_EXECFN
	std::uint64_t	vdso;		// AT_SYSINFO_EHDR
	std::uint64_t	size_wanted;	// of the file, by its headers
	char		name[17], arguments[81];
	std::uint32_t	cut_notes;	// the core ends within its notes
	std::uint32_t	left_out;	// threads, segments or files beyond
					// their budgets
};

struct contents {
	facts			about{};
	std::vector<thread>	threads;
	std::vector<segment>	segments;	// by start; none overlap
	std::vector<mapped_file> files;		// as segments
	std::vector<std::uint64_t> auxv;
	std::string		texts;

	std::string_view
	path(const mapped_file &f) const noexcept
	{
		return f.path_at > texts.size() ? std::string_view() :
		    std::string_view(texts).substr(f.path_at, f.path_size);
	}
	// NULL: the address is in no segment.
	const segment *find(std::uint64_t address) const noexcept;
};

// Reads the headers and notes of a core.  Reads nothing else, so its size does
// not matter.  Returns NULL, or a sentence that says why it is refused.  Throws
// std::bad_alloc.
const char *parse(int fd, contents &to);

// Puts contents into bytes, and takes them from there.  False: the bytes are
// not what write() makes.  Throw std::bad_alloc.
void write(const contents &, std::string &to);
bool read(std::string_view from, contents &to);

// Orders segments and files, and drops what overlaps.  read() does so, because
// who has parsed the core may have been taken over by it.
void put_in_order(contents &);

// Parses a core in the process without rights, if there is one.  Returns "", or
// a sentence that says why it is refused.  Throws std::bad_alloc.
std::string parse_apart(int fd, contents &to);

} // namespace stack9::cores
