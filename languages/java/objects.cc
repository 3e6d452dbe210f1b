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
	return l_.major < 16 ? at : m_.word(at, at) ? plain(at) : 0;
}

bool
objects::read_colors(colors &to) noexcept
{
	std::uint64_t in, bad_at, shift_at;
	to = {};
	if (l_.zgc == 0 || l_.zgc_bad_mask == none || l_.zgc_shift == none)
		return true;
	return m_.word(l_.zgc, in) && in != 0 &&
	    m_.word(in + l_.zgc_bad_mask, bad_at) &&
	    m_.word(in + l_.zgc_shift, shift_at) &&
	    m_.word(bad_at, to.bad) && m_.word(shift_at, to.shift) &&
	    to.shift < 32;
}

// Generational ZGC shifts addresses, and has below them the phase that a word
// is of (zAddress.hpp).  A word of a phase before may lead to where the object
// was.
std::uint64_t
objects::plain(std::uint64_t word) noexcept
{
	colors c;
	return read_colors(c) && (word & c.bad) == 0 ? word >> c.shift : 0;
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
		return m_.word(field, whole) ? plain(whole) : 0;
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
