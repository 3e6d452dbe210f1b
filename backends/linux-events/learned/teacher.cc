// Turns unwound copies into rules and lists of code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "teacher.h"

#include <algorithm>

#include <bpf/bpf.h>

#include "bpf/scoped.h"
#include "core/seam/space.h"

namespace stack9::events {
namespace {

// As in unwind/rule.h.
constexpr std::uint32_t kind_mask = 7, kind_signal = 4, kind_full = 6;

// A rule with more than fits a slot becomes one that says that it does not fit.
std::uint32_t
short_rule(std::uint32_t bits) noexcept
{
	return bits <= S9_RULE_MASK ? bits : kind_full;
}

bool
is_signal(std::uint32_t rule) noexcept
{
	return (rule & kind_mask) == kind_signal;
}

} // namespace

int
teacher::open(int rules, unsigned int slot_bits, int mapped) noexcept
{
	mapped_ = mapped;
	told_.clear();
	order_.clear();
	return slots_.open(rules, slot_bits);
}

void
teacher::learn(const space_key &key, std::uint32_t number,
    stack9_space &space, const stack_record &stack, s9_walk_end why)
{
	if (!slots_.is_open() || stack.depth == 0 ||
	    why < S9_WALK_NEW_PROCESS || why > S9_WALK_NEW_RULE)
		return;
	const told &t = list_of(key, number, space, why);
	if (!knows(t.code, stack))
		teach(t, space, stack);
}

// A list that the kernel does not confirm is made again, each time after twice
// as many events: on some file systems the kernel's inode is not the one that
// /proc shows, so it never is.
teacher::told &
teacher::list_of(const space_key &key, std::uint32_t number,
    stack9_space &space, s9_walk_end why)
{
	if (told_.find(key) == told_.end()) {
		forget_oldest();
		order_.push_back(key);
	}
	told &t = told_[key];
	const bool is_new = t.snapshot != space.number() || t.number != number;
	if (is_new)
		t.code.take(space, files_);
	bool wanted = is_new || why == S9_WALK_NEW_PROCESS;
	if (why == S9_WALK_STALE && !wanted && ++t.skipped >> t.stale != 0) {
		t.code.take(space, files_);
		wanted = true;
		t.stale = std::min(t.stale + 1, 20u);
		t.skipped = 0;
	}
	t.snapshot = space.number();
	t.number = number;
	if (wanted)
		tell(key, t);
	return t;
}

void
teacher::tell(const space_key &key, told &t)
{
	const bpf::silence_libbpf no_prints;
	if (message_ == nullptr)
		message_ = std::make_unique<s9_mapped>();
	if (!t.code.fits())
		return;
	t.code.write(t.number, *message_);
	(void)bpf_map_update_elem(mapped_, key.data(), message_.get(), BPF_ANY);
}

// A process that is forgotten while it runs is new again.
void
teacher::forget_oldest()
{
	constexpr std::size_t most = S9_MOST_SPACES;
	if (order_.size() < most)
		return;
	(void)bpf_map_delete_elem(mapped_, order_.front().data());
	told_.erase(order_.front());
	order_.pop_front();
}

bool
teacher::knows(const code_list &code, const stack_record &stack) const noexcept
{
	bool exact = true;
	for (std::uint32_t i = 0; i < stack.depth; i++) {
		const std::uint64_t key = code.key_of(stack.pcs[i] - !exact);
		const std::uint32_t rule = key != 0 ? slots_.find(key) : 0;
		if (key != 0 && rule == 0)
			return false;
		exact = is_signal(rule);
	}
	return true;
}

void
teacher::teach(const told &t, stack9_space &space, const stack_record &stack)
{
	const code_list &code = t.code;
	rules_.assign(stack.depth, 0);
	// Rules of other mappings than those of the list would be wrong ones.
	if (!stack_rules(space, stack.pcs, stack.depth, rules_.data()) ||
	    space.number() != t.snapshot)
		return;
	bool exact = true;
	for (std::uint32_t i = 0; i < stack.depth; i++) {
		const std::uint64_t key = code.key_of(stack.pcs[i] - !exact);
		const std::uint32_t rule = short_rule(rules_[i]);
		if (key != 0 && (rule & kind_mask) != 0)
			slots_.add(key, rule);
		exact = is_signal(rule);
	}
}

} // namespace stack9::events
