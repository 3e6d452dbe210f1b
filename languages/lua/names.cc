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

} // namespace

// Calls f with each field of a table whose key is a text, in the order of
// next().
template <class F>
void
names::each_field(std::uint64_t table, F f)
{
	std::uint8_t type, bits;
	std::uint64_t nodes;
	if (!m_.read(table + object_type, &type, sizeof type) ||
	    type != type_table || !m_.read(table + 11, &bits, sizeof bits) ||
	    bits > most_nodes_bits || !m_.word(table + nodes_at, nodes))
		return;
	std::vector<std::byte> all(std::size_t{l_.node_size} << bits);
	if (!m_.read(nodes, all.data(), all.size()))
		return;
	for (std::size_t at = 0; at < all.size(); at += l_.node_size) {
		field one;
		std::memcpy(&one.value, &all[at], sizeof one.value);
		std::memcpy(&one.type, &all[at + object_type], 1);
		std::memcpy(&one.key, &all[at + l_.key], sizeof one.key);
		std::memcpy(&one.key_type, &all[at + l_.key_type], 1);
		one.type &= type_bits;
		one.key_type &= type_bits;
		if (one.type != 0 && (one.key_type == type_short ||
		    one.key_type == type_long))
			f(one);
	}
}

// A function that is in several modules has the name that is found first.
void
names::find_global(std::uint64_t global, std::span<const frame> of)
{
	std::vector<std::uint64_t> wanted;
	std::uint64_t table;
	std::string key, module;
	std::vector<std::pair<std::uint64_t, std::uint64_t>> modules;
	for (const frame &f : of)
		wanted.push_back(f.value);
	std::sort(wanted.begin(), wanted.end());
	const auto offer = [&](const field &f, const std::string &prefix) {
		if ((f.type == type_lua || f.type == type_c ||
		    f.type == type_c_closure) && std::binary_search(
		    wanted.begin(), wanted.end(), f.value) &&
		    !global_.contains(f.value) &&
		    read_string(m_, f.key, key))
			global_[f.value] = prefix + key;
	};
	if (!m_.word(global + registry, table))
		return;
	std::uint64_t loaded = 0;
	each_field(table, [&](const field &f) {
		if (f.type == type_table && loaded == 0 &&
		    read_string(m_, f.key, key) && key == "_LOADED")
			loaded = f.value;
	});
	if (loaded == 0)
		return;
	std::size_t left = most_modules;
	each_field(loaded, [&](const field &f) {
		offer(f, "");
		if (f.type != type_table || left == 0 ||
		    !read_string(m_, f.key, module))
			return;
		left--;
		const std::string prefix = module == "_G" ? "" : module + ".";
		each_field(f.value, [&](const field &g) { offer(g, prefix); });
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

std::size_t
names::position(const frame &f)
{
	const std::uint64_t offset = f.pc - at(f.function).code;
	return offset < 4 ? 0 : static_cast<std::size_t>(offset / 4 - 1);
}

std::uint32_t
names::line(const frame &f)
{
	const prototype &p = at(f.function);
	return p.at != 0 ? line_of(m_, l_, p, position(f)) : 0;
}

// The caller of a function that was called in its caller's place is not known.
std::string
names::by_call(const frame &f, const frame *caller)
{
	if (caller == nullptr || f.is_tail || f.is_outermost)
		return "";
	if (caller->is_hooked)
		return "?";
	if (caller->is_finalizer)
		return "__gc";
	if (!caller->is_lua || at(caller->function).at == 0)
		return "";
	return called_by(m_, l_, at(caller->function), position(*caller));
}

std::string
names::name(const frame &f, const frame *caller)
{
	if (const auto known = global_.find(f.value); known != global_.end())
		return known->second;
	if (std::string n = by_call(f, caller); !n.empty())
		return n;
	if (!f.is_lua)
		return "?";
	const prototype &p = at(f.function);
	return p.at == 0 ? "?" : p.first_line == 0 ? "main chunk" :
	    "function <" + p.source + ":" + std::to_string(p.first_line) + ">";
}

} // namespace stack9::languages::lua
