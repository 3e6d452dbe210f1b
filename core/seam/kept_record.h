// Keeps a capture until it is collected.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "record.h"

namespace stack9 {

// A record with a buffer of its own.
class kept_record {
public:
	// Empties the record.  The first call allocates the buffer, whose size
	// never changes.  False: no memory.
	bool
	allocate(std::uint32_t frames) noexcept
	{
		if (pcs_ == nullptr)
			pcs_.reset(new (std::nothrow) std::uintptr_t[frames]);
		rec = {};
		rec.pcs = pcs_.get();
		rec.max = frames;
		return pcs_ != nullptr;
	}

	// from has no more frames than the buffer holds.  If it has text, the
	// text is kept too, or the record becomes ENOMEM.
	void
	keep(const stack_record &from) noexcept
	{
		std::copy(from.pcs, from.pcs + from.depth, pcs_.get());
		rec = from;
		rec.pcs = pcs_.get();
		text_.reset();
		if (from.flags & record_has_text)
			keep_text(from.text);
	}

	// Copies the record to the caller's, who has set pcs and max, and text
	// if it takes text.
	void
	copy_to(stack_record &to) const noexcept
	{
		if (text_ != nullptr && (to.text == nullptr ||
		    std::strlen(text_.get()) >= to.text_size)) {
			to.error = EOPNOTSUPP;
			to.why = STACK9_WHY_MACHINE;
			to.route = rec.route;
			to.reason = "the kernel stack has names and no "
			    "addresses, and they do not fit into text";
			return;
		}
		stack_record all = rec;
		all.pcs = to.pcs;
		all.max = to.max;
		all.text = to.text;
		all.text_size = to.text_size;
		all.space = to.space;
		all.depth = std::min(rec.depth, to.max);
		all.dropped = rec.dropped + (rec.depth - all.depth);
		if (all.depth < rec.depth)
			all.why = STACK9_WHY_TRUNCATED;
		std::copy(rec.pcs, rec.pcs + all.depth, to.pcs);
		if (text_ != nullptr)
			copy_lines(all.depth, to.text);
		to = all;
	}

	stack_record	rec{};

private:
	void
	keep_text(const char *text) noexcept
	{
		const std::size_t size = std::strlen(text) + 1;
		text_.reset(new (std::nothrow) char[size]);
		if (text_ != nullptr) {
			std::memcpy(text_.get(), text, size);
			return;
		}
		rec.flags &= ~static_cast<std::uint32_t>(record_has_text);
		rec.depth = 0;
		rec.error = ENOMEM;
		rec.why = STACK9_WHY_RESOURCE;
		rec.reason = "no memory for the names of its frames";
	}

	// A line is a frame.
	void
	copy_lines(std::uint32_t lines, char *to) const noexcept
	{
		const char *at = text_.get();
		for (; lines > 0 && *at != '\0'; lines--)
			at = std::strchr(at, '\n') + 1;
		const auto size = static_cast<std::size_t>(at - text_.get());
		std::memcpy(to, text_.get(), size);
		to[size] = '\0';
	}

	std::unique_ptr<std::uintptr_t[]> pcs_;
	std::unique_ptr<char[]>		  text_;
};

// Copies one side as stack9_collect() says.
inline void
copy_side(const kept_record &kept, bool asked_for, stack_record &to) noexcept
{
	if (asked_for) {
		kept.copy_to(to);
		return;
	}
	to.error = EINVAL;
	to.reason = "this side was not asked for";
}

} // namespace stack9
