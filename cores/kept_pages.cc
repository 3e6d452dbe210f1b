// Keeps what is read of a core's memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kept_pages.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace stack9::cores {

// Several reads may be needed: each gives what lies in one place.
std::uint64_t
kept_pages::read_up_to(const contents &c, std::uint64_t at, std::byte *to,
    std::uint64_t size) noexcept
{
	std::uint64_t done = 0;
	while (done < size) {
		const ssize_t n = from_->read(c, at + done, to + done,
		    size - done);
		if (n <= 0)
			break;
		done += static_cast<std::uint64_t>(n);
	}
	return done;
}

kept_pages::page &
kept_pages::page_of(const contents &c, std::uint64_t start)
{
	const auto [at, is_new] = pages_.try_emplace(start);
	page &p = at->second;
	if (is_new) {
		const std::uint64_t whole = read_up_to(c, start,
		    p.bytes.data(), page_size) / granule_size;
		p.there = (1u << whole) - 1;
	}
	return p;
}

// A page may begin with what is not kept.
bool
kept_pages::has(const contents &c, page &p, std::uint64_t start,
    std::uint64_t granule) noexcept
{
	const std::uint64_t in = granule * granule_size;
	if ((p.there >> granule & 1) == 0 && read_up_to(c, start + in,
	    p.bytes.data() + in, granule_size) == granule_size)
		p.there |= 1u << granule;
	return (p.there >> granule & 1) != 0;
}

bool
kept_pages::keep_granule(page &p, std::uint64_t granule) noexcept
{
	if ((p.kept >> granule & 1) != 0)
		return true;
	was_short_ |= kept_ + granule_size > most_;
	if (was_short_)
		return false;
	kept_ += granule_size;
	p.kept |= 1u << granule;
	return true;
}

ssize_t
kept_pages::take(const contents &c, std::uint64_t from, void *to,
    std::size_t size, bool keeps) noexcept
try {
	const std::lock_guard hold(lock_);
	auto *const out = static_cast<std::byte *>(to);
	std::size_t done = 0;
	while (done < size) {
		const std::uint64_t at = from + done,
		    start = at & ~(page_size - 1), in = at - start,
		    granule = in / granule_size;
		page &p = page_of(c, start);
		if (!has(c, p, start, granule))
			break;
		if (keeps && !keep_granule(p, granule))
			break;
		const std::size_t n = std::min<std::uint64_t>(size - done,
		    (granule + 1) * granule_size - in);
		if (out != nullptr)
			std::memcpy(out + done, p.bytes.data() + in, n);
		done += n;
	}
	return done != 0 ? static_cast<ssize_t>(done) : -1;
} catch (const std::bad_alloc &) {
	return -1;
}

ssize_t
kept_pages::read(const contents &c, std::uint64_t from, void *to,
    std::size_t size) noexcept
{
	return take(c, from, to, size, true);
}

ssize_t
kept_pages::peek(const contents &c, std::uint64_t from, void *to,
    std::size_t size) noexcept
{
	return take(c, from, to, size, false);
}

void
kept_pages::keep(const contents &c, std::uint64_t from, std::uint64_t size)
    noexcept
{
	take(c, from, nullptr, size, true);
}

// The bytes are for the dump alone: take() has none there, so that nobody takes
// them for the core's.
void
kept_pages::note_file(std::uint64_t from, std::size_t size,
    const file_reader &read) noexcept
try {
	const std::lock_guard hold(lock_);
	for (std::uint64_t at = from & ~(granule_size - 1); at < from + size;
	    at += granule_size) {
		const std::uint64_t start = at & ~(page_size - 1),
		    granule = (at - start) / granule_size;
		page &p = pages_[start];
		if (((p.kept | p.there) >> granule & 1) == 0 && read(at,
		    p.bytes.data() + granule * granule_size, granule_size))
			keep_granule(p, granule);
	}
} catch (const std::bad_alloc &) {
}

void
kept_pages::align(const contents &c) noexcept
{
	for (auto &[start, p] : pages_)
		if (p.kept != 0)
			keep(c, start, (granules - static_cast<std::uint64_t>(
			    std::countl_zero(static_cast<std::uint16_t>(
			    p.kept)))) * granule_size);
}

} // namespace stack9::cores
