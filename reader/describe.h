// Declares how a reader writes what it knows of an address into an answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/space.h"

#include "channel.h"

namespace stack9::sandbox {

// An answer that has so many bytes gets no more: the other side takes a longer
// one for an attack.
inline constexpr std::size_t answer_full = answer_max / 2;

// Functions may throw std::bad_alloc.
void put_description(stack9_space &, std::uint64_t pc, bool return_address,
    bool with_name, message &);
// flags: as space_lines() has them.
void put_lines(stack9_space &, std::uint64_t pc, std::uint32_t flags,
    message &);
// Answers kind::lines.
void put_lines(stack9_space &, message &question, message &answer);
// Answers kind::rules and kind::code_rules.
void put_rules(stack9_space &, message &question, message &answer);
// Answers kind::demangle.
void put_readable(message &question, message &answer);
// Puts the notes of files after the first bytes of an answer.  The last
// argument counts those that the other side has.
void put_notes(message &answer, std::size_t at, std::size_t &reported);

} // namespace stack9::sandbox
