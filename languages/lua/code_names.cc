// Finds the variable, field or method that was called: the instruction that has
// put the function where it was called from.
//
// It is the last one before the call that changes the register, and has to be
// run whenever the call is.  One that a jump passes by says nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code_names.h"

#include <algorithm>
#include <optional>

#include "opcodes.h"

namespace stack9::languages::lua {
namespace {

constexpr int most_moves = 256;

class name_search {
public:
	name_search(unwind::memory &m, const layout &l, const prototype &p)
	    noexcept : m_(m), l_(l), p_(p) {}

	std::string called(std::size_t at);

private:
	instruction
	code(std::size_t n) const noexcept
	{
		return decode(l_.minor, p_.instructions[n]);
	}
	bool changes(const instruction &, std::uint32_t reg) const noexcept;
	std::optional<std::size_t> setter(std::size_t at, std::uint32_t reg)
	    const noexcept;
	std::string in_register(std::size_t at, std::uint32_t reg,
	    bool &is_constant);
	std::string set_by(std::size_t at, const instruction &,
	    bool &is_constant);
	std::string key_of(std::size_t at, const instruction &);

	unwind::memory		&m_;
	const layout		&l_;
	const prototype		&p_;
	int			left_ = most_moves;
};

bool
name_search::changes(const instruction &i, std::uint32_t reg) const noexcept
{
	switch (i.what) {
	case op::load_nil:
		return i.a <= reg && reg <= i.a + i.b;
	case op::call_iterator:
		return reg >= i.a + 2;
	case op::call:
		return reg >= i.a;
	case op::jump:
		return false;
	default:
		return i.sets_a && reg == i.a;
	}
}

std::optional<std::size_t>
name_search::setter(std::size_t at, std::uint32_t reg) const noexcept
{
	std::optional<std::size_t> found;
	std::size_t target = 0;
	if (at != 0 && code(at).is_fallback)
		at--;
	for (std::size_t n = 0; n < at; n++) {
		const instruction i = code(n);
		if (i.what == op::jump) {
			const auto to = static_cast<std::int64_t>(n) + 1 +
			    i.by;
			if (to > static_cast<std::int64_t>(n) &&
			    to <= static_cast<std::int64_t>(at))
				target = std::max(target,
				    static_cast<std::size_t>(to));
		}
		if (changes(i, reg))
			found = n < target ? std::nullopt : std::optional(n);
	}
	return found;
}

// Only a key that is a text has a name.
std::string
name_search::key_of(std::size_t at, const instruction &i)
{
	bool is_constant = false;
	if (i.is_constant)
		return constant_of(m_, l_, p_, i.c);
	std::string name = in_register(at, i.c, is_constant);
	return is_constant ? name : "?";
}

std::string
name_search::set_by(std::size_t at, const instruction &i, bool &is_constant)
{
	std::string name;
	switch (i.what) {
	case op::move:
		return i.b < i.a ? in_register(at, i.b, is_constant) : "";
	case op::load_constant:
		name = constant_of(m_, l_, p_, i.b);
		is_constant = name != "?";
		return is_constant ? name : "";
	case op::get_upvalue:
		return upvalue_of(m_, l_, p_, i.b);
	case op::get_number:
		return "integer index";
	case op::get_of_upvalue:
	case op::get_of_register:
	case op::get_field:
	case op::self:
		return key_of(at, i);
	default:
		return "";
	}
}

std::string
name_search::in_register(std::size_t at, std::uint32_t reg, bool &is_constant)
{
	std::string name = variable_of(m_, l_, p_, reg, at);
	if (!name.empty() || left_-- == 0)
		return name;
	const std::optional<std::size_t> n = setter(at, reg);
	return n ? set_by(*n, code(*n), is_constant) : "";
}

std::string
name_search::called(std::size_t at)
{
	bool is_constant = false;
	const instruction i = code(at);
	if (i.what == op::call)
		return in_register(at, i.a, is_constant);
	if (i.what == op::call_iterator)
		return "for iterator";
	const std::string event = i.event != nullptr ? i.event : "";
	return l_.has_order && (event == "lt" || event == "le") ? "order" :
	    event;
}

} // namespace

std::string
called_by(unwind::memory &m, const layout &l, const prototype &caller,
    std::size_t instruction)
{
	return instruction < caller.instructions.size() ?
	    name_search(m, l, caller).called(instruction) : "";
}

} // namespace stack9::languages::lua
