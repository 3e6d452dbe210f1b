// Says how much of other people's files is read, kept and worked through.
//
// The files of all processes are read by whoever asks for a stack, often root
// on a machine in trouble, and a file of 20 KB can claim to have gigabytes.  So
// each of these numbers is far above what real files need, and far below what
// hurts.  All that is beyond a budget is left out and counted: see left_out.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace stack9::budgets {

// The one setting: every budget is multiplied by this number.  It holds for
// what is read from then on.  Infinity: there are no budgets.
inline constinit std::atomic<float> factor{1};

inline std::uint64_t
of(std::uint64_t budget) noexcept
{
	const float by = factor.load(std::memory_order_relaxed);
	const double n = static_cast<double>(budget) * by;
	return by == 1 ? budget : n < 0x1p63 ? static_cast<std::uint64_t>(n) :
	    UINT64_MAX;
}

inline bool
exceeds(std::uint64_t amount, std::uint64_t budget) noexcept
{
	return amount > of(budget);
}

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB,
    GiB = 1024 * MiB;

// The text of a process's mappings.  The kernel allows 65,530 mappings unless
// it is set otherwise.  Their lines have 100 bytes.  A line can have a path of
// any length, for a program may change into one new directory after the other.
inline constexpr std::uint64_t mappings_text = 16 * MiB;

// Headers.  Linked programs have some 40 sections and 15 segments.  Object
// files with a section for each function have thousands; nobody runs them.
// libelf allocates 250 bytes for each section.
inline constexpr std::uint64_t sections = 1 << 14, segments = 1 << 12;
// libelf reads the notes of a segment at once and keeps them.  A build id has
// 36 bytes; large notes are those of core files.
inline constexpr std::uint64_t notes = 64 * KiB;
// The names of sections: 20 bytes for each.
inline constexpr std::uint64_t section_names = 1 * MiB;

// Holes.  A sparse file has no bytes where it claims to have many.  A part of a
// file that is larger than this is read only if a quarter of it is really
// there.  Copying programs make holes of pages full of zeros, but no section of
// a real file consists of these.
inline constexpr std::uint64_t hole = 64 * KiB, hole_share = 4;
// Compressed sections.  Compilers' sections become 2 to 9 times as large, and
// those of generated code up to 19 times; zlib can make 1,032 bytes from one.
inline constexpr std::uint64_t unpacked_share = 32;

// Symbols and their names.  A chromium that was not stripped has 70 MB and
// 300 MB of them.
inline constexpr std::uint64_t symbols = 256 * MiB, symbol_names = 1 * GiB;
// Symbols that are packed in a stripped file (.gnu_debugdata), and what they
// become.  Those of Fedora's files have up to some MB.  xz takes memory for its
// dictionary: 8 MiB at its usual level and 64 at the highest.
inline constexpr std::uint64_t mini_symbols = 128 * MiB,
    mini_dictionary = 80 * MiB;
// Symbols that are read in a minute to name variables: a file's table is read
// again for each of them.  Firefox's and chromium's have 20 to 70 MB, other
// files' one.  1 GiB takes 0.4 s.
inline constexpr std::uint64_t variables_a_minute = 2 * GiB;

// Unwind information: chromium has 25 MB.
inline constexpr std::uint64_t unwind_info = 256 * MiB;
// .debug_frame.  It is copied into memory: the largest programs of Go have 10
// MiB.
inline constexpr std::uint64_t debug_frame = 32 * MiB;
// Functions of a section without the linker's table, of 16 bytes each.
// chromium has a million, and its table.
inline constexpr std::uint64_t indexed_functions = 1 << 21;
// The program of one function.  Of 3 million functions the largest program has
// 60 KB (libcufft); 54 have more than 4 KB.
inline constexpr std::uint64_t unwind_program = 256 * KiB;
// Programs that are longer than this are read once, and their rules are kept:
// so many rules for a file, of 16 bytes each.
inline constexpr std::uint64_t long_program = 1 * KiB;
inline constexpr std::uint64_t long_rules = 1 << 20;
// Rows of long programs that no rule can hold are computed again for each
// frame.  A file may cost so many bytes of programs by this, some 0.2 s, and
// all files together so many in a minute.
inline constexpr std::uint64_t long_rereading = 16 * MiB,
    long_rereading_a_minute = 128 * MiB;

