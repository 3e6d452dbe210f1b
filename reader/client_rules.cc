// Asks another process for the rules of a stack's frames.
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
	if (!is_there() || !twins_.send(space, channel_, out_))
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
	return n != 0 && ask_rules(space, pcs, n, rules);
} catch (const std::bad_alloc &) {
	return false;
} catch (const std::system_error &) {	// from a mutex
	return false;
}

} // namespace stack9::apart
