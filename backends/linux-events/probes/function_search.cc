// Searches the symbol tables of a file and of its separate debug information.
// Names are compared as nm(1) prints them, then as they are in the source.
// Where one name is meant, versions for old programs are tried after the usual
// ones.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "function_search.h"


#include "core/seam/symbols.h"

namespace stack9::events {
namespace {

// Longer ones are cut.
constexpr std::size_t longest_readable = 16384;

// ns::f(int) const to ns::f: up to what the last ) closes.
std::string
without_parameters(const std::string &whole)
{
	int depth = 0;
	for (std::size_t i = whole.rfind(')'); i != whole.npos && i > 0; i--) {
		depth += whole[i] == ')';
		depth -= whole[i] == '(';
		if (depth == 0)
			return whole.substr(0, i);
	}
	return whole;
}

} // namespace

bool
function::operator<(const function &o) const noexcept
{
	const auto bars = [](const std::string &s) {
		return s.find_first_not_of('_');
	};
	if (global != o.global)
		return global;
	if (bars(name) != bars(o.name))
		return bars(name) < bars(o.name);
	return name < o.name;
}

void
function_search::run()
{
	for (const bool source : {false, true}) {
		old_ = !is_meant_.is_exact();
		by_names(source);
		if (!has_found() && !old_) {
			old_ = true;
			by_names(source);
		}
		if (has_found())
			return;
	}
}

bool
function_search::each_in_debug_file(const elf_image::each_symbol &f) const
{
	elf_image debug;
	return image_.open_debug(debug) && debug.each(SHT_SYMTAB, f);
}

void
function_search::each_symbol(const elf_image::each_symbol &f) const
{
	if (!image_.each(SHT_DYNSYM, f) && !image_.each(SHT_SYMTAB, f))
		each_in_debug_file(f);
}

void
function_search::by_names(bool source)
{
	const auto each = [&](const elf_image::symbol &s) {
		consider(s, source);
		return false;
	};
	for (const unsigned int type : {SHT_DYNSYM, SHT_SYMTAB}) {
		image_.each(type, each);
		// The name that a library offers is the one that is meant.
		if (is_meant_.is_exact() && has_found())
			return;
	}
	each_in_debug_file(each);
}

void
function_search::consider(const elf_image::symbol &s, bool source)
{
	any_ = true;
	// The unlikely part of a function does not begin a function.
	if ((s.old && !old_) || s.name.find(".cold") != s.name.npos)
		return;
	function f{std::string(s.name), s.size, s.global};
	if (source ? !is_meant_source(f.name) : !is_meant_(f.name))
		return;
	if (s.indirect) {
		indirect_ = f.name;
		return;
	}
	std::uint64_t off;
	if (!image_.code_offset(s.address + e_.offset, off) ||
	    (e_.offset != 0 && s.size != 0 && e_.offset >= s.size))
		return;
	const auto [at, is_new] = found_.try_emplace(s.address, f);
	if (!is_new && f < at->second)
		at->second = std::move(f);
}

bool
function_search::is_meant_source(const std::string &linkage)
{
	readable_.resize(longest_readable);
	if (demangle(linkage.c_str(), readable_.data(), readable_.size()) != 0)
		return false;
	const std::string whole(readable_.c_str());
	return is_meant_(whole) || is_meant_(without_parameters(whole));
}

} // namespace stack9::events
