// Joins a frame and the calls inlined in it to one of pprof's locations.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pprof_places.h"

#include <algorithm>

#include "text.h"
#include "words.h"

namespace profiles {
namespace {

// A frame without a name stays an address, and pprof shows it as one.
bool
is_named(const frame &f)
{
	return f.address == 0 || !is_nameless(f);
}

} // namespace

std::int64_t
pprof_strings::number(const std::string &text)
{
	const auto [it, is_new] = numbers_.try_emplace(text,
	    static_cast<std::int64_t>(all_.size()));
	if (is_new)
		all_.push_back(utf8(text));	// pprof refuses other bytes
	return it->second;
}

pprof_places::pprof_places(const profile &p) : p_(p),
    func_of_(p.frames.size()), single_of_(p.frames.size())
{
}

std::uint64_t
pprof_places::mapping(const frame &f)
{
	if (f.module.empty() && f.build_id.empty())
		return 0;
	const auto [it, is_new] = map_ids_.try_emplace(
	    {f.module, f.build_id}, maps_.size() + 1);
	if (is_new)
		maps_.push_back({.file = f.module, .build_id = f.build_id});
	pprof_mapping &m = maps_[it->second - 1];
	if (f.address != 0) {
		m.start = std::min(m.start, f.address);
		m.limit = std::max(m.limit, f.address + 1);
	}
	return it->second;
}

std::uint64_t
pprof_places::function(std::uint32_t index)
{
	std::uint64_t &id = func_of_[index];
	if (id != 0)
		return id;
	const frame &f = p_.frames[index];
	const auto [it, is_new] = func_ids_.try_emplace(
	    {name_of(f), f.linkage, f.file}, funcs_.size() + 1);
	if (is_new)
		funcs_.push_back({name_of(f),
		    f.linkage.empty() ? name_of(f) : f.linkage, f.file});
	return id = it->second;
}

void
pprof_places::add_line(std::uint32_t index, pprof_location &place)
{
	const frame &f = p_.frames[index];
	if (!is_named(f))
		return;
	place.lines.push_back({function(index), f.line});
	if (place.mapping == 0)
		return;
	pprof_mapping &m = maps_[place.mapping - 1];
	m.named = true;
	m.files |= !f.file.empty();
	m.lines |= f.line != 0;
	m.inlines |= f.kind == frame_kind::inlined;
}

// frames: the innermost first; the last one has the code.
std::uint64_t
pprof_places::location(std::vector<std::uint32_t> &&frames)
{
	const std::uint32_t outer = frames.back();
	std::uint64_t &id = frames.size() == 1 ? single_of_[outer] :
	    place_ids_[frames];
	if (id != 0)
		return id;
	const frame &f = p_.frames[outer];
	pprof_location place{mapping(f), f.address, f.kind, f.language, {}};
	for (const std::uint32_t i : frames)
		add_line(i, place);
	places_.push_back(std::move(place));
	return id = places_.size();
}

bool
pprof_places::is_left_out(const stack &s, const frame &f) const
{
	return f.kind == frame_kind::delimiter ||
	    (f.kind == frame_kind::process && !s.comm.empty());
}

const std::vector<std::uint64_t> &
pprof_places::locations_of(const stack &s)
{
	ids_.clear();
	std::vector<std::uint32_t> one;
	for (auto i = s.frames.rbegin(); i != s.frames.rend(); ++i) {
		const frame &f = p_.frames[*i];
		if (is_left_out(s, f))
			continue;
		one.push_back(*i);
		if (f.kind == frame_kind::inlined &&
		    std::next(i) != s.frames.rend())
			continue;
		ids_.push_back(location(std::move(one)));
		one.clear();
	}
	if (!one.empty())
		ids_.push_back(location(std::move(one)));
	return ids_;
}

} // namespace profiles
