// Follows the words by which the machine and its objects name objects.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

namespace stack9::languages::java {
namespace {

constexpr std::uint64_t class_in_object = 8;

} // namespace

// A handle is a pointer to a slot since JDK 16.
std::uint64_t
objects::object_in(std::uint64_t handle) noexcept
{
	std::uint64_t at;
	if (!m_.word(handle, at) || at == 0)
		return 0;
	return l_.major < 16 || m_.word(at, at) ? at : 0;
}

// Gives what a word of 32 bits stands for.
std::uint64_t
objects::extended(std::uint64_t base_at, std::uint64_t shift_at,
    std::uint32_t word) noexcept
{
	std::uint64_t base;
	std::int32_t shift;
	return word != 0 && base_at != 0 && shift_at != 0 &&
	    m_.word(base_at, base) && get(m_, shift_at, shift) && shift >= 0 &&
	    shift < 32 ? base + (std::uint64_t{word} << shift) : 0;
}

std::uint64_t
objects::object_at(std::uint64_t field) noexcept
{
	std::uint64_t whole;
	std::uint32_t part;
	if (!l_.oops_are_short)
		return m_.word(field, whole) ? whole : 0;
	return get(m_, field, part) ?
	    extended(l_.oop_base, l_.oop_shift, part) : 0;
}

std::uint64_t
objects::class_of(std::uint64_t object) noexcept
{
	std::uint64_t whole;
	std::uint32_t part;
	if (object == 0)
		return 0;
	if (!l_.classes_are_short)
		return m_.word(object + class_in_object, whole) ? whole : 0;
	return get(m_, object + class_in_object, part) ?
	    extended(l_.class_base, l_.class_shift, part) : 0;
}

} // namespace stack9::languages::java
