// Keeps memos for the stacks of a thread that take turns.
//
// One memo is enough for a thread whose captures have their outer frames in
// common.  A thread that captures on paths without a frame in common, or on
// one coroutine after the other, would write that memo again each time.  So
// each path has a memo by where it begins, and each coroutine by where its
// stack lies.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memo.h"

namespace stack9::unwind {

class spare_memos {
public:
	// Joins what a memo is found by in one word.
	static std::uint64_t
	key_of_path(std::uintptr_t pc, std::uintptr_t sp) noexcept
	{
		return (pc ^ sp >> 3) * spread;
	}
	static std::uint64_t
	key_of_stack(const range &r) noexcept
	{
		return r.low * spread;
	}

	// Returns true if any was given.
	bool has_any() const noexcept { return any_; }
	// The memo for a key; nullptr: there is none, or they were of no use
	// lately.
	memo *
	of(std::uint64_t key) const noexcept
	{
		return is_vain() ? nullptr : kept(key);
	}
	// The same, made now if there is none.  An empty range is home.
	// nullptr: there is no memory, or they were of no use lately.
	memo *give(std::uint64_t key, range stack) noexcept;
	// Notes that one of them was of use.  This is worth making two.
	void found() noexcept { vain_ -= vain_ < 2 ? vain_ : 2; }
	// Makes it as if there had been no capture.
	void
	restart() noexcept
	{
		tags_ = {};
		vain_ = asked_ = 0;
		any_ = false;
	}
	// The same, in this memory from now on; nullptr: there is none.
	void
	restart(std::byte *memory) noexcept
	{
		memory_ = memory;
		restart();
	}
	// The memory of all.  They are touched one by one.
	static constexpr std::size_t bytes() noexcept { return count * each; }

private:
	static constexpr unsigned int count = 32;
	static constexpr std::uint32_t patience = count, one_of = 128;
	// No power of two: their beginnings are in different sets of the cache.
	static constexpr std::size_t each = 8192 + 3 * 64;

	static constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;

	static std::size_t
	place(std::uint64_t key) noexcept
	{
		static_assert(count == 1 << 5);
		return key >> 59;
	}
	// 0 stands for no memo.
	static std::uint32_t
	tag(std::uint64_t key) noexcept
	{
		return static_cast<std::uint32_t>(key >> 27) | 1;
	}
	memo *
	kept(std::uint64_t key) const noexcept
	{
		const std::size_t n = place(key);
		return tags_[n] == tag(key) ? at(n) : nullptr;
	}
	// If more stacks take turns than there are memos, memos are useless.
	// Then only one capture of many tries.
	bool
	is_vain() const noexcept
	{
		return vain_ == patience && asked_ % one_of != 0;
	}
	memo *
	at(std::size_t n) const noexcept
	{
		return reinterpret_cast<memo *>(memory_ + n * each);
	}
	std::byte	*memory_ = nullptr;
	std::uint32_t	 vain_ = 0;	// given, less those of use
	std::uint32_t	 asked_ = 0;	// in vain
	bool		 any_ = false;
	std::array<std::uint32_t, count> tags_{};
};

} // namespace stack9::unwind
