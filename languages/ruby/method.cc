// Finds a method by the environments of a frame (vm_insnhelper.c, method.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "method.h"

namespace stack9::languages::ruby {
namespace {

// Before an environment's flags are the one around it, or a block, and what may
// be a method.
constexpr std::uint64_t around_at = 8, method_at = 16, flag_outermost = 2;

// The kinds of internal objects, and of methods.
constexpr unsigned int internal_variable = 2, internal_method = 6;
constexpr std::uint32_t method_compiled = 0, method_function = 1;

bool
read_method(unwind::memory &m, std::uint64_t at, bool may_be_variable,
    method &to)
{
	constexpr std::uint64_t method_of_variable = 8, definition_at = 16,
	    owner_at = 32, name_at = 32, in_definition = 8;
	object o;
	std::uint64_t definition, body;
	std::uint32_t type;
	if (!read_object(m, at, o) || o.what() != kind::internal)
		return false;
	if (o.internal_kind() == internal_variable)
		return may_be_variable && m.word(at + method_of_variable, at) &&
		    read_method(m, at, false, to);
	if (o.internal_kind() != internal_method ||
	    !m.word(at + definition_at, definition) || definition == 0 ||
	    !m.word(at + owner_at, to.owner) ||
	    !m.read(definition, &type, sizeof type) ||
	    !m.word(definition + in_definition, body) ||
	    !m.word(definition + name_at, to.name))
		return false;
	to.code = (type & 0xf) == method_compiled ? body : 0;
	to.function = (type & 0xf) == method_function ? body : 0;
	return true;
}

} // namespace

bool
read_frame(unwind::memory &m, std::uint64_t at, control_frame &to)
{
	std::uint64_t words[5];
	if (!m.read(at, words, sizeof words))
		return false;
	to = {words[0], words[2], words[4], 0};
	return to.environment == 0 || m.word(to.environment, to.flags);
}

std::uint64_t
method_value(unwind::memory &m, const control_frame &f)
{
	std::uint64_t value;
	return f.environment > method_at && m.word(f.environment - method_at,
	    value) ? value : 0;
}

bool
read_method(unwind::memory &m, std::uint64_t at, method &to)
{
	return read_method(m, at, false, to);
}

method
method_of(unwind::memory &m, const control_frame &f, unsigned int &left)
{
	std::uint64_t at = f.environment, value, flags;
	for (; left > 0 && at > method_at && at % 8 == 0; left--) {
		method found;
		if (!m.word(at, flags) || !m.word(at - method_at, value))
			break;
		const bool is_outermost = (flags & flag_outermost) != 0;
		if (read_method(m, value, is_outermost, found))
			return found;
		if (is_outermost || !m.word(at - around_at, at))
			break;
		at &= ~std::uint64_t{3};
	}
	return {};
}

} // namespace stack9::languages::ruby
