// Copies stacks and texts to the parts of one block of memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <stack9.h>
#include <stack9_frames.h>

#include "core/seam/space.h"

namespace stack9 {

// Hands out the parts of one block of memory.
class parts {
public:
	explicit parts(std::byte *block) noexcept : at_(block) {}

	template <typename T>
	T *
	take(std::size_t n) noexcept
	{
		T *const part = reinterpret_cast<T *>(at_);
		at_ += round_up(n * sizeof(T));
		return part;
	}
	static constexpr std::size_t
	round_up(std::size_t n) noexcept
	{
		return (n + 15) & ~std::size_t{15};
	}

private:
	std::byte	*at_;
};

inline std::size_t
size_of(const char *text) noexcept
{
	return text == nullptr ? 0 : parts::round_up(std::strlen(text) + 1);
}

inline std::size_t
size_of(const stack9_stack *s) noexcept
{
	if (s == nullptr)
		return 0;
	std::size_t n = parts::round_up(sizeof *s);
	if (s->pcs != nullptr)
		n += parts::round_up(s->depth * sizeof *s->pcs);
	n += parts::round_up(s->written_count * sizeof *s->written) +
	    size_of(s->written_note) + size_of(s->thread_name);
	if (s->written_lock != nullptr)
		n += parts::round_up(sizeof *s->written_lock) +
		    size_of(s->written_lock->object);
	for (std::uint32_t i = 0; i < s->written_count; i++)
		n += size_of(s->written[i].language) +
		    size_of(s->written[i].name) + size_of(s->written[i].file);
	if (s->text == nullptr)
		return n;
	n += parts::round_up(s->depth * sizeof *s->text);
	for (std::uint32_t i = 0; i < s->depth; i++)
		n += size_of(s->text[i]);
	return n;
}

inline const char *
copy_text(parts &to, const char *text) noexcept
{
	if (text == nullptr)
		return nullptr;
	const std::size_t n = std::strlen(text) + 1;
	return static_cast<const char *>(std::memcpy(to.take<char>(n), text,
	    n));
}

inline const stack9_written *
copy_written(parts &to, const stack9_stack &from) noexcept
{
	if (from.written_count == 0)
		return nullptr;
	stack9_written *const all = to.take<stack9_written>(
	    from.written_count);
	std::copy_n(from.written, from.written_count, all);
	for (std::uint32_t i = 0; i < from.written_count; i++)
		for (const char **text : {&all[i].language, &all[i].name,
		    &all[i].file})
			*text = copy_text(to, *text);
	return all;
}

inline const stack9_written_lock *
copy_lock(parts &to, const stack9_written_lock *from) noexcept
{
	if (from == nullptr)
		return nullptr;
	stack9_written_lock &made = *new (to.take<stack9_written_lock>(1))
	    stack9_written_lock(*from);
	made.object = copy_text(to, from->object);
	return &made;
}

inline const stack9_stack *
copy_stack(parts &to, const stack9_stack *from) noexcept
{
	if (from == nullptr)
		return nullptr;
	stack9_stack &s = *new (to.take<stack9_stack>(1)) stack9_stack(*from);
	if (s.space != nullptr)
		space_hold(*s.space);
	if (s.pcs != nullptr) {
		std::uint64_t *const pcs = to.take<std::uint64_t>(s.depth);
		std::copy_n(s.pcs, s.depth, pcs);
		s.pcs = pcs;
	}
	s.written = copy_written(to, s);
	s.written_note = copy_text(to, s.written_note);
	s.thread_name = copy_text(to, s.thread_name);
	s.written_lock = copy_lock(to, s.written_lock);
	if (s.text != nullptr) {
		const char **const text = to.take<const char *>(s.depth);
		for (std::uint32_t i = 0; i < s.depth; i++)
			text[i] = copy_text(to, s.text[i]);
		s.text = text;
	}
	return &s;
}

} // namespace stack9
