// Names frames as stackcount does, so that the profiles of both can be
// compared.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <algorithm>

#include <fmt/format.h>
#include <stack9.h>

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

std::string
note_of(const recording::stack &s)
{
	const char *side = s.side == STACK9_KERNEL ? "kernel" : "user";
	if (s.why == STACK9_WHY_NONE || s.why == STACK9_WHY_USER_MODE ||
	    s.why == STACK9_WHY_KTHREAD)
		return {};
	if (s.error != 0)
		return fmt::format("[no {} stack: {}]", side, s.reason);
	if (s.why == STACK9_WHY_TRUNCATED)
		return fmt::format("[{} stack truncated]", side);
	return "[" + s.reason + "]";
}

void
frames::begin()
{
	known_.clear();
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

void
frames::add(const recording::segment &s, std::uint32_t which,
    std::vector<std::uint32_t> &to)
{
	if (which == 0)
		return;
	const recording::stack &from = s.stack_of(which);
	if (const std::string note = note_of(from); !note.empty())
		to.push_back(marker(frame_kind::note, note));
	for (auto f = from.frames.rbegin(); f != from.frames.rend(); ++f)
		to.push_back(number_of(s, *f));
}

std::vector<std::uint32_t>
frames::of(const recording::segment &s, std::uint32_t kernel,
    std::uint32_t user, const std::string &comm)
{
	std::vector<std::uint32_t> all;
	if (!comm.empty())
		all.push_back(marker(frame_kind::process, comm));
	if (opt_.wants_user())
		add(s, user, all);
	if (opt_.wants_kernel())
		add(s, kernel, all);
	if (all.size() == !comm.empty())
		all.push_back(marker(frame_kind::note, "[no stack]"));
	return all;
}

} // namespace stackreport
