// Finds the name of a function: the one that a loaded module has for it,
// without that the one by which it was called, without both its place.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "code_names.h"

namespace stack9::languages::lua {
namespace {

constexpr std::uint64_t nodes_at = 24;
constexpr unsigned int most_nodes_bits = 16;
constexpr std::size_t most_modules = 4096;

struct field {
	std::uint64_t	value, key;
	std::uint8_t	type, key_type;
};

// Calls f with each field of a table whose key is a text, in the order of
// next().
template <class F>
void
each_field(memory &m, const layout &l, std::uint64_t table, F f)
{
	std::uint8_t type, bits;
	std::uint64_t nodes;
	if (!m.read(table + object_type, &type, sizeof type) ||
	    type != type_table || !m.read(table + 11, &bits, sizeof bits) ||
	    bits > most_nodes_bits || !m.word(table + nodes_at, nodes))
		return;
	std::vector<std::byte> all(std::size_t{l.node_size} << bits);
	if (!m.read(nodes, all.data(), all.size()))
		return;
	for (std::size_t at = 0; at < all.size(); at += l.node_size) {
		field one;
		std::memcpy(&one.value, &all[at], sizeof one.value);
		std::memcpy(&one.type, &all[at + object_type], 1);
		std::memcpy(&one.key, &all[at + l.key], sizeof one.key);
		std::memcpy(&one.key_type, &all[at + l.key_type], 1);
		one.type &= type_bits;
		one.key_type &= type_bits;
		if (one.type != 0 && (one.key_type == type_short ||
		    one.key_type == type_long))
			f(one);
	}
}

} // namespace

void
each_of_modules(memory &m, const layout &l, std::uint64_t global,
    const std::function<void(const module_function &)> &f)
{
	std::uint64_t table, loaded = 0;
	std::string key, module;
	const auto offer = [&](const field &one, const std::string &prefix) {
		if (one.type == type_lua || one.type == type_c ||
		    one.type == type_c_closure)
			f({one.value, one.type, one.key, prefix});
	};
	if (!m.word(global + registry, table))
		return;
	each_field(m, l, table, [&](const field &one) {
		if (one.type == type_table && loaded == 0 &&
		    read_string(m, one.key, key) && key == "_LOADED")
			loaded = one.value;
	});
	if (loaded == 0)
		return;
	std::size_t left = most_modules;
	each_field(m, l, loaded, [&](const field &one) {
		offer(one, "");
		if (one.type != type_table || left == 0 ||
		    !read_string(m, one.key, module))
			return;
		left--;
		const std::string prefix = module == "_G" ? "" : module + ".";
		each_field(m, l, one.value, [&](const field &its) {
			offer(its, prefix);
		});
	});
}

// A function that is in several modules has the name that is found first.
void
names::find_global(std::uint64_t global, std::span<const frame> of)
{
	std::vector<std::uint64_t> wanted;
	std::string key;
	for (const frame &f : of)
		wanted.push_back(f.value);
	std::sort(wanted.begin(), wanted.end());
	each_of_modules(m_, l_, global, [&](const module_function &f) {
		if (std::binary_search(wanted.begin(), wanted.end(),
		    f.value) && !global_.contains(f.value) &&
		    read_string(m_, f.key, key))
			global_[f.value] = f.prefix + key;
	});
}

const prototype &
names::at(std::uint64_t address)
{
	const auto [known, is_new] = prototypes_.try_emplace(address);
	if (is_new)
		read_prototype(m_, l_, address, known->second);
	return known->second;
}

std::uint32_t
names::line(const frame &f)
{
	const prototype &p = at(f.function);
	return p.at != 0 ? line_of(m_, l_, p, position_of(p, f.pc)) : 0;
}

// The caller of a function that was called in its caller's place is not known.
std::string
name_by_call(unwind::memory &m, const layout &l, const frame &f,
    const frame *caller, const prototype &of_caller)
{
	if (caller == nullptr || f.is_tail || f.is_outermost)
		return "";
	if (caller->is_hooked)
		return "?";
	if (caller->is_finalizer)
		return "__gc";
	if (!caller->is_lua || of_caller.at == 0)
		return "";
	return called_by(m, l, of_caller, position_of(of_caller, caller->pc));
}

std::string
names::by_call(const frame &f, const frame *caller)
{
	static const prototype none;
	return name_by_call(m_, l_, f, caller, caller != nullptr &&
	    caller->is_lua ? at(caller->function) : none);
}

std::string
names::name(const frame &f, const frame *caller)
{
	if (const auto known = global_.find(f.value); known != global_.end())
		return known->second;
	if (std::string n = by_call(f, caller); !n.empty())
		return n;
	return f.is_lua ? place_of(at(f.function)) : "?";
}

} // namespace stack9::languages::lua
