// Finds open files, and closes those that nobody uses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_cache.h"

#include "os/strangers_file.h"

namespace stack9::process {

std::shared_ptr<file>
file_cache::find(const identity &who)
{
	const auto at = entries_.find(who);
	if (at == entries_.end())
		return nullptr;
	if (state_of(at->second.what->fd()) != at->second.what->opened()) {
		entries_.erase(at);
		return nullptr;
	}
	at->second.used = ++turn_;
	return at->second.what;
}

void
file_cache::add(const identity &who, std::shared_ptr<file> f)
{
	drop_unused(many);
	entries_.insert_or_assign(who, entry{std::move(f), ++turn_});
}

std::shared_ptr<file>
file_cache::find(const std::vector<std::byte> &image) const
{
	const auto at = images_.find(image);
	return at == images_.end() ? nullptr : at->second;
}

void
file_cache::add(std::vector<std::byte> image, std::shared_ptr<file> f)
{
	if (images_.size() >= many_images)
		images_.clear();
	images_.insert_or_assign(std::move(image), std::move(f));
}

bool
file_cache::drop_unused(std::size_t keep) noexcept
{
	const auto before = entries_.size();
	while (entries_.size() > keep) {
		auto oldest = entries_.end();
		for (auto at = entries_.begin(); at != entries_.end(); ++at)
			if (at->second.what.use_count() == 1 &&
			    (oldest == entries_.end() ||
			    at->second.used < oldest->second.used))
				oldest = at;
		if (oldest == entries_.end())
			break;
		entries_.erase(oldest);
	}
	return entries_.size() != before;
}

} // namespace stack9::process
