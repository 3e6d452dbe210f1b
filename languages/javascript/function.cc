// Reads SharedFunctionInfo and ScopeInfo (src/objects/shared-function-info.tq,
// scope-info.tq).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "function.h"

#include "text.h"

namespace stack9::languages::javascript {
namespace {

// Bits of a ScopeInfo's flags.
constexpr std::uint32_t scope_type = 0xf, saved_class = 1 << 10,
    function_variable = 3 << 12, inferred_name = 1 << 14;
constexpr std::uint64_t flags_at = 8, locals_at = 24, slots_at = 8, slot = 8;
constexpr std::int32_t most_inlined_names = 75, most_locals = 1 << 20;

// The slots of the names of a ScopeInfo.  Each is 0 if there is none.
struct name_slots {
	std::uint64_t	own = 0, inferred = 0;
};

// Before the names come those of the variables that are in a context, and their
// properties.  Many names are in a table instead.  Since 13.6 the flags are not
// a small integer.
bool
find_slots(heap &h, tagged scope, name_slots &to)
{
	const layout &l = h.known();
	tagged word;
	std::int32_t locals;
	if (h.type_of(scope) != l.scope_info ||
	    !h.field(scope, flags_at, word) ||
	    !h.small_field(scope, locals_at, locals) || locals < 0 ||
	    locals > most_locals)
		return false;
	const auto flags = static_cast<std::uint32_t>(heap::is_small(word) ?
	    word >> 32 : word);
	std::uint64_t at = slots_at + slot * static_cast<std::uint64_t>(
	    l.scope_first);
	if (l.counts_modules_first && (flags & scope_type) ==
	    static_cast<std::uint32_t>(l.module_scope))
		at += slot;
	at += slot * static_cast<std::uint64_t>(locals +
	    (locals < most_inlined_names ? locals : 1));
	at += (flags & saved_class) != 0 ? slot : 0;
	if ((flags & function_variable) != 0) {
		to.own = at;
		at += 2 * slot;
	}
	if ((flags & inferred_name) != 0)
		to.inferred = at;
	return true;
}

// Kinds of functions (src/objects/function-kind.h).
constexpr int first_class = 3, last_class = 6, class_members = 24,
    class_static = 25;

int
kind_of(heap &h, tagged shared) noexcept
{
	constexpr std::uint32_t kind = 0x1f;
	std::uint32_t flags;
	return h.bytes(shared, static_cast<std::uint64_t>(
	    h.known().shared_flags), &flags, sizeof flags) ?
	    static_cast<int>(flags & kind) : -1;
}

} // namespace

bool
is_class_constructor(heap &h, tagged shared) noexcept
{
	const int kind = kind_of(h, shared);
	return kind >= first_class && kind <= last_class;
}

bool
is_evaluated(heap &h, tagged shared)
{
	constexpr std::int32_t by_eval = 1;
	std::int32_t flags;
	const tagged script = script_of(h, shared);
	return script != 0 && h.small_field(script,
	    static_cast<std::uint64_t>(h.known().script_flags), flags) &&
	    (flags & by_eval) != 0;
}

std::string
name_of(heap &h, tagged shared)
{
	std::string name;
	tagged holder, text;
	name_slots slots;
	if (const int kind = kind_of(h, shared); h.known().names_initializers &&
	    (kind == class_members || kind == class_static))
		return kind == class_members ?
		    "<instance_members_initializer>" : "<static_initializer>";
	if (!h.field(shared, static_cast<std::uint64_t>(
	    h.known().shared_name), holder) || read_string(h, holder, name) ||
	    !find_slots(h, holder, slots))
		return name;
	for (const std::uint64_t at : {slots.own, slots.inferred})
		if (at != 0 && name.empty() && h.field(holder, at, text))
			read_string(h, text, name);
	return name;
}

// The data of a function that has baseline code is that code, and the code has
// the bytecode.
tagged
bytecode_of(heap &h, tagged shared)
{
	constexpr std::uint64_t interpreter_bytecode_at = 8;
	const layout &l = h.known();
	tagged data;
	if (!h.field(shared, static_cast<std::uint64_t>(l.shared_data), data))
		return 0;
	for (int hops = 0; hops < 3; hops++) {
		const std::int32_t type = h.type_of(data);
		if (type < 0)
			return 0;
		if (type == l.bytecode_array)
			return data;
		const bool is_code = type == l.code;
		if ((!is_code && type != l.interpreter_data) ||
		    !h.field(data, is_code ? static_cast<std::uint64_t>(
		    l.code_data) : interpreter_bytecode_at, data))
			return 0;
	}
	return 0;
}

tagged
script_of(heap &h, tagged shared)
{
	tagged script;
	return h.field(shared, static_cast<std::uint64_t>(
	    h.known().shared_script), script) &&
	    h.type_of(script) == h.known().script ? script : 0;
}

} // namespace stack9::languages::javascript
