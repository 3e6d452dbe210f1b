// Names frames as stackcount does, so that the profiles of both can be
// compared.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/record/model.h"

namespace stackreport {
namespace {

using profiles::frame_kind;

std::string
in_hex(const std::string &bytes)
{
	std::string text;
	for (const char c : bytes)
		text += fmt::format("{:02x}", static_cast<unsigned char>(c));
	return text;
}

} // namespace

void
frames::begin()
{
	known_.clear();
	known_sides_.clear();
}

std::uint32_t
frames::number(profiles::frame &&f)
{
	const std::string key = fmt::format("{}\n{}\n{}\n{}",
	    static_cast<int>(f.kind), f.name, f.linkage,
	    f.build_id.empty() ? f.module : f.build_id);
	const auto [at, fresh] = numbers_.try_emplace(key,
	    static_cast<std::uint32_t>(to_.frames.size()));
	if (fresh)
		to_.frames.push_back(std::move(f));
	return at->second;
}

std::uint32_t
frames::marker(frame_kind kind, const std::string &name)
{
	profiles::frame f;
	f.kind = kind;
	f.name = name;
	return number(std::move(f));
}

std::uint32_t
frames::number_of(const recording::segment &s, std::uint32_t which)
{
	if (which > known_.size())
		known_.resize(std::max<std::size_t>(which,
		    s.frames().size()));
	std::uint32_t &known = known_[which - 1];
	if (known != 0)
		return known - 1;
	const recording::frame &from = s.frame_of(which);
	profiles::frame f;
	f.kind = from.kind == recording::frame_kind::kernel ?
	    frame_kind::kernel : frame_kind::user;
	f.address = from.place;
	f.name = opt_.raw_names || from.readable.empty() ? from.name :
	    from.readable;
	if (f.name != from.name)
		f.linkage = from.name;
	if (f.name.empty())
		f.name = fmt::format("{:#x}", from.place);
	f.offset = from.offset;
	if (const recording::module *m = s.module_of(from.module)) {
		f.module = m->path;
		f.build_id = in_hex(m->build_id);
	}
	known = number(std::move(f)) + 1;
	return known - 1;
}

std::uint32_t
frames::note(const std::string &text)
{
	return marker(frame_kind::note, text);
}

frames::list
frames::frames_of(const recording::segment &s, const recording::stack &from)
{
	list all;
	if (const std::string text =
	    recording::note_of(from); !text.empty())
		all.push_back(note(text));
	for (auto f = from.frames.rbegin(); f != from.frames.rend(); ++f)
		all.push_back(number_of(s, *f));
	return all;
}

std::uint32_t
frames::side(const recording::segment &s, std::uint32_t which)
{
	if (which == 0)
		return 0;
	if (which > known_sides_.size())
		known_sides_.resize(std::max<std::size_t>(which,
		    s.stacks().size()));
	std::uint32_t &known = known_sides_[which - 1];
	if (known != 0)
		return known - 1;
	list all = frames_of(s, s.stack_of(which));
	if (!all.empty()) {
		const auto [at, fresh] = side_numbers_.try_emplace(
		    std::move(all),
		    static_cast<std::uint32_t>(sides_.size() + 1));
		if (fresh)
			sides_.push_back(&at->first);
		known = at->second;
	}
	return known++;
}

std::vector<std::uint32_t>
frames::joined(std::uint32_t kernel, std::uint32_t user,
    const std::string &comm)
{
	list all;
	if (!comm.empty())
		all.push_back(marker(frame_kind::process, comm));
	for (const std::uint32_t side : {user, kernel})
		if (side != 0)
			all.insert(all.end(), sides_[side - 1]->begin(),
			    sides_[side - 1]->end());
	if (kernel == 0 && user == 0)
		all.push_back(note("[no stack]"));
	return all;
}

std::vector<std::uint32_t>
frames::of(const recording::segment &s, std::uint32_t kernel,
    std::uint32_t user)
{
	return joined(opt_.wants_kernel() ? side(s, kernel) : 0,
	    opt_.wants_user() ? side(s, user) : 0, "");
}

} // namespace stackreport
