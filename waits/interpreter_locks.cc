// Recognises Python's GIL by the memory around the condition variable that a
// thread waits for.
//
// The structure (struct _gil_runtime_state, pycore_gil.h) has been the same
// since 3.2: the interval, the thread state of the last holder, whether it is
// locked, a count, and the condition variable.  So no layout of a release is
// needed.  A holder is believed only if its thread state has the thread pointer
// of a living thread of the process, as thread_id.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace stack9::waits {
namespace {

struct gil {
	std::uint64_t	interval, last_holder;
	std::uint32_t	locked, unused;
	std::uint64_t	switches;
};

// The words that pthread_cond_wait(3) waits in, from the start of the condition
// variable: __g_signals, up to glibc 2.40 and later.
constexpr std::uint64_t signals[] = {40, 44, 32, 36};
constexpr std::uint64_t longest_us = 3'600'000'000;

bool
runs_python(const blocked &w)
{
	const stack9_stack *const s = w.has_stack ? w.sample->user : nullptr;
	for (std::uint32_t i = 0; s != nullptr && i < s->written_count; i++)
		if (s->written[i].language == std::string_view("python"))
			return true;
	return false;
}

// 0: no thread of the process has this thread state.
pid_t
owner_of(const blocked &w, context &x, std::uint64_t state)
{
	std::array<std::uint64_t, 32> words;
	if (!x.words.read_bytes(w.pid(), state, words.data(), sizeof words))
		return 0;
	for (const thread_pointers::one &t : x.pointers.of(w.pid()))
		for (const std::uint64_t word : words)
			if (t.pointer != 0 && word == t.pointer)
				return t.tid;
	return 0;
}

void
report_holder(blocked &w, context &x, std::uint64_t at, const gil &g, pid_t tid)
{
	stack9_thread td{};
	w.is(STACK9_WAIT_INTERPRETER);
	w.address = at;
	if (g.locked == 0)
		return w.is_handed_over();
	if (!x.people.find_here(w.pid(), tid, td)) {
		w.reason = "its holder has ended";
		return;
	}
	w.words.push_back(x.words.depend(w.pid(), at + offsetof(gil,
	    last_holder), static_cast<std::uint32_t>(g.last_holder)));
	w.words.push_back(x.words.depend(w.pid(), at + offsetof(gil, locked),
	    g.locked));
	w.add(td, STACK9_ROLE_OWNER);
	w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

} // namespace

bool
find_interpreter_lock(blocked &w, context &x, std::uint64_t word_at)
{
	if (!runs_python(w))
		return false;
	for (const std::uint64_t behind : signals) {
		const std::uint64_t at = word_at - behind - sizeof(gil);
		gil g;
		if (!x.words.read_bytes(w.pid(), at, &g, sizeof g) ||
		    g.interval == 0 || g.interval > longest_us ||
		    g.locked > 1 || g.last_holder % 8 != 0)
			continue;
		const pid_t tid = owner_of(w, x, g.last_holder);
		if (tid == 0 || tid == w.tid())
			continue;
		report_holder(w, x, at, g, tid);
		return true;
	}
	return false;
}

} // namespace stack9::waits
