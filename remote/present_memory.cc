// Reads pages of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "present_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/seam/outside.h"

namespace stack9::remote {

bool
present_memory::fetch(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	if (outside *const o = the_outside.load())
		return o->read_memory(from, to, size);
	return (kept_ != nullptr ? kept_->read(from, to, size) :
	    of_ != nullptr ? of_->read_present(from, to, size) :
	    live_.read_present(from, to, size)) == static_cast<ssize_t>(size);
}

// Other walks go on with the pages that are shared.
void
present_memory::forget() noexcept
{
	shared_ = nullptr;
	pages_.clear();
	parts_.clear();
	if (outside *const o = the_outside.load())
		o->forget();
}

// Memory can be read by pages or not at all.  NULL: not at all.
const present_memory::page *
present_memory::page_of(std::uintptr_t start)
{
	if (const page *const known = pages().find(start))
		return known;
	make_room();
	page &to = pages()[start];
	to.resize(page_size_);
	if (fetch(start, to.data(), to.size()))
		return &to;
	pages().erase(start);
	return nullptr;
}

void
present_memory::make_room()
{
	if (pages().size() >= most_bytes / page_size_)
		pages().clear();
}

// Those that cannot be read are left out.
void
present_memory::read_parts(std::span<const range> wanted, memory_parts &of)
{
	std::vector<outside::part> all;
	for (const range &r : wanted) {
		std::vector<std::byte> &bytes = of[r.from];
		if (!bytes.empty() || r.size == 0 || r.size > part_max)
			continue;
		bytes.resize(r.size);
		all.push_back({r.from, r.size, false, bytes.data()});
	}
	if (outside *const o = the_outside.load())
		o->read_parts(all);
	else
		for (outside::part &p : all)
			p.is_read = fetch(p.from, p.to, p.size);
	for (const outside::part &p : all)
		if (!p.is_read)
			of.erase(p.from);
}

void
present_memory::read_pages(std::span<const range> wanted)
{
	std::vector<range> all;
	make_room();
	for (const range &r : wanted)
		for (std::uint64_t at = r.from & ~(page_size_ - 1);
		    at < r.from + r.size &&
		    all.size() < most_bytes / page_size_; at += page_size_)
			all.push_back({at,
			    static_cast<std::uint32_t>(page_size_)});
	read_parts(all, pages());
}

void
present_memory::prefetch(std::span<const range> wanted) noexcept
try {
	if (shared_ != nullptr && page_size_ <= part_max)
		read_pages(wanted);
	else
		read_parts(wanted, parts_);
} catch (const std::bad_alloc &) {
	parts_.clear();
	pages().clear();
}

bool
present_memory::read(std::uintptr_t from, void *to, std::size_t size) noexcept
try {
	// All memory of a core is of one moment.  The maker of a dump notes
	// which of it is read.
	for (const copied_piece *p : copy_.pieces())
		if (!is_kept_ && p->holds(from, size)) {
			std::memcpy(to, p->bytes.data() + (from - p->at), size);
			return true;
		}
	if (parts_.read(from, to, size))
		return true;
	auto *at = static_cast<std::byte *>(to);
	while (size != 0) {
		const std::uintptr_t start = from & ~(page_size_ - 1);
		const std::size_t n = std::min(size, start + page_size_ - from);
		const page *const p = page_of(start);
		if (p == nullptr)
			return false;
		std::memcpy(at, p->data() + (from - start), n);
		at += n;
		from += n;
		size -= n;
	}
	return true;
} catch (const std::bad_alloc &) {
	return false;
}

} // namespace stack9::remote
