// Checks each reference to a table before it is kept.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "segment.h"

#include <iterator>
#include <utility>

#include "identity.h"
#include "limits.h"

namespace recording {
namespace {

constexpr const char *too_many = "it has more than a segment may have";

template <class Entry>
bool
take(std::vector<Entry> &to, std::vector<Entry> &from, std::size_t most)
{
	if (from.size() > most - to.size())
		return false;
	std::move(from.begin(), from.end(), std::back_inserter(to));
	return true;
}

bool
is_in(std::uint32_t number, std::size_t size)
{
	return number != 0 && number <= size;
}

} // namespace

bool
segment::spend(std::size_t bytes)
{
	text_ += bytes;
	return text_ <= most_text_of_all;
}

// A stack's name is computed again: a wrong one would join stacks that are not
// the same.
std::string
segment::check(const stack &s) const
{
	for (const std::uint32_t f : s.frames)
		if (!is_in(f, frames_.size()))
			return "a stack has a frame that is not there";
	return identity_of(s, frame_ids_) == s.id ? "" :
	    "a stack has the name of another one";
}

std::string
segment::add_tables(tick &t)
{
	for (const module &m : t.modules)
		if (!spend(m.path.size() + m.build_id.size()))
			return too_many;
	if (!take(modules_, t.modules, most_modules) ||
	    t.frames.size() > most_frames - frames_.size())
		return too_many;
	for (frame &f : t.frames) {
		if (f.module > modules_.size())
			return "a frame has a module that is not there";
		if (!spend(f.name.size() + f.readable.size() +
		    f.language.size() + f.file.size()))
			return too_many;
		frame_ids_.push_back(identity_of(f, module_of(f.module)));
		frames_.push_back(std::move(f));
	}
	for (const stack &s : t.stacks) {
		numbers_ += s.frames.size();
		if (numbers_ > most_frame_numbers ||
		    !spend(s.reason.size() + s.route.size() + s.note.size()))
			return too_many;
		if (const std::string what = check(s); !what.empty())
			return what;
	}
	for (const process &p : t.processes)
		if (!spend(p.cgroup.size()))
			return too_many;
	if (!take(stacks_, t.stacks, most_stacks) ||
	    !take(processes_, t.processes, most_processes))
		return too_many;
	for (const thread &each : t.threads)
		if (!is_in(each.process, processes_.size()))
			return "a thread has a process that is not there";
		else if (!spend(each.comm.size() + each.name.size()))
			return too_many;
	for (const base &b : t.bases)
		if (!is_in(b.process, processes_.size()) ||
		    !is_in(b.module, modules_.size()))
			return "an address is of what is not there";
	for (const wait &w : t.waits)
		if (!spend(w.kind.size() + w.call.size() + w.object.size() +
		    w.place.size()))
			return too_many;
	for (const event &e : t.events)
		if (!spend(e.name.size()))
			return too_many;
	return take(threads_, t.threads, most_threads) &&
	    take(bases_, t.bases, most_bases) &&
	    take(waits_, t.waits, most_waits) &&
	    take(events_, t.events, most_events) ? "" : too_many;
}

std::string
segment::check_states(const tick &t) const
{
	for (const std::uint32_t gone : t.gone)
		if (!is_in(gone, threads_.size()))
			return "a thread ends that was not there";
	for (const name_change &n : t.names)
		if (!is_in(n.thread, threads_.size()))
			return "a name is of a thread that is not there";
	for (const change &c : t.changes)
		if (!is_in(c.thread, threads_.size()) ||
		    c.now.kernel > stacks_.size() ||
		    c.now.user > stacks_.size())
			return "a thread has a stack that is not there";
		else if (c.now.wait > waits_.size())
			return "a thread has a wait that is not there";
	for (const event_count &c : t.counts)
		if (!is_in(c.event, events_.size()) ||
		    !is_in(c.thread, threads_.size()) ||
		    c.kernel > stacks_.size() || c.user > stacks_.size())
			return "an event is of what is not there";
	return t.boot_ns < boot_ns_ ? "its time goes back" : "";
}

std::string
segment::add(tick &t)
{
	if (const std::string what = add_tables(t); !what.empty())
		return what;
	if (const std::string what = check_states(t); !what.empty())
		return what;
	for (name_change &n : t.names)
		if (!spend(n.comm.size() + n.name.size()))
			return too_many;
	states_.resize(threads_.size());
	there_.resize(threads_.size());
	return {};
}

void
segment::go_on(const tick &t)
{
	for (const std::uint32_t gone : t.gone)
		there_[gone - 1] = false;
	for (const change &c : t.changes) {
		states_[c.thread - 1] = c.now;
		there_[c.thread - 1] = true;
	}
	for (const name_change &n : t.names) {
		threads_[n.thread - 1].comm = n.comm;
		threads_[n.thread - 1].name = n.name;
	}
	boot_ns_ = t.boot_ns;
	wall_minus_boot_ = t.wall_minus_boot;
}

// The last one is the newest.
std::uint64_t
segment::base_of(std::uint32_t process, std::uint32_t module) const
{
	for (auto b = bases_.rbegin(); b != bases_.rend(); ++b)
		if (b->process == process && b->module == module)
			return b->address;
	return 0;
}

// The name of such a frame is not part of its identity.
void
segment::name(const std::function<void(const module &, frame &)> &fn)
{
	for (; named_ < frames_.size(); named_++) {
		frame &f = frames_[named_];
		if (f.kind == frame_kind::file && f.name.empty() &&
		    f.module != 0 && !modules_[f.module - 1].build_id.empty())
			fn(modules_[f.module - 1], f);
	}
}

} // namespace recording
