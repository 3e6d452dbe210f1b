// Asks another process for the rules of a stack's frames, or of a stretch of
// code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <cstring>
#include <new>
#include <system_error>

namespace stack9::apart {

bool
client::ask_rules(stack9_space &space, const std::uintptr_t *pcs,
    std::uint32_t n, std::uint32_t *rules)
{
	await_walks();
	if (!is_there_for(space))
		return false;
	message &m = begin(kind::rules, &space);
	m.put(n);
	m.put_bytes(pcs, n * sizeof *pcs);
	if (!ask(space.thread()))
		return false;
	const auto all = in_.get_bytes(n * sizeof *rules);
	if (!in_.whole())
		return false;
	std::memcpy(rules, all.data(), all.size());
	return true;
}

bool
client::rules(stack9_space &space, const std::uintptr_t *pcs, std::uint32_t n,
    std::uint32_t *rules) noexcept
try {
	const std::lock_guard hold(lock_);
	if (n == 1 && last_.has_rule && is_last(space, pcs[0])) {
		rules[0] = last_.rule;
		return true;
	}
	return n != 0 && ask_rules(space, pcs, n, rules);
} catch (const std::bad_alloc &) {
	return false;
} catch (const std::system_error &) {	// from a mutex
	return false;
}

bool
client::ask_code_rules(stack9_space &space, std::uintptr_t from,
    std::uint32_t size, std::vector<rule_run> &to)
{
	await_walks();
	if (!is_there_for(space))
		return false;
	message &m = begin(kind::code_rules, &space);
	m.put(std::uint64_t{from});
	m.put(size);
	if (!ask(space.thread()))
		return false;
	const bool answered = in_.get<bool>();
	const auto n = in_.get<std::uint32_t>();
	const auto all = in_.get_bytes(n * sizeof to[0]);
	if (!answered || !in_.whole())
		return false;
	to.resize(n);
	if (n != 0)
		std::memcpy(to.data(), all.data(), all.size());
	return true;
}

bool
client::code_rules(stack9_space &space, std::uintptr_t from,
    std::uint32_t size, std::vector<rule_run> &to)
try {
	const std::lock_guard hold(lock_);
	return ask_code_rules(space, from, size, to);
} catch (const std::system_error &) {	// from a mutex
	return false;
}

} // namespace stack9::apart
