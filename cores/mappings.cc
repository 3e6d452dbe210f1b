// Joins the segments of a core and its mapped files to mappings.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mappings.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <elf.h>

#include "process/files.h"

namespace stack9::cores {
namespace {

constexpr std::string_view deleted_mark = " (deleted)";

// A file of the core: all of its mappings have the same number in place of an
// inode.
struct known_file {
	std::uint64_t	number;
	std::string	path;
	bool		deleted = false, is_looked_for = false;
	image		first;		// of its first mapping
	found_file	found{};
};

class joiner {
public:
	joiner(core_process &p, const places &where,
	    std::vector<std::string> &notes)
	    : core_(p), has_(p.has()), finder_(where), notes_(notes) {}

	std::vector<process::mapping> run();

private:
	void add(std::uint64_t start, std::uint64_t end, const segment *,
	    const mapped_file *);
	known_file &file_of(const mapped_file &);
	void add_file(process::mapping &, const mapped_file &,
	    std::uint64_t start);
	void add_vdso(process::mapping &);
	void look_for(known_file &);

	core_process		&core_;
	const contents		&has_;
	file_finder		finder_;
	std::vector<std::string> &notes_;
	std::map<std::string_view, known_file> files_;
	std::vector<process::mapping> all_;
	const mapped_file	*last_file_ = nullptr;	// of the last one
};

bool
may_do_the_same(const process::mapping &a, const process::mapping &b) noexcept
{
	return a.readable == b.readable && a.writable == b.writable &&
	    a.executable == b.executable;
}

known_file &
joiner::file_of(const mapped_file &m)
{
	const std::string_view path = has_.path(m);
	const auto [at, is_new] = files_.try_emplace(path);
	known_file &f = at->second;
	if (is_new) {
		f.number = files_.size();
		f.path = path;
		f.deleted = path.ends_with(deleted_mark);
		if (f.deleted)
			f.path.resize(path.size() - deleted_mark.size());
	}
	if (m.offset == 0 && !f.first.is_read)
		f.first = read_image(core_, m.start);
	return f;
}

// A file without a path in the file system cannot be found.
void
joiner::look_for(known_file &f)
{
	if (f.is_looked_for)
		return;
	f.is_looked_for = true;
	if (f.path.empty() || f.path[0] != '/' ||
	    f.path.starts_with("/memfd:") || f.path.starts_with("/dev/") ||
	    f.path.starts_with("/SYSV"))
		return;
	f.found = finder_.find(f.path, f.deleted, f.first);
	if (!f.found.note.empty())
		notes_.push_back(f.found.note);
}

// A file that is not found still shows where its addresses are.
void
joiner::add_file(process::mapping &m, const mapped_file &from,
    std::uint64_t start)
{
	known_file &f = file_of(from);
	m.inode = f.number;
	m.offset = from.offset + (start - from.start);
	m.path = f.path;
	m.deleted = f.deleted;
	if (m.executable)
		look_for(f);
	m.backing = f.found.what;
	m.is_debug_file = f.found.is_debug_file;
	m.is_refused = m.backing == nullptr && f.is_looked_for;
	if (f.first.is_read && (m.backing == nullptr || m.is_debug_file)) {
		m.is_image = true;
		m.image_at = f.first.bias;
		m.reported_build_id = f.first.build_id;
	}
}

void
joiner::add_vdso(process::mapping &m)
{
	constexpr std::uint64_t largest = 1 << 16;
	std::vector<std::byte> bytes(std::min<std::uint64_t>(m.end - m.start,
	    largest));
	m.path = "[vdso]";
	if (core_.read_kept(m.start, bytes.data(), bytes.size()))
		m.backing = process::file_of(std::move(bytes), m.path);
}

// Without a segment it is not known what may be done there.  A dump has a
// segment for each part that it keeps of a mapping: they are one mapping again.
void
joiner::add(std::uint64_t start, std::uint64_t end, const segment *s,
    const mapped_file *f)
{
	process::mapping m;
	m.start = start;
	m.end = end;
	m.readable = s == nullptr || (s->flags & PF_R) != 0;
	m.writable = s != nullptr && (s->flags & PF_W) != 0;
	m.executable = s == nullptr || (s->flags & PF_X) != 0;
	if (f != nullptr && f == last_file_ && all_.back().end == start &&
	    may_do_the_same(all_.back(), m)) {
		all_.back().end = end;
		return;
	}
	last_file_ = f;
	if (f != nullptr)
		add_file(m, *f, start);
	else if (has_.about.vdso != 0 && start == has_.about.vdso)
		add_vdso(m);
	all_.push_back(std::move(m));
}

// Both lists are ordered, and nothing in one of them overlaps.
std::vector<process::mapping>
joiner::run()
{
	// A program may map its code again, below its headers, as node does.
	for (const mapped_file &m : has_.files)
		file_of(m);
	auto s = has_.segments.begin();
	auto f = has_.files.begin();
	const auto s_end = has_.segments.end();
	const auto f_end = has_.files.end();
	for (std::uint64_t at = 0; s != s_end || f != f_end;) {
		const bool in_s = s != s_end && s->start <= at;
		const bool in_f = f != f_end && f->start <= at;
		std::uint64_t next = UINT64_MAX;
		if (s != s_end)
			next = std::min(next, in_s ? s->end : s->start);
		if (f != f_end)
			next = std::min(next, in_f ? f->end : f->start);
		if (in_s || in_f)
			add(at, next, in_s ? &*s : nullptr,
			    in_f ? &*f : nullptr);
		at = next;
		if (s != s_end && s->end <= at)
			++s;
		if (f != f_end && f->end <= at)
			++f;
	}
	return std::move(all_);
}

} // namespace

// Data of a file may lie before its code, and needs the file as well.
std::vector<process::mapping>
mappings_of(core_process &p, const places &where,
    std::vector<std::string> &notes)
{
	std::vector<process::mapping> all = joiner(p, where, notes).run();
	std::map<std::uint64_t, const process::mapping *> by_number;
	for (const process::mapping &m : all)
		if (m.backing != nullptr && m.inode != 0)
			by_number[m.inode] = &m;
	for (process::mapping &m : all) {
		const auto at = by_number.find(m.inode);
		if (m.inode == 0 || at == by_number.end())
			continue;
		m.backing = at->second->backing;
		m.is_debug_file = at->second->is_debug_file;
	}
	return all;
}

} // namespace stack9::cores
