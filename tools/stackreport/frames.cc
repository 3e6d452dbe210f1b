// Names frames as stackcount does, so that the profiles of both can be
// compared.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <algorithm>

#include "tools/record/model_frames.h"

namespace stackreport {

void
frames::begin()
{
	known_.clear();
	known_sides_.clear();
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
	tools::frame f = recording::to_model(s, which);
	if (opt_.raw_names)
		tools::keep_raw_name(f);
	known = numbers_.number(f) + 1;
	return known - 1;
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
		all.push_back(numbers_.marker(tools::frame_kind::process,
		    comm));
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
