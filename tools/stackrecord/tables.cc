// Compares stacks by all of their addresses, never by their hashes alone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>

#include "keys.h"
#include "tools/record/identity.h"
#include "tools/record/limits.h"

namespace stackrecord {
namespace {

// So many of one process are as many as a segment has.
constexpr std::size_t most_known = 65536;

// Gives what distinguishes the functions of languages in a stack; "": there are
// none.
std::string
written_in(const stack9_stack &s)
{
	std::string key;
	for (std::uint32_t i = 0; i < s.written_count; i++) {
		const stack9_written &w = s.written[i];
		append_bytes(key, w.index);
		append_bytes(key, w.flags);
		append_bytes(key, w.line);
		for (const char *const text : {w.language, w.name, w.file})
			key.append(text).push_back('\0');
	}
	return key;
}

} // namespace

// The addresses mean what they meant as long as the mappings are the same.
void
known_process::maps(stack9_space *now)
{
	if (now == nullptr || now == space.get())
		return;
	space.reset(stack9_space_hold(now));
	stacks.clear();
}

void
tables::clear()
{
	kernel_ = {};
	modules_.clear();
	frames_.clear();
	stacks_.clear();
	waits_.clear();
	events_.clear();
	kept_modules_.clear();
	frame_ids_.clear();
	frame_numbers_ = text_ = 0;
}

bool
tables::is_full() const
{
	return frames_.size() > recording::most_frames / 2 ||
	    stacks_.size() > recording::most_stacks / 2 ||
	    modules_.size() > recording::most_modules / 2 ||
	    waits_.size() > recording::most_waits / 2 ||
	    events_.size() > recording::most_events / 2 ||
	    frame_numbers_ > recording::most_frame_numbers / 2 ||
	    text_ > recording::most_text_of_all / 2;
}

std::uint32_t
tables::find(const known_addresses &in, const stack9_stack &s) const
{
	const auto [first, last] = in.stacks.equal_range(s.hash);
	const std::string written = first == last ? "" : written_in(s);
	for (auto at = first; at != last; ++at) {
		const known_addresses::stack &known = at->second;
		if (known.error == s.error && known.why == s.why &&
		    known.flags == s.flags && known.dropped == s.dropped &&
		    known.written == written &&
		    std::equal(known.pcs.begin(), known.pcs.end(), s.pcs,
		    s.pcs + s.depth))
			return known.number;
	}
	return 0;
}

std::uint32_t
tables::put_stack(recording::stack &&s)
{
	std::string key;
	append_bytes(key, s.side);
	append_bytes(key, s.error);
	append_bytes(key, s.why);
	append_bytes(key, s.flags);
	append_bytes(key, s.dropped);
	append_bytes(key, s.reason);
	append_bytes(key, s.route);
	append_bytes(key, s.note);
	for (const std::uint32_t f : s.frames)
		append_bytes(key, f);
	const auto [at, fresh] = stacks_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(stacks_.size() + 1));
	if (fresh) {
		frame_numbers_ += s.frames.size();
		s.id = recording::identity_of(s, frame_ids_);
		tick_->stacks.push_back(std::move(s));
	}
	return at->second;
}

std::uint32_t
tables::number_of(recording::wait &&w, recording::tick &t)
{
	std::string key;
	append_bytes(key, w.flags);
	append_bytes(key, w.holder);
	for (const std::string *text : {&w.kind, &w.call, &w.object, &w.place})
		append_bytes(key, *text);
	const auto [at, fresh] = waits_.try_emplace(std::move(key),
	    static_cast<std::uint32_t>(waits_.size() + 1));
	if (fresh) {
		text_ += w.kind.size() + w.call.size() + w.object.size() +
		    w.place.size();
		t.waits.push_back(std::move(w));
	}
	return at->second;
}

std::uint32_t
tables::number_of(const recording::event &e, recording::tick &t)
{
	const auto [at, fresh] = events_.try_emplace(e.name,
	    static_cast<std::uint32_t>(events_.size() + 1));
	if (fresh) {
		text_ += e.name.size();
		t.events.push_back(e);
	}
	return at->second;
}

std::uint32_t
tables::number_of(const stack9_stack &s, known_process &p, recording::tick &t)
{
	const bool user = s.side == STACK9_USER;
	known_addresses &known = user ? p : kernel_;
	tick_ = &t;
	if (user)
		p.maps(s.space);
	const bool by_address = s.pcs != nullptr && s.depth != 0;
	if (by_address)
		if (const std::uint32_t n = find(known, s); n != 0)
			return n;
	recording::stack made;
	made.side = static_cast<std::uint32_t>(s.side);
	made.error = s.error;
	made.why = s.why;
	made.flags = s.flags;
	made.dropped = s.dropped;
	if (s.why != STACK9_WHY_NONE)
		made.reason = s.reason;
	made.route = s.route;
	if (s.written_note != nullptr)
		made.note = s.written_note;
	name(s, p, made);
	const std::uint32_t number = put_stack(std::move(made));
	if (by_address) {
		if (known.stacks.size() >= most_known)
			known.stacks.clear();
		known.stacks.emplace(s.hash, known_addresses::stack{
		    {s.pcs, s.pcs + s.depth}, written_in(s), s.error, s.why,
		    s.flags,
		    s.dropped, number});
	}
	return number;
}

} // namespace stackrecord
