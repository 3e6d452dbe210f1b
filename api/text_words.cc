// Has the words that stand for reasons in the text form of a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include "places.h"

namespace stack9 {
namespace {

constexpr text_word words[] = {
	{STACK9_WHY_NONE, "complete", 0},
	{STACK9_WHY_USER_MODE, "user-mode", EAGAIN},
	{STACK9_WHY_ON_CPU, "on-cpu", EAGAIN},
	{STACK9_WHY_MOVED, "moved", EAGAIN},
	{STACK9_WHY_TORN, "torn", EAGAIN},
	{STACK9_WHY_REFUSED, "refused", EAGAIN},
	{STACK9_WHY_IDLE, "idle", EAGAIN},
	{STACK9_WHY_SILENT, "silent", EAGAIN},
	{STACK9_WHY_GONE, "gone", ESRCH},
	{STACK9_WHY_REUSED, "reused", ESRCH},
	{STACK9_WHY_ZOMBIE, "zombie", ESRCH},
	{STACK9_WHY_EXITING, "exiting", ESRCH},
	{STACK9_WHY_RIGHTS, "rights", EPERM},
	{STACK9_WHY_MACHINE, "machine", EOPNOTSUPP},
	{STACK9_WHY_RESOURCE, "resource", ENOMEM},
	{STACK9_WHY_TRUNCATED, "truncated", 0},
	{STACK9_WHY_REGISTERS, "registers", 0},
	{STACK9_WHY_UNWIND, "unwind", 0},
	{STACK9_WHY_KTHREAD, "kthread", EOPNOTSUPP},
	{STACK9_WHY_TRACED, "traced", EBUSY},
	{STACK9_WHY_MEMORY, "memory", EAGAIN},
	{STACK9_WHY_LATE, "late", EAGAIN},
	{STACK9_WHY_AWAY, "away", EAGAIN},
};

template <class Is>
const text_word *
find(Is is) noexcept
{
	for (const text_word &w : words)
		if (is(w))
			return &w;
	return nullptr;
}

} // namespace

const text_word *
word_of(std::int32_t why) noexcept
{
	return find([why](const text_word &w) { return w.why == why; });
}

const text_word *
why_of(std::string_view word) noexcept
{
	return find([word](const text_word &w) { return w.word == word; });
}

} // namespace stack9
