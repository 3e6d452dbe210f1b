// Finds names and lines in Go's own tables.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <new>

#include "go.h"
#include "go_table.h"

namespace stack9::languages {

bool
go_name(file &f, std::uint64_t vaddr, std::string &name, std::uint64_t &start,
    std::uint64_t &size) noexcept
{
	go_function found;
	try {
		const go_table *const t = go_table::of(f);
		if (t == nullptr || !t->find(vaddr, found) ||
		    !t->name(found, name))
			return false;
	} catch (const std::bad_alloc &) {
		return false;
	}
	start = found.begin;
	size = found.end - found.begin;
	return true;
}

bool
go_line(file &f, std::uint64_t vaddr, std::string &path,
    unsigned int &line) noexcept
{
	go_function found;
	try {
		const go_table *const t = go_table::of(f);
		return t != nullptr && t->find(vaddr, found) &&
		    t->line(found, vaddr, path, line);
	} catch (const std::bad_alloc &) {
		return false;
	}
}

} // namespace stack9::languages
