// Passes reads on to the memory of a thread, and notes them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>

#include "forged.h"

namespace forged {

class recording_memory final : public stack9::languages::memory {
public:
	recording_memory(stack9::languages::memory &under, stack &to) noexcept
	    : under_(under), to_(to) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		for (std::uintptr_t at = from & ~std::uintptr_t{7};
		    at < from + size; at += 8)
			if (std::uint64_t word; under_.word(at, word))
				to_.words[at] = word;
		return under_.read(from, to, size);
	}
	void prefetch(std::span<const range>) noexcept override {}

private:
	stack9::languages::memory	&under_;
	stack		&to_;
};

class recording_code final : public stack9::unwind::code {
public:
	recording_code(stack9::unwind::code &under, stack &to) noexcept
	    : under_(under), to_(to) {}

	stack9::unwind::rule
	rule_of(std::uintptr_t pc) noexcept override
	{
		return under_.rule_of(pc);
	}
	stack9::unwind::found
	row_of(std::uintptr_t pc, stack9::unwind::row &to) noexcept override
	{
		const stack9::unwind::found how = under_.row_of(pc, to);
		const auto has = [&](const function &f) {
			return f.begin == to.begin;
		};
		if (how == stack9::unwind::found::yes && std::none_of(
		    to_.functions.begin(), to_.functions.end(), has))
			to_.functions.push_back({to.begin, to.end});
		return how;
	}
	bool
	covers(std::uintptr_t pc) noexcept override
	{
		return under_.covers(pc);
	}

private:
	stack9::unwind::code	&under_;
	stack			&to_;
};

} // namespace forged
