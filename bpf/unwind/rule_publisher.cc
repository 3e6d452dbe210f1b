// Turns unwound copies into rules and lists of code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rule_publisher.h"

#include <algorithm>

#include <bpf/bpf.h>

#include "bpf/scoped.h"
#include "os/clocks.h"

#include "jit_key.h"

namespace stack9::events {
namespace {

// As in unwind/rule.h.
constexpr std::uint32_t kind_mask = 7, kind_signal = 4;

bool
is_signal(std::uint32_t rule) noexcept
{
	return (rule & kind_mask) == kind_signal;
}

} // namespace

int
rule_publisher::open(const maps &m, const rule_budget &room) noexcept
{
	mapped_ = m.mapped;
	published_.clear();
	order_.clear();
	seen_.clear();
	const int error = pages_.open(m.pages, m.rows, room);
	return error != 0 ? error : slots_.open(m.rules, m.more_rules, room);
}

void
rule_publisher::publish(const space_key &key, std::uint32_t number,
    stack9_space &space, const stack_record &stack, s9_walk_end why,
    std::uint64_t when_ns)
{
	if (!slots_.is_open() || stack.depth == 0 || why < S9_WALK_NEW_PROCESS)
		return;
	// An event of before, from another CPU.
	if (const auto at = published_.find(key); at != published_.end() &&
	    number < at->second.number)
		return;
	published &t = list_of(key, number, space, why, when_ns);
	if (why > S9_WALK_NEW_RULE)
		return;
	t.memory = process_memory(space.thread().tid);
	if (!knows(t, stack))
		publish_stack(t, space, stack);
	t.memory = {};
}

// A list that the kernel does not confirm is made again, each time after twice
// as many events: on some file systems the kernel's inode is not the one that
// /proc shows, so it never is.
rule_publisher::published &
rule_publisher::list_of(const space_key &key, std::uint32_t number,
    stack9_space &space, s9_walk_end why, std::uint64_t when_ns)
{
	if (published_.find(key) == published_.end()) {
		forget_oldest();
		order_.push_back(key);
	}
	published &t = published_[key];
	t.key = key;
	const bool is_new = t.snapshot != space.number() || t.number != number;
	if (is_new)
		t.code.take(space, number, files_, pages_);
	// Many events may have been copied before the programs were informed.
	bool wanted = is_new || t.lacks ||
	    (why == S9_WALK_NEW_PROCESS && when_ns > t.when_ns);
	if (why == S9_WALK_STALE && !wanted && ++t.skipped >> t.stale != 0) {
		t.code.take(space, number, files_, pages_);
		wanted = true;
		t.stale = std::min(t.stale + 1, 20u);
		t.skipped = 0;
	}
	t.snapshot = space.number();
	if (t.number != number)
		t.previous = t.number;
	t.number = number;
	if (wanted)
		publish_list(key, t);
	return t;
}

// The kernel need not be asked again for what it has confirmed: it may refuse
// that while mappings change.  The programs test each answer before they use
// it.
void
rule_publisher::keep_answers(const space_key &key)
{
	if (before_ == nullptr)
		before_ = std::make_unique<s9_mapped>();
	s9_mapped &to = *message_;
	if (bpf_map_lookup_elem(mapped_, key.data(), before_.get()) != 0)
		return;
	const s9_mapped &from = *before_;
	std::uint32_t at = 0;
	for (std::uint32_t i = 0; i < to.count; i++) {
		while (at < from.count &&
		    from.code[at].start < to.code[i].start)
			at++;
		if (at < from.count && is_same(from.code[at], to.code[i])) {
			to.code[i].stamp = from.code[at].stamp;
			to.code[i].area = from.code[at].area;
		}
	}
	to.memory = from.memory;
}

void
rule_publisher::publish_list(const space_key &key, published &t)
{
	const bpf::silence_libbpf no_prints;
	if (message_ == nullptr)
		message_ = std::make_unique<s9_mapped>();
	if (!t.code.fits())
		return;
	t.code.write(++serial_, *message_);
	keep_answers(key);
	t.lacks = bpf_map_update_elem(mapped_, key.data(), message_.get(),
	    BPF_ANY) != 0;
	if (t.lacks)
		return;
	slots_.say_reported();
	t.when_ns = boot_ns();
}

// A process that is forgotten while it runs is new again.
void
rule_publisher::forget_oldest()
{
	constexpr std::size_t most = S9_MOST_SPACES;
	if (order_.size() < most)
		return;
	(void)bpf_map_delete_elem(mapped_, order_.front().data());
	published_.erase(order_.front());
	order_.pop_front();
}

// The key of a pc in JIT code, from the code as it is now.
bool
rule_publisher::jit_key(const published &t, std::uintptr_t pc, bool exact,
    std::uint64_t &key) const noexcept
{
	static_assert(S9_ABSENT_CALLED == absent_called &&
	    S9_ABSENT_EXACT == absent_exact &&
	    S9_ABSENT_BY_CODE == absent_by_code);
	__u64 space[2], code[2];
	std::memcpy(space, t.key.data(), sizeof space);
	if (t.memory.read(pc - sizeof code[0], code, sizeof code) !=
	    static_cast<ssize_t>(sizeof code))
		return false;
	key = s9_made_key(space, pc, !exact, code);
	return true;
}

// The rule of a pc; 0: it is not known.  key: 0 if it has none.
std::uint32_t
rule_publisher::rule_of(const published &t, std::uintptr_t pc, bool exact,
    std::uint64_t &key) const noexcept
{
	const std::uintptr_t address = pc - !exact;
	const s9_code *const c = t.code.find(address);
	key = c == nullptr ? 0 : c->key + (address - c->start);
	if (c == nullptr)
		return 0;
	if (S9_IS_MADE(c->key)) {
		if (!jit_key(t, pc, exact, key))
			key = 0;
		return key == 0 ? 0 : slots_.find(key);
	}
	if (const std::uint32_t rule = slots_.find(key); rule != 0)
		return rule;
	const auto offset = static_cast<std::uint32_t>(address - c->start);
	return c->first == 0 ? 0 : pages_.find(c->first + offset /
	    S9_CODE_PAGE, offset % S9_CODE_PAGE);
}

bool
rule_publisher::knows(const published &t, const stack_record &stack) const
    noexcept
{
	bool exact = true;
	std::uint64_t key;
	for (std::uint32_t i = 0; i < stack.depth; i++) {
		const std::uint32_t rule = rule_of(t, stack.pcs[i], exact, key);
		if (key != 0 && rule == 0)
			return false;
		exact = is_signal(rule);
	}
	return true;
}

// The code of the list before is known by the numbers of the code in the last
// one.
std::uint32_t
rule_publisher::number_of(const space_key &key, std::uint32_t list,
    const stack_record &stack) const noexcept
{
	const auto at = published_.find(key);
	if (at == published_.end() || (list != at->second.number &&
	    list != at->second.previous))
		return 0;
	std::uint32_t number = 0;
	for (std::uint32_t i = 0; i < stack.depth; i++) {
		const s9_code *const c = at->second.code.find(stack.pcs[i] -
		    (i != 0));
		if (c == nullptr || c->since > list)
			return 0;
		number = std::max(number, c->since);
	}
	return number;
}

// The rules that no row gives.
void
rule_publisher::publish_stack(const published &t, stack9_space &space,
    const stack_record &stack)
{
	std::uint64_t key;
	// Rules of other mappings than those of the list would be wrong ones.
	if (space.number() != t.snapshot)
		return;
	for (std::uint32_t i = 0; i < stack.depth; i++) {
		const std::uintptr_t address = stack.pcs[i] - (i != 0);
		if (const s9_code *const c = t.code.find(address))
			seen_.publish(space, t.snapshot, *c, address, pages_);
	}
	if (knows(t, stack))
		return;
	rules_.assign(stack.depth, 0);
	keys_.assign(stack.depth, 0);
	bool exact = true;
	for (std::uint32_t i = 0; i < stack.depth; i++)
		exact = is_signal(rule_of(t, stack.pcs[i], exact, keys_[i]));
	if (!stack_rules(space, stack.pcs, stack.depth, rules_.data()) ||
	    space.number() != t.snapshot)
		return;
	// Made code may have become other code meanwhile.
	exact = true;
	for (std::uint32_t i = 0; i < stack.depth; i++) {
		const bool known = rule_of(t, stack.pcs[i], exact, key) != 0;
		const bool made = S9_IS_MADE(key);
		const std::uint32_t rule = short_rule(made ?
		    rules_[i] & ~jit_rule : rules_[i]);
		if (!known && key != 0 && (!made || key == keys_[i]) &&
		    (rule & kind_mask) != 0 &&
		    (!made || (rules_[i] & jit_rule) != 0))
			slots_.add(key, rule);
		exact = is_signal(rule);
	}
}

} // namespace stack9::events
