// Keeps goroutines and tasks, and groups them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "coroutines.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <new>
#include <utility>

namespace stackprint {

int
found_coroutines::add(void *arg, const stack9_coroutine *c) noexcept
{
	auto &f = *static_cast<found_coroutines *>(arg);
	try {
		f.all_.push_back({{c->id, c->name, c->waits_for}, c->runtime,
		    c->state,
		    owned(stack9_sample_hold(c->sample))});
		return 0;
	} catch (const std::bad_alloc &) {
		f.no_memory_ = true;
		return 1;
	}
}

void
found_coroutines::note(const sample &s)
{
	if (!s.user.has_value() || s.user->space == nullptr ||
	    s.user->space == space_.get())
		return;
	space_.reset(stack9_space_hold(s.user->space));
	noted_ = s.thread.pid;
}

int
found_coroutines::find(const stack9_thread &process, unsigned int frames,
    bool native)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.frames = frames;
	o.flags = native ? 0 : STACK9_SAVE_LANGUAGES;
	if (noted_ == process.pid)
		o.space = space_.get();
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

std::size_t
found_coroutines::tasks() const
{
	return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(),
	    [](const coroutine &c) { return c.runtime != "go"; }));
}

std::vector<std::uint64_t>
coroutine_group::ids() const
{
	std::vector<std::uint64_t> list;
	for (const member &m : all)
		list.push_back(m.id);
	return list;
}

std::vector<coroutine_group>
found_coroutines::groups(names &n) const
{
	std::vector<coroutine_group> list;
	std::unordered_map<std::string, std::size_t> known;
	std::map<std::pair<pid_t, std::uint64_t>, std::string> named;
	for (const coroutine &c : all_)
		if (!c.who.name.empty())
			named[{c.sample->thread.pid, c.who.id}] = c.who.name;
	for (const coroutine &c : all_) {
		std::string key = std::to_string(c.sample->thread.pid) + ' ' +
		    c.state + '\n';
		key += each_ ? std::to_string(c.who.id) :
		    groups::identity(*c.sample, n);
		const auto [at, is_new] = known.try_emplace(std::move(key),
		    list.size());
		if (is_new)
			list.push_back({c.runtime, c.state, c.sample, {}});
		list[at->second].all.push_back(c.who);
		if (const auto other = named.find({c.sample->thread.pid,
		    c.who.waits_for}); other != named.end())
			list[at->second].all.back().waits_for_name =
			    other->second;
	}
	for (coroutine_group &g : list)
		std::sort(g.all.begin(), g.all.end(),
		    [](const auto &a, const auto &b) { return a.id < b.id; });
	std::sort(list.begin(), list.end(),
	    [](const coroutine_group &a, const coroutine_group &b) {
		    const pid_t pa = a.sample->thread.pid,
			pb = b.sample->thread.pid;
		    return pa != pb ? pa < pb :
			a.all.size() != b.all.size() ?
			a.all.size() > b.all.size() :
			a.all.front().id < b.all.front().id;
	    });
	return list;
}

} // namespace stackprint
