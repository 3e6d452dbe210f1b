// Lists the languages, and asks each of them in turn.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "languages.h"

#include <algorithm>
#include <iterator>

#include "go.h"

namespace stack9::languages {
namespace {

using unwind::found;
using unwind::row;

// NULL: the runtime keeps no such table.
struct language {
	bool	(*has_rows)(file &) noexcept;
	found	(*row)(file &, std::uint64_t vaddr, unwind::row &) noexcept;
	bool	(*name)(file &, std::uint64_t vaddr, std::string &name,
		    std::uint64_t &start, std::uint64_t &size) noexcept;
	bool	(*line)(file &, std::uint64_t vaddr, std::string &path,
		    unsigned int &line) noexcept;
};

constexpr language all[] = {
	{go_has_rows, go_row, go_name, go_line},
};

} // namespace

found
row_of(file &f, std::uint64_t vaddr, row &to) noexcept
{
	found how = found::no;
	for (const language &l : all)
		if (how == found::no && l.row != nullptr)
			how = l.row(f, vaddr, to);
	return how;
}

bool
have_rows(file &f) noexcept
{
	return std::any_of(std::begin(all), std::end(all),
	    [&](const language &l) {
		return l.has_rows != nullptr && l.has_rows(f);
	});
}

bool
name_of(file &f, std::uint64_t vaddr, std::string &name, std::uint64_t &start,
    std::uint64_t &size) noexcept
{
	for (const language &l : all)
		if (l.name != nullptr && l.name(f, vaddr, name, start, size))
			return true;
	return false;
}

bool
line_of(file &f, std::uint64_t vaddr, std::string &name, std::string &path,
    unsigned int &line) noexcept
{
	std::uint64_t start, size;
	for (const language &l : all)
		if (l.line != nullptr && l.line(f, vaddr, path, line) &&
		    l.name != nullptr && l.name(f, vaddr, name, start, size))
			return true;
	return false;
}

} // namespace stack9::languages
