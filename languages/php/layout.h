// Says where the structures of PHP have their members, by version.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "languages/runtime.h"
#include "languages/symbols.h"

namespace stack9::languages::php {

// Offsets in bytes.  Those that no release has moved since 7.4 are constants.
struct layout {
	std::uint32_t	api = 0;	// ZEND_MODULE_API_NO; 0: unknown
	std::string_view name;		// "php 8.2"
	// zend_executor_globals
	std::uint16_t	current_execute_data, opline_before_exception;
	// zend_op_array, and the zend_internal_function in its place
	std::uint16_t	last, opcodes, filename, line_end, handler;
	// zend_generator
	std::uint16_t	generator_frame, generator_node;

	// The words with the first and the last line, and with `last`.
	constexpr std::uint16_t
	lines_word() const noexcept
	{
		return line_end - 4;
	}
	constexpr std::uint16_t
	last_word() const noexcept
	{
		return last & ~7;
	}
};

// zend_execute_data
inline constexpr std::uint64_t frame_opline = 0, frame_function = 24,
    frame_this = 32, frame_type = 40, frame_previous = 48;
// zend_function, of each kind
inline constexpr std::uint64_t function_type = 0, function_name = 8,
    function_scope = 16;
// zend_op
inline constexpr std::uint64_t op_size = 32, op_first = 8, op_second = 12,
    op_extended = 20, op_line = 24, op_code = 28, op_first_type = 29,
    op_second_type = 30;
// zend_object, zend_class_entry, zend_string
inline constexpr std::uint64_t object_class = 16, class_name = 8,
    string_hash = 8, string_length = 16, string_bytes = 24;

// Holds what the file of a runtime says, by addresses of its image.
struct places final : process::attachment {
	found_symbol	globals;	// executor_globals, with no threads
	found_symbol	globals_offset;	// executor_globals_offset, with threads
	found_symbol	thread_cache;	// tsrm_get_ls_cache()
	found_symbol	modules;	// module_registry
	found_symbol	loop, cold_loop;	// execute_ex()
	std::array<found_symbol, 3> loop_callers;
	found_symbol	generator_class;	// zend_ce_generator
	// zend_flf_functions, zend_flf_handlers, since 8.4
	found_symbol	frameless, frameless_handlers;
};

// Gives the layout of a runtime.  api 0: why is a sentence.
layout layout_of(unwind::memory &, const places &, std::uint64_t bias,
    std::string &why);

} // namespace stack9::languages::php
