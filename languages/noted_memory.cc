// Keeps the parts of memory that walks have read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "noted_memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace stack9::languages {
namespace {

constexpr std::size_t most_kept = 1 << 15, most_parts = 256;
constexpr std::uint32_t largest = 4096;
// Bytes of a stack, and parts, for one thread.
constexpr std::size_t most_looked_at = 256 << 10, most_ahead = 8192;
// Parts so near to each other are read as one.
constexpr std::uint64_t near = 1024;

void
join_neighbours(std::vector<memory::range> &all)
{
	std::sort(all.begin(), all.end(), [](const memory::range &a,
	    const memory::range &b) { return a.from < b.from; });
	std::size_t n = 0;
	for (const memory::range &r : all) {
		memory::range *const last = n != 0 ? &all[n - 1] : nullptr;
		if (last != nullptr && r.from <= last->from + last->size +
		    near && r.from + r.size <= last->from + largest) {
			const std::uint64_t end = std::max(last->from +
			    last->size, r.from + r.size);
			last->size = static_cast<std::uint32_t>(end -
			    last->from);
		} else {
			all[n++] = r;
		}
	}
	all.resize(n);
}

} // namespace

bool
noted_places::knows(std::uint64_t what, part which)
{
	const std::lock_guard hold(lock_);
	return all_.contains({what, which});
}

void
noted_places::keep(std::uint64_t what, part which,
    std::vector<memory::range> ranges)
{
	join_neighbours(ranges);
	if (ranges.size() > most_parts)
		ranges.resize(most_parts);
	const std::lock_guard hold(lock_);
	if (all_.size() >= most_kept)
		all_.clear();
	all_[{what, which}] = std::move(ranges);
	lowest_ = std::min(lowest_, what);
	highest_ = std::max(highest_, what);
}

void
noted_places::prefetch(memory &m, std::span<const std::byte> words)
{
	std::vector<memory::range> ranges;
	std::unique_lock hold(lock_);
	for (std::size_t at = 0; at + 8 <= words.size() &&
	    at < most_looked_at && ranges.size() < most_ahead; at += 8) {
		std::uint64_t word;
		std::memcpy(&word, words.data() + at, sizeof word);
		if (word < lowest_ || word > highest_)
			continue;
		for (const part which : {part::step, part::names})
			if (const auto known = all_.find({word, which});
			    known != all_.end())
				ranges.insert(ranges.end(),
				    known->second.begin(),
				    known->second.end());
	}
	hold.unlock();
	join_neighbours(ranges);
	if (!ranges.empty())
		m.prefetch(ranges);
}

void
noted_places::prefetch(memory &m, std::uint64_t what, part which)
{
	std::vector<memory::range> ranges;
	{
		const std::lock_guard hold(lock_);
		if (const auto known = all_.find({what, which});
		    known != all_.end())
			ranges = known->second;
	}
	if (!ranges.empty())
		m.prefetch(ranges);
}

void
noting_memory::prefetch_by_stack()
{
	for (const copied_piece *const p : copy_.pieces())
		to_.prefetch(below_, {p->bytes.data(), p->bytes.size()});
}

bool
noting_memory::read(std::uintptr_t from, void *to, std::size_t size) noexcept
try {
	if (!below_.read(from, to, size))
		return false;
	if (!is_noting() || size > largest)
		return true;
	for (const copied_piece *const p : copy_.pieces())
		if (p->holds(from, size))
			return true;
	now_->ranges_.push_back({from, static_cast<std::uint32_t>(size)});
	return true;
} catch (const std::bad_alloc &) {
	return true;	// it is read, and not noted
}

noting_memory::noting::noting(noting_memory &m, std::uint64_t what,
    part which)
    : m_(m), what_(what), part_(which), outer_(m.now_),
      is_known_(m.to_.knows(what, which)),
      notes_(!is_known_ || m.is_noting())
{
	m.now_ = this;
}

// All that is read for a part of a thing is read for the whole.
noting_memory::noting::~noting()
{
	m_.now_ = outer_;
	try {
		if (m_.is_noting())
			outer_->ranges_.insert(outer_->ranges_.end(),
			    ranges_.begin(), ranges_.end());
		if (!is_known_)
			m_.to_.keep(what_, part_, std::move(ranges_));
	} catch (const std::bad_alloc &) {
	}
}

} // namespace stack9::languages
