// Puts addresses together again: a module's base in the process, and the
// frame's place in the module.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "recorded_snapshot.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include <fmt/format.h>

#include "tools/record/model_frames.h"

namespace stackprint {
namespace {

// Each thread of an enemy's file could have a long stack of its own.
constexpr std::size_t most_frames_of_all = std::size_t{1} << 25;

} // namespace

// Equal texts have the same address, by which stacks are compared.
const char *
recorded_snapshot::text(const std::string &s)
{
	return texts_.insert(s).first->c_str();
}

// The library never sees this pointer: it only distinguishes processes.
stack9_space *
recorded_snapshot::space_of(const kept &k) const
{
	return k.stack.side != STACK9_USER ? nullptr :
	    reinterpret_cast<stack9_space *>(const_cast<recording::process *>(
	    &s_.process_number(k.process)));
}

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
recorded_snapshot::fill(kept &k)
{
	const bool user = k.stack.side == STACK9_USER;
	bool has_pcs = true;
	if (k.from->frames.size() > most_frames_of_all - frames_)
		throw std::length_error("the recorded moment has more frames "
		    "than are printed");
	frames_ += k.from->frames.size();
	for (const std::uint32_t n : k.from->frames) {
		k.pcs.push_back(pc_of(n, k.process));
		has_pcs = has_pcs && (user || k.pcs.back() != 0);
	}
	k.stack.depth = std::min(static_cast<std::uint32_t>(k.pcs.size()),
	    opt_.depth);
	if (has_pcs) {
		k.stack.pcs = k.pcs.data();
		return;
	}
	for (const std::uint32_t n : k.from->frames)
		k.texts.push_back(fmt::format("{}+{:#x}",
		    s_.frame_of(n).name, s_.frame_of(n).offset));
	for (const std::string &each : k.texts)
		k.lines.push_back(each.c_str());
	k.stack.text = k.lines.data();
}

const stack9_stack *
recorded_snapshot::stack_of(std::uint32_t number, std::uint32_t process)
{
	const recording::stack &from = s_.stack_of(number);
	const bool user = from.side == STACK9_USER;
	const auto [at, fresh] = stacks_.try_emplace({number,
	    user ? process : 0});
	kept &k = at->second;
	if (!fresh)
		return &k.stack;
	stack9_stack &to = k.stack;
	k.from = &from;
	k.process = process;
	to.side = user ? STACK9_USER : STACK9_KERNEL;
	to.error = from.error;
	to.why = from.why;
	to.flags = from.flags;
	to.dropped = from.dropped;
	to.route = text(from.route);
	to.reason = from.reason.empty() ? stack9_why_text(from.why) :
	    text(from.reason);
	to.space = space_of(k);
	fill(k);
	if (to.depth < k.pcs.size()) {
		to.dropped += static_cast<std::uint32_t>(k.pcs.size()) -
		    to.depth;
		to.why = STACK9_WHY_TRUNCATED;
		to.reason = stack9_why_text(to.why);
	}
	return &to;
}

const stack9_stack *
recorded_snapshot::of_kernel_thread()
{
	if (!no_user_side_.has_value()) {
		stack9_stack &none = no_user_side_.emplace();
		none.side = STACK9_USER;
		none.error = EOPNOTSUPP;
		none.why = STACK9_WHY_KTHREAD;
		none.reason = stack9_why_text(none.why);
		none.route = "";
	}
	return &*no_user_side_;
}

const stack9_sample *
recorded_snapshot::sample_of(std::uint32_t n)
{
	const recording::thread_state *const now = s_.state_of(n);
	if (now == nullptr)
		return nullptr;
	const recording::thread &t = s_.thread_of(n);
	const recording::process &p = s_.process_of(n);
	if (!opt_.thread_filter::wants(p.pid, p.cgroup) ||
	    !opt_.thread_filter::wants(t.comm, now->state) ||
	    (!opt_.tids.empty() && std::find(opt_.tids.begin(),
	    opt_.tids.end(), t.tid) == opt_.tids.end()))
		return nullptr;
	const int sides = opt_.sides() & static_cast<int>(s_.info().sides);
	stack9_sample &made = samples_.emplace_back();
	made.thread = {t.tid, p.pid, t.start};
	made.comm = t.comm.c_str();
	made.state = now->state;
	made.cpu = now->cpu;
	made.when_ns = s_.boot_ns();
	made.switches = now->switches;
	if ((sides & STACK9_KERNEL) != 0 && now->kernel != 0)
		made.kernel = stack_of(now->kernel, t.process);
	if ((sides & STACK9_USER) != 0)
		made.user = now->user != 0 ?
		    stack_of(now->user, t.process) : of_kernel_thread();
	if (made.user != nullptr && !t.name.empty()) {
		stack9_stack &named = named_.emplace_back(*made.user);
		named.thread_name = t.name.c_str();
		made.user = &named;
	}
	return made.kernel == nullptr && made.user == nullptr ? nullptr :
	    &made;
}

void
recorded_snapshot::name(names &all) const
{
	for (const auto &[key, k] : stacks_)
		for (std::size_t i = 0; i < k.pcs.size(); i++)
			all.remember(k.stack.space, k.pcs[i], i == 0 &&
			    (k.stack.flags & STACK9_STACK_EXACT) != 0,
			    recording::to_model(s_, k.from->frames[i]));
}

} // namespace stackprint
