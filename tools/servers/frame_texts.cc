// Joins the two sides of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "segment_values.h"

#include <fmt/format.h>

#include "tools/lib/json.h"
#include "tools/record/identity.h"
#include "tools/record/model_frames.h"

namespace servers {
namespace {

void
add_side(const recording::segment &s, std::uint32_t stack, whole_stack &to)
{
	if (stack == 0)
		return;
	const recording::stack &from = s.stack_of(stack);
	const auto add = [&to](std::string name, std::string place) {
		to.frames.push_back(tools::utf8(name));
		to.places.push_back(std::move(place));
	};
	if (std::string note = recording::note_of(from); !note.empty())
		add(std::move(note), "");
	for (auto n = from.frames.rbegin(); n != from.frames.rend(); ++n) {
		const tools::frame f = recording::to_model(s, *n);
		const bool kernel = f.kind == tools::frame_kind::kernel;
		add(tools::label(f) + (kernel ? "_[k]" : ""),
		    kernel || f.build_id.empty() ? "" :
		    fmt::format("{}+{:#x}", f.build_id, f.address));
	}
}

} // namespace

recording::identity
id_of(const recording::segment &s, std::uint32_t kernel, std::uint32_t user)
{
	if (kernel == 0 || user == 0)
		return kernel + user == 0 ? recording::identity{} :
		    s.stack_of(kernel + user).id;
	return recording::identity_of(s.stack_of(kernel).id,
	    s.stack_of(user).id);
}

whole_stack
whole_stack_of(const recording::segment &s, std::uint32_t kernel,
    std::uint32_t user)
{
	whole_stack all;
	all.id = id_of(s, kernel, user);
	add_side(s, user, all);
	add_side(s, kernel, all);
	if (all.frames.empty()) {
		all.frames.emplace_back("[no stack]");
		all.places.emplace_back();
	}
	return all;
}

} // namespace servers