// Debug information of one file, all of which libdw keeps in memory.  A
// chromium with full debug information has 2 to 4 GB.
inline constexpr std::uint64_t debug_info = 4 * GiB;
// One unit's .dwo file.  It is copied into memory.  Large ones have 50 MB.
inline constexpr std::uint64_t split_file = 256 * MiB;
// A debug file whose checksum must be computed, as it has no build id.  1 GB
// takes 3 s.
inline constexpr std::uint64_t checksummed = 1 * GiB;
// CPU time on a file's debug information, in nanoseconds: so much, and more for
// each byte of it.  libdw takes 10 to 20 ns for a byte, once or twice.  Lookups
// that are quicker than `quick` cost nothing.  Many small files could take
// long, so the part that is not for their bytes is bounded for all of them in a
// minute.
inline constexpr std::uint64_t debug_ns = 200'000'000, debug_ns_a_byte = 120,
    debug_quick_ns = 200'000, debug_ns_a_minute = 5'000'000'000;
// The bytes of line programs of one file: so many, and a share of what it has
// on its disk.  Most bytes become a row, for which libdw takes 100 bytes for a
// moment and keeps 32.  A tenth of debug information is lines, and a quarter if
// it is compressed.
inline constexpr std::uint64_t line_programs = 256 * KiB, line_share = 4;
// Each range of addresses takes two bytes of debug information at least.  So a
// file that has more of them refers to the same ranges again and again.
inline constexpr std::uint64_t bytes_of_range = 2;
// Levels of inlined calls that are kept for the addresses of a file, of 40
// bytes each.
inline constexpr std::uint64_t source_levels = 1 << 18;

// Go's functions.  The largest programs have half a million.
inline constexpr std::uint64_t go_functions = 1 << 22;
// The relocations of a program that may have such functions: 24 bytes each.
inline constexpr std::uint64_t relocations = 256 * MiB;

// Perf maps.  A large JVM writes 50 MB and 500,000 lines.  All maps together:
// the memory of those that were used last.  All text that is read in a minute:
// a map that grows is read again each second.
inline constexpr std::uint64_t perf_map = 128 * MiB, perf_map_lines = 1 << 21,
    perf_maps_kept = 512 * MiB, perf_maps_a_minute = 2 * GiB;

// The copy of one thread's stack, and what its growth takes.  A stack has 8 MiB
// at most, unless its program asks for more.
inline constexpr std::uint64_t stack_copy = 64 * MiB;

// Goroutines of one process, and the time that they take, in nanoseconds: 10 us
// each.  Servers have up to a million.  The list of all of them is searched for
// in so many bytes of data; programs have up to 3 MB of it.
inline constexpr std::uint64_t goroutines = 1 << 22,
    goroutine_ns = 20'000'000'000, goroutine_search = 8 * MiB;
// Tasks of asyncio, and the bytes of their frames and texts.  Each takes memory
// of its own in the process, and a list of them can pretend to be long.
inline constexpr std::uint64_t python_tasks = 1 << 18,
    python_task_text = 8 * MiB;

// A core file.  The kernel writes a segment for each mapping, and some
// kilobytes of notes for each thread; all of its threads, segments and paths
// are one answer of the process without rights, of 16 MiB at most.
inline constexpr std::uint64_t core_segments = 1 << 16, core_threads = 1 << 14,
    core_notes = 512 * MiB, core_paths = 4 * MiB;
// A compressed core, or one from a pipe, becomes so large: as machines have
// memory.
inline constexpr std::uint64_t core_bytes = 1024 * GiB;

// The time that a server of files, NFS's or FUSE's, may take to open one, in
// nanoseconds.  Anyone can start a thousand servers that never answer: once so
// much time of a minute has gone to such servers, others get the short time.
inline constexpr std::uint64_t server_ns = 1'000'000'000,
    server_short_ns = 10'000'000, servers_ns_a_minute = 5'000'000'000;

// The time that the process without rights may take for one answer, in
// nanoseconds.  Frames and names take some 100 ms for the largest files.  Lines
// take as long as libdw needs for the debug information of the largest files,
// see above.
inline constexpr std::uint64_t answer_ns = 60'000'000'000,
    lines_ns = 600'000'000'000;

// Everything that is kept of all files at once: tables of symbols, unwind
// information, debug information.
inline constexpr std::uint64_t kept = 8 * GiB;

} // namespace stack9::budgets
