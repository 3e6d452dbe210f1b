// Says where the structures of Perl have their members, by version.
//
// The offsets were taken from the headers of 5.32, 5.36, 5.40 and 5.42, with
// threads and without.  Those of the releases between them are theirs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>

#include "languages/runtime.h"
#include "languages/symbols.h"

namespace stack9::languages::perl {

// Offsets in bytes.
struct layout {
	unsigned int	minor = 0;	// 5.minor; 0: it is not known
	bool		has_threads = false;
	// PerlInterpreter, with threads
	std::uint16_t	current_cop, current_stack;
	// Numbers of OPs; 0: not known.
	std::uint16_t	next_state = 0, scope = 0;
	// True: xpvhv_aux follows the XPVHV; false: it follows the array.
	bool		aux_in_body = false;
};

// PERL_SI
inline constexpr std::uint64_t stack_contexts = 0x8, stack_previous = 0x10,
    stack_top = 0x20, stack_type = 0x2c;
// PERL_CONTEXT
inline constexpr std::uint64_t context_size = 0x68, context_cop = 0x10,
    context_return = 0x30, context_cv = 0x48, context_jump = 0x60;
// The bits of its first byte that are its type, types, and a bit of those that
// caller() does not have: CXp_SUB_RE_FAKE, CXp_TRY.
inline constexpr unsigned int type_of_context = 0xf, type_sub = 9,
    type_format = 10, type_eval = 11, is_again = 0x80;
// The type of the PERL_SI of a sort.
inline constexpr std::int32_t sort_stack = 3;
// COP
inline constexpr std::uint64_t cop_line = 0x24, cop_file = 0x30;
// OP
inline constexpr std::uint64_t op_next = 0, op_sibling = 0x8, op_target = 0x18,
    op_bits = 0x20, op_flags = 0x22, op_first = 0x28;
// PerlInterpreter, with threads
inline constexpr std::uint64_t current_op = 0x8;
// SV, and the bodies of CV, GV and HV
inline constexpr std::uint64_t sv_any = 0, sv_flags = 0xc, sv_u = 0x10,
    cv_stash = 0x20, cv_name = 0x38, cv_flags = 0x5c, gv_name = 0x20,
    gv_stash = 0x28, gp_egv = 0x38, hv_max = 0x18, hv_aux = 0x20,
    aux_name = 0, aux_name_count = 0x1c;
// A flag of a CV that has no GV, and whose name is a HEK.
inline constexpr std::uint32_t is_named = 0x8000;
// A flag of one that belongs to no package.
inline constexpr std::uint32_t is_lexical = 0x10000;
// HEK
inline constexpr std::uint64_t hek_length = 4, hek_key = 8;

// Holds what the file of a runtime says, by addresses of its image.
struct places final : process::attachment {
	found_symbol	version;		// PL_version
	found_symbol	key;			// PL_thr_key, with threads
	// without them
	found_symbol	current_cop, current_op, current_stack;
	std::array<found_symbol, 2> loops;	// Perl_runops_*()
};

} // namespace stack9::languages::perl
