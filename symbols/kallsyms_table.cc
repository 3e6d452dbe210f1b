// Makes a table of the text of /proc/kallsyms ("address type name[\t[module]]")
// that answers as the kernel's own kallsyms_lookup() does (6.18; the same since
// 2.6).  The first of several symbols at one address is taken, in the file's
// order, and a size is the distance to the next address.
//
// All types are kept, data too: a kernel that lists data also looks it up, and
// its addresses end the functions before them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kallsyms_table.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace stack9 {
namespace {

// The file does not say where the last function before a gap ends.  A module's
// text ends with a page.  BPF programs share pages only with each other, and
// may be long.
constexpr std::string_view programs = "bpf";
constexpr std::uint64_t page = 4096;
constexpr std::uint64_t longest = 1 << 20;

// True for "$x", ".L12", "L0\1": marks of the assembler in modules.  The
// kernel's lookup skips them.
bool
is_mark(std::string_view name) noexcept
{
	return name[0] == '$' || name.substr(0, 2) == ".L" ||
	    name.substr(0, 2) == "L0";
}

bool
take_hex(std::string_view &line, std::uint64_t &value) noexcept
{
	value = 0;
	std::size_t i = 0;
	for (; i < line.size() && i < 16; i++) {
		const char c = line[i];
		if (c >= '0' && c <= '9')
			value = value * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (c - 'a' + 10);
		else
			break;
	}
	line.remove_prefix(i);
	return i != 0;
}

} // namespace

std::uint16_t
kallsyms_table::find_owner(std::string_view name)
{
	if (owners[last_owner] == name)
		return last_owner;
	const auto at = std::find(owners.begin(), owners.end(), name);
	if (at == owners.end()) {
		if (owners.size() > UINT16_MAX)
			return 0;
		owners.emplace_back(name);
		return owners.size() - 1;
	}
	return at - owners.begin();
}

void
kallsyms_table::note_section(std::uint64_t at, std::string_view name) noexcept
{
	if (name == "_stext")
		core.stext = at;
	else if (name == "_etext")
		core.etext = at;
	else if (name == "_sinittext")
		core.sinittext = at;
	else if (name == "_einittext")
		core.einittext = at;
	else if (name == "_end")
		core.end = at;
}

bool
kallsyms_table::in_core(std::uint64_t at) const noexcept
{
	if (core.stext == 0 || (core.end | core.etext) == 0)
		return true;
	if (core.end != 0)
		return at >= core.stext && at < core.end;
	return (at >= core.stext && at < core.etext) ||
	    (at >= core.sinittext && at < core.einittext);
}

void
kallsyms_table::add_symbol(std::uint64_t start, std::string_view name,
    std::string_view owner)
{
	name = name.substr(0, name_max - 1);
	if (owner.empty() && name[0] == '_')
		note_section(start, name);
	last_owner = find_owner(owner);
	entries.push_back({start, static_cast<std::uint32_t>(names.size()),
	    last_owner});
	names.append(name).push_back('\0');
}

// Per-CPU symbols have low addresses and are left out.
void
kallsyms_table::add_line(std::string_view line)
{
	std::uint64_t start;
	if (!take_hex(line, start) || line.size() < 4 || line[0] != ' ' ||
	    line[2] != ' ')
		return;
	(start == 0 ? zeros : others) = true;
	if (static_cast<std::int64_t>(start) >= 0)
		return;
	line.remove_prefix(3);
	const std::size_t tab = line.find('\t');
	const std::string_view name = line.substr(0, tab);
	if (name.empty() || name.find('\0') != name.npos || is_mark(name))
		return;
	if (tab == line.npos) {
		add_symbol(start, name, "");
		return;
	}
	const std::string_view owner = line.substr(tab + 1);
	if (owner.size() > 2 && owner.front() == '[' && owner.back() == ']')
		add_symbol(start, name, owner.substr(1, owner.size() - 2));
}

std::size_t
kallsyms_table::add(std::string_view text)
{
	std::size_t done = 0;
	for (;;) {
		const std::size_t end = text.find('\n', done);
		if (end == text.npos)
			return done;
		if (names.size() <= UINT32_MAX - name_max)
			add_line(text.substr(done, end - done));
		done = end + 1;
	}
}

void
kallsyms_table::finish()
{
	// names grow in the file's order, so the first of several comes first.
	const auto before = [](const entry &a, const entry &b) {
		return a.start != b.start ? a.start < b.start : a.name < b.name;
	};
	const auto same = [](const entry &a, const entry &b) {
		return a.start == b.start;
	};
	// The kernel's own symbols are sorted; modules and programs follow
	// unsorted.
	const auto tail =
	    std::is_sorted_until(entries.begin(), entries.end(), before);
	std::sort(tail, entries.end(), before);
	std::inplace_merge(entries.begin(), tail, entries.end(), before);
	entries.erase(std::unique(entries.begin(), entries.end(), same),
	    entries.end());
	entries.shrink_to_fit();
	names.shrink_to_fit();
}

std::uint64_t
kallsyms_table::size_of(const entry &e) const noexcept
{
	const entry *next = &e + 1;
	const bool last = next == entries.data() + entries.size();
	const std::uint64_t distance =
	    last ? UINT64_MAX : next->start - e.start;
	const bool same = !last && next->owner == e.owner;
	if (same && e.owner == 0)
		return distance;
	if (same || owners[e.owner] == programs)
		return std::min(distance, longest);
	return std::min(distance, page - e.start % page);
}

int
kallsyms_table::find(std::uintptr_t pc, bool return_address,
    symbol_name &sym) const noexcept
{
	const std::uint64_t key = pc - return_address;
	const auto next = std::upper_bound(entries.begin(), entries.end(), key,
	    [](std::uint64_t k, const entry &e) { return k < e.start; });
	if (next == entries.begin())
		return ENOENT;
	const entry &e = *std::prev(next);
	const std::uint64_t size = size_of(e);
	if (key - e.start >= size || (e.owner == 0 && !in_core(key)))
		return ENOENT;
	const std::string &owner = owners[e.owner];
	const char *name = names.c_str() + e.name;
	memcpy(sym.name, name, strlen(name) + 1);
	const std::size_t n = std::min(owner.size(), sizeof(sym.module) - 1);
	memcpy(sym.module, owner.data(), n);
	sym.module[n] = '\0';
	sym.offset = pc - e.start;
	sym.size = size;
	return 0;
}

std::size_t
kallsyms_table::memory() const noexcept
{
	return entries.capacity() * sizeof(entry) + names.capacity();
}

} // namespace stack9
