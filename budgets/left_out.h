// Counts what was left out because it was beyond its budget, or because it was
// no regular file.  stack9_counts() reports these counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stack9::budgets {

enum class left_out : std::uint8_t {
	headers, symbol_tables, unwind_tables, unwind_programs, debug_sections,
	debug_time, debug_files, perf_maps, go_tables, stacks,
	descriptors, answers, coroutines, variables,
	servers, mappings, readers,
};

struct left_out_kind {
	left_out	 what;
	const char	*name, *meaning;
};

inline constexpr left_out_kind left_out_kinds[] = {
	{left_out::headers, "left-out-headers",
	    "files whose ELF headers are beyond their budget"},
	{left_out::symbol_tables, "left-out-symbols",
	    "files whose symbols are beyond their budget"},
	{left_out::unwind_tables, "left-out-unwind-info",
	    "files whose unwind information is beyond its budget"},
	{left_out::unwind_programs, "left-out-unwind-programs",
	    "frames whose unwind information takes too long to be read"},
	{left_out::debug_sections, "left-out-debug-info",
	    "files whose debug information is beyond its budget"},
	{left_out::debug_time, "left-out-debug-time",
	    "addresses without lines as their file had taken its time"},
	{left_out::debug_files, "left-out-debug-files",
	    "debug files that are not regular files, or too large"},
	{left_out::perf_maps, "left-out-perf-maps",
	    "perf maps that were cut short"},
	{left_out::go_tables, "left-out-go-tables",
	    "files whose tables of Go are beyond their budget"},
	{left_out::stacks, "left-out-stacks",
	    "stacks of which only a part was copied"},
	{left_out::descriptors, "left-out-descriptors",
	    "files that could not be opened for want of descriptors"},
	{left_out::answers, "left-out-answers",
	    "answers for which the process that reads files took too long"},
	{left_out::coroutines, "left-out-coroutines",
	    "passes that did not come to all coroutines"},
	{left_out::variables, "left-out-variables",
	    "locks without names as too many symbols were read for others"},
	{left_out::servers, "left-out-servers",
	    "files whose server, NFS or FUSE, did not answer in time"},
	{left_out::mappings, "left-out-mappings",
	    "lists of mappings that were cut short"},
	{left_out::readers, "left-out-readers",
	    "ends of the process that reads files"},
};

inline constinit std::array<std::atomic<std::uint64_t>,
    std::size(left_out_kinds)> left_out_counts{};

// How the process that reads files ended last, a sentence for good; NULL: it
// has not.
inline constinit std::atomic<const char *> last_end{nullptr};

inline void
leave_out(left_out what) noexcept
{
	left_out_counts[static_cast<std::size_t>(what)].fetch_add(1,
	    std::memory_order_relaxed);
}

inline std::uint64_t
how_many(left_out what) noexcept
{
	return left_out_counts[static_cast<std::size_t>(what)].load(
	    std::memory_order_relaxed);
}

} // namespace stack9::budgets
