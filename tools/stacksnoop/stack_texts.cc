// Finds texts by the whole stack, which is compared and not only hashed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_texts.h"

#include <algorithm>
#include <utility>

namespace stacksnoop {

std::size_t
stack_texts::hash::operator()(std::span<const std::uintptr_t> key) const
{
	std::uint64_t h = key.size();
	for (const std::uintptr_t w : key)
		h = (h ^ w) * 0x9e3779b97f4a7c15 ^ h >> 29;
	return h ^ h >> 32;
}

bool
stack_texts::equal::operator()(std::span<const std::uintptr_t> a,
    std::span<const std::uintptr_t> b) const
{
	return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// The address of a space identifies it: the names of the space hold it once
// they are asked for.
void
stack_texts::add(const stack9_record *rec)
{
	if (rec == nullptr) {
		key_.push_back(0);
		return;
	}
	const std::uint32_t depth = rec->error == 0 ? rec->depth : 0;
	const auto address = [](const void *p) {
		return reinterpret_cast<std::uintptr_t>(p);
	};
	key_.insert(key_.end(), {std::uintptr_t{1} + depth,
	    std::uintptr_t{static_cast<unsigned int>(rec->why)},
	    std::uintptr_t{static_cast<unsigned int>(rec->error)}, rec->flags,
	    rec->dropped, address(rec->reason), address(rec->space)});
	key_.insert(key_.end(), rec->pcs, rec->pcs + depth);
}

const std::string *
stack_texts::find(const stack9_sample &sample)
{
	key_.clear();
	add(sample.kernel);
	add(sample.user);
	const auto it = texts_.find(std::span<const std::uintptr_t>(key_));
	return it == texts_.end() ? nullptr : &it->second;
}

const std::string &
stack_texts::keep(std::string &&text)
{
	return texts_.insert_or_assign(key_, std::move(text)).first->second;
}

} // namespace stacksnoop
