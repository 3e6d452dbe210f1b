// Sends mappings, and each file once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mirrors.h"

#include <new>

#include "mapping_message.h"

namespace stack9::sandbox {

using process::file;
using process::mapping;

// Without memory for it, the mirror stays until another space has its number.
void
mirrors::forget(const stack9_space &s) noexcept
try {
	const std::lock_guard hold(lock_);
	ended_.push_back(number_of(s));
} catch (const std::bad_alloc &) {
}

void
mirrors::forget_all() noexcept
{
	spaces_.clear();
	files_.clear();
}

std::uint32_t
mirrors::number_of(const std::shared_ptr<file> &f) const noexcept
{
	const auto at = f == nullptr ? files_.end() : files_.find(f);
	return at == files_.end() ? 0 : at->second;
}

bool
mirrors::send_file(const std::shared_ptr<file> &f, channel &to, message &m)
{
	if (f == nullptr || number_of(f) != 0)
		return true;
	files_[f] = ++last_;
	m.begin(kind::file);
	m.put(last_);
	m.put_text(f->path());
	m.put(f->opened());
	m.put(static_cast<std::uint32_t>(f->image().size()));
	m.put_bytes(f->image().data(), f->image().size());
	return to.send(m, f->fd());
}

void
mirrors::put_gone(message &m)
{
	std::vector<std::uint64_t> ended;
	{
		const std::lock_guard hold(lock_);
		ended.swap(ended_);
	}
	m.put(static_cast<std::uint32_t>(ended.size()));
	for (const std::uint64_t number : ended) {
		m.put(number);
		spaces_.erase(number);
	}
	std::vector<std::uint32_t> closed;
	for (auto at = files_.begin(); at != files_.end();)
		if (at->first.expired()) {
			closed.push_back(at->second);
			at = files_.erase(at);
		} else {
			++at;
		}
	m.put(static_cast<std::uint32_t>(closed.size()));
	for (const std::uint32_t number : closed)
		m.put(number);
}

bool
mirrors::has(const stack9_space &s) const noexcept
{
	const auto known = spaces_.find(number_of(s));
	return known != spaces_.end() && known->second == s.number();
}

// A space that is renewed meanwhile is sent again at the next question.
bool
mirrors::send(stack9_space &s, channel &to, message &m)
{
	const std::uint64_t snapshot = s.number();
	if (has(s))
		return true;
	std::vector<const mapping *> all;
	s.each_mapping([&](const mapping &each) { all.push_back(&each); });
	for (const mapping *each : all)
		if (!send_file(each->backing, to, m))
			return false;
	m.begin(kind::space);
	put_gone(m);
	m.put(number_of(s));
	m.put(s.thread());
	m.put(static_cast<std::uint32_t>(all.size()));
	for (const mapping *each : all)
		put_mapping(m, *each, number_of(each->backing));
	if (!to.send(m))
		return false;
	spaces_[number_of(s)] = snapshot;
	return true;
}

} // namespace stack9::sandbox
