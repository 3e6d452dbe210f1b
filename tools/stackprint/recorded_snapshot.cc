// Puts addresses together again: a module's base in the process, and the
// frame's place in the module.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "recorded_snapshot.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/record/model_frames.h"

namespace stackprint {
namespace {

// Each thread of an enemy's file could have a long stack of its own.
constexpr std::size_t most_frames_of_all = std::size_t{1} << 25;

struct kept_frames {
	std::vector<std::uint64_t> pcs;
	std::vector<std::string> texts;
	std::vector<const char *> lines;
};

} // namespace

// A frame without an address has a number in place of one.  No program maps it.
std::uint64_t
recorded_snapshot::pc_of(std::uint32_t number, std::uint32_t process)
{
	const recording::frame &f = s_.frame_of(number);
	if (f.kind == recording::frame_kind::language)
		return ~std::uint64_t{number};
	if (f.kind != recording::frame_kind::file)
		return f.place;
	const auto [at, fresh] = bases_.try_emplace({process, f.module});
	if (fresh)
		at->second = s_.base_of(process, f.module);
	return at->second + f.place;
}

// A stack of the kernel is text if its route knows no addresses.  That of a
// user has addresses, whatever the file says.
void
recorded_snapshot::fill(stack &to, const recording::stack &from,
    std::uint32_t process)
{
	const auto kept = std::make_shared<kept_frames>();
	bool has_pcs = true;
	if (from.frames.size() > most_frames_of_all - frames_)
		throw std::length_error("the recorded moment has more frames "
		    "than are printed");
	frames_ += from.frames.size();
	for (const std::uint32_t n : from.frames) {
		const std::uint64_t pc = pc_of(n, process);
		names_.remember(to.process, pc, kept->pcs.empty() &&
		    (to.flags & STACK9_STACK_EXACT) != 0,
		    recording::to_model(s_, n));
		kept->pcs.push_back(pc);
		has_pcs = has_pcs && (to.side == STACK9_USER || pc != 0);
	}
	to.owner = kept;
	if (has_pcs) {
		to.pcs = kept->pcs;
		return;
	}
	for (const std::uint32_t n : from.frames)
		kept->texts.push_back(fmt::format("{}+{:#x}",
		    s_.frame_of(n).name, s_.frame_of(n).offset));
	for (const std::string &each : kept->texts)
		kept->lines.push_back(each.c_str());
	to.text = kept->lines;
}

const stack &
recorded_snapshot::stack_of(std::uint32_t number, std::uint32_t process)
{
	const recording::stack &from = s_.stack_of(number);
	const bool user = from.side == STACK9_USER;
	const auto [at, fresh] = stacks_.try_emplace({number,
	    user ? process : 0});
	stack &to = at->second;
	if (!fresh)
		return to;
	to = without_frames(user ? STACK9_USER : STACK9_KERNEL, from.error,
	    from.why, from.reason.empty() ? nullptr : from.reason.c_str(),
	    from.route.c_str());
	to.flags = from.flags;
	to.dropped = from.dropped;
	to.note = from.note.c_str();
	if (user)
		to.process = &s_.process_number(process);
	fill(to, from, process);
	cut(to, opt_.depth);
	return to;
}

bool
recorded_snapshot::is_wanted(std::uint32_t n, char state) const
{
	const recording::thread &t = s_.thread_of(n);
	const recording::process &p = s_.process_of(n);
	return opt_.thread_filter::wants(p.pid, p.cgroup) &&
	    opt_.thread_filter::wants(t.comm, state) && (opt_.tids.empty() ||
	    std::ranges::find(opt_.tids, t.tid) != opt_.tids.end());
}

// A thread without a user stack is the kernel's.
sample_ptr
recorded_snapshot::sample_of(std::uint32_t n)
{
	const recording::thread_state *const now = s_.state_of(n);
	if (now == nullptr || !is_wanted(n, now->state))
		return nullptr;
	const recording::thread &t = s_.thread_of(n);
	const int sides = opt_.sides() & static_cast<int>(s_.info().sides);
	const auto made = std::make_shared<sample>();
	made->thread = {t.tid, s_.process_of(n).pid, t.start};
	made->comm = t.comm;
	made->name = t.name;
	made->state = now->state;
	made->cpu = now->cpu;
	made->when_ns = s_.boot_ns();
	made->switches = now->switches;
	if ((sides & STACK9_KERNEL) != 0 && now->kernel != 0)
		made->kernel = stack_of(now->kernel, t.process);
	if ((sides & STACK9_USER) != 0)
		made->user = now->user != 0 ? stack_of(now->user, t.process) :
		    without_frames(STACK9_USER, EOPNOTSUPP,
		    STACK9_WHY_KTHREAD, nullptr);
	if (made->user.has_value())
		made->name = t.name;
	return made->kernel.has_value() || made->user.has_value() ? made :
	    nullptr;
}

} // namespace stackprint
