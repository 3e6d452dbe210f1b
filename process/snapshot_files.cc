// Opens the files of a snapshot's mappings, and finds the files whose code lies
// in memory of no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "snapshot_maker.h"

#include <algorithm>
#include <string_view>

#include "core/seam/reader.h"

#include "absent_pages.h"
#include "far_files.h"
#include "files.h"
#include "memory_image.h"
#include "moved_text.h"

namespace stack9::process {
namespace {

constexpr std::string_view vdso = "[vdso]";

bool
wants_file(const mapping &m) noexcept
{
	return m.executable && !m.is_moved &&
	    (m.inode != 0 || m.path == vdso);
}

} // namespace

std::shared_ptr<file>
snapshot_maker::open(const mapping &m)
{
	const owner of{from_.task(), from_.tid()};
	if (m.inode == 0)
		return vdso_behind(of, m);
	const auto [at, is_new] = files_.try_emplace({m.major, m.minor,
	    m.inode});
	bool refused = false;
	if (is_new)
		at->second = file_behind(of, m, refused);
	if (refused)
		refused_.insert(at->first);
	return at->second;
}

void
snapshot_maker::open_files()
{
	for (const spot &s : *next_)
		if (s.what->backing != nullptr && s.what->inode != 0)
			files_.try_emplace({s.what->major, s.what->minor,
			    s.what->inode}, s.what->backing);
	auto &seen = kept_.seen_;
	for (std::size_t n = first_new_; n < seen.size(); n++)
		if (wants_file(seen[n]))
			seen[n].backing = open(seen[n]);
	for (std::size_t n = first_new_; n < seen.size(); n++) {
		mapping &m = seen[n];
		const auto at = files_.find({m.major, m.minor, m.inode});
		if (m.inode != 0 && at != files_.end())
			m.backing = at->second;
		m.is_refused = m.inode != 0 && refused_.count({m.major,
		    m.minor, m.inode}) != 0;
	}
	make_images();
	find_moved_texts();
	open_again();
}

// Where another process reads files, it does this as well, when it has to walk.
void
snapshot_maker::make_images()
{
	if (refused_.empty() || the_unwinder() != nullptr || from_.task() < 0)
		return;
	std::vector<mapping *> all;
	for (std::size_t n = first_new_; n < kept_.seen_.size(); n++)
		all.push_back(&kept_.seen_[n]);
	process_memory memory(from_.task(), from_.tid());
	add_images(all, [&](std::uintptr_t from, void *to, std::size_t size) {
		const auto wanted = static_cast<ssize_t>(size);
		return memory.read_present(from, to, size) == wanted ||
		    (bring_in(from_.task(), from, size) &&
		    memory.read_present(from, to, size) == wanted);
	});
}

// Returns true if a mapping has code of the neighbour's file, and makes it
// known as such.  A server that is silent would not let the file be read.
bool
snapshot_maker::has_moved(mapping &m, const mapping &neighbour,
    process_memory &memory)
{
	if (neighbour.inode == 0 || neighbour.is_moved ||
	    !is_near(neighbour.major, neighbour.minor))
		return false;
	auto f = open(neighbour);
	return f != nullptr && find_moved_from(m, neighbour,
	    [&](std::uint64_t offset) {
		if (!has_bytes_of(m, memory, *f, offset))
			return false;
		m.offset = offset;
		m.path = neighbour.path;
		m.deleted = neighbour.deleted;
		m.backing = f;
		m.is_moved = true;
		return true;
	    });
}

// A file's first mapping may have been moved as well as one between others.
void
snapshot_maker::find_moved_texts()
{
	auto &seen = kept_.seen_;
	process_memory memory;
	bool opened = false;
	for (std::size_t n = first_new_; n < seen.size(); n++) {
		mapping &m = seen[n];
		if (!could_be_moved_text(m) || from_.task() < 0)
			continue;
		if (!opened)
			memory = process_memory(from_.task(), from_.tid());
		opened = true;
		const auto here = std::lower_bound(next_->begin(),
		    next_->end(), m.start, [](const spot &s,
		    std::uintptr_t at) { return s.start < at; });
		if (here == next_->end() || here->what != &m)
			continue;
		if (here != next_->begin() && std::prev(here)->end == m.start &&
		    has_moved(m, *std::prev(here)->what, memory))
			continue;
		if (std::next(here) != next_->end())
			has_moved(m, *std::next(here)->what, memory);
	}
}

// A mapping whose file could not be opened last time becomes a new object with
// the file, because another thread may be reading the old one.
void
snapshot_maker::open_again()
{
	for (spot &s : *next_) {
		if (!wants_file(*s.what) || s.what->backing != nullptr)
			continue;
		if (auto f = open(*s.what)) {
			mapping m = *s.what;
			m.backing = std::move(f);
			s.what = &kept_.seen_.emplace_back(std::move(m));
		}
	}
}

} // namespace stack9::process
