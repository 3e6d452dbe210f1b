// Says where the objects of V8 have their members, by what the program says of
// itself (v8dbg_*) and by version.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "languages/runtime.h"

namespace stack9::languages::javascript {

// Offsets are in bytes, from the beginning of an object.
struct layout {
	std::int32_t	major = 0, minor = 0;	// of V8; 0: it is not known
	std::int32_t	tagged_size;		// of a field: 8

	// Numbers of types.
	std::int32_t	first_function, last_function, bytecode_array, code,
			script, scope_info, byte_array, trusted_byte_array,
			fixed_array, oddball, global_proxy, map_type,
			interpreter_data, property_array;
	// Numbers of kinds of code, and of typed frames.
	std::int32_t	baseline_kind, construct_frame, fast_construct_frame;

	// Fields.
	std::int32_t	function_shared, shared_data, shared_name,
			shared_script, shared_flags, script_flags,
			script_source, script_name,
			script_line_ends, script_line_offset,
			bytecodes, bytecode_positions;
	bool		names_initializers;	// of classes, by their kind
	bool		names_functions;	// as receivers, not classes
					// only
	std::int32_t	first_entry_index;	// of DeoptimizationData
	std::int32_t	literals_index;

	// ScopeInfo: slots before the names, MODULE_SCOPE, and whether a
	// module's count of variables is before the names.
	std::int32_t	scope_first, module_scope;
	bool		counts_modules_first;

	// Code.  The object that holds the instructions begins stream_header
	// bytes before them.  It is the Code itself, or has it in its first
	// field.
	bool		is_code_stream;
	std::int32_t	stream_header, code_start, code_data, code_positions,
			code_flags, code_size;

	// The table of safe points: where it begins after the instructions, and
	// the bytes that Maglev's has before its entries.
	std::int32_t	safe_points, maglev_header;

	// Operations of translations, as the numbers that they have.  -1: the
	// release has none.
	bool		has_old_translations;
	std::int32_t	begin, begin_too, frame, frame_too, construct,
			construct_too, stack_slot, literal, match_previous;

	// The sizes of bytecodes: three tables, by the scale of operands.
	std::vector<std::uint8_t> bytecode_sizes;
	// The numbers of operands of a translation's operations.
	std::vector<std::uint8_t> operand_counts;
};

// Gives the layout of the runtime in a file.  major 0: why is a sentence.
// Throws std::bad_alloc.
const layout &layout_of(process::file &, std::string_view &why);

} // namespace stack9::languages::javascript
