// Keeps goroutines and groups them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "coroutines.h"

#include <algorithm>
#include <cerrno>
#include <new>

namespace stackprint {

int
found_coroutines::add(void *arg, const stack9_coroutine *c) noexcept
{
	auto &f = *static_cast<found_coroutines *>(arg);
	try {
		f.all_.push_back({c->id, c->runtime, c->state,
		    owned(stack9_sample_hold(c->sample))});
		return 0;
	} catch (const std::bad_alloc &) {
		f.no_memory_ = true;
		return 1;
	}
}

int
found_coroutines::find(const stack9_thread &process, unsigned int frames)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.frames = frames;
	const int error = stack9_coroutines(&process, &o, add, this);
	return no_memory_ ? ENOMEM : error;
}

std::size_t
found_coroutines::captured() const
{
	return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(),
	    [](const coroutine &c) {
		    return outcome_of(*c.sample) == outcome::captured;
	    }));
}

std::vector<coroutine_group>
found_coroutines::groups(names &n) const
{
	std::vector<coroutine_group> list;
	std::unordered_map<std::string, std::size_t> known;
	for (const coroutine &c : all_) {
		std::string key = std::to_string(c.sample->thread.pid) + ' ' +
		    c.state + '\n';
		key += each_ ? std::to_string(c.id) :
		    groups::identity(*c.sample, n);
		const auto [at, is_new] = known.try_emplace(std::move(key),
		    list.size());
		if (is_new)
			list.push_back({c.runtime, c.state, c.sample, {}});
		list[at->second].ids.push_back(c.id);
	}
	for (coroutine_group &g : list)
		std::sort(g.ids.begin(), g.ids.end());
	std::sort(list.begin(), list.end(),
	    [](const coroutine_group &a, const coroutine_group &b) {
		    const pid_t pa = a.sample->thread.pid,
			pb = b.sample->thread.pid;
		    return pa != pb ? pa < pb :
			a.ids.size() != b.ids.size() ?
			a.ids.size() > b.ids.size() :
			a.ids.front() < b.ids.front();
	    });
	return list;
}

} // namespace stackprint
