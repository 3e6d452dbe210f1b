// Compares frames in full: equal hashes alone never join two of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frame_table.h"

#include <functional>
#include <string_view>

namespace tools {
namespace {

const std::string &
file_of(const frame &f)
{
	return f.build_id.empty() ? f.module : f.build_id;
}

void
mix(std::size_t &sum, std::uint64_t value)
{
	sum = (sum ^ value) * 0x9e3779b97f4a7c15;
	sum ^= sum >> 29;
}

void
mix(std::size_t &sum, const std::string &text)
{
	mix(sum, std::hash<std::string_view>()(text));
}

// Only the address distinguishes code that has no name.
std::uint64_t
place_of(const frame &f)
{
	return f.name.empty() ? f.address : 0;
}

bool
is_same_place(const frame &a, const frame &b)
{
	return a.flags == b.flags && a.address == b.address &&
	    a.module == b.module;
}

} // namespace

// Functions are compared by their linkage names, too: overloaded functions
// share a demangled name and are still different.
std::size_t
frame_table::hash::operator()(const candidate &c) const
{
	const frame &f = c.what;
	std::size_t sum = static_cast<std::size_t>(f.kind);
	mix(sum, f.name);
	mix(sum, f.linkage);
	mix(sum, file_of(f));
	mix(sum, f.line);
	mix(sum, place_of(f));
	if (of->how_ >= precision::offsets)
		mix(sum, f.offset);
	if (of->how_ >= precision::addresses)
		mix(sum, c.pc);
	return sum;
}

std::size_t
frame_table::hash::operator()(std::uint32_t n) const
{
	return (*this)(candidate{of->all_[n], of->pcs_[n]});
}

bool
frame_table::same::operator()(const candidate &c, std::uint32_t n) const
{
	const frame &a = c.what, &b = of->all_[n];
	return a.kind == b.kind && a.name == b.name &&
	    a.linkage == b.linkage && file_of(a) == file_of(b) &&
	    a.file == b.file && a.line == b.line && a.language == b.language &&
	    place_of(a) == place_of(b) &&
	    (of->how_ < precision::offsets || a.offset == b.offset) &&
	    (of->how_ < precision::addresses || c.pc == of->pcs_[n]) &&
	    (of->how_ < precision::all || is_same_place(a, b));
}

std::uint32_t
frame_table::number(const frame &f, std::uint64_t pc)
{
	const auto at = numbers_.find(candidate{f, pc});
	if (at != numbers_.end())
		return *at;
	const auto n = static_cast<std::uint32_t>(all_.size());
	all_.push_back(f);
	pcs_.push_back(pc);
	numbers_.insert(n);
	return n;
}

std::uint32_t
frame_table::marker(frame_kind kind, const std::string &name)
{
	frame f;
	f.kind = kind;
	f.name = name;
	return number(f);
}

void
frame_table::clear()
{
	numbers_.clear();
	all_.clear();
	pcs_.clear();
}

} // namespace tools
