// Gives numbers to files for as long as each file exists.  The numbers have 16
// bits, so they are used again after a while.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stack9::process {

class file_ids {
public:
	// Gives a number; 0: all are in use.  The caller holds its lock.
	// forget() is called at the start of each round, so that nothing is
	// known by numbers that were given back.  The numbers in use at that
	// moment are not given in the new round.
	template <class F>
	std::uint16_t
	take(F forget) noexcept
	{
		for (unsigned int n = 0; n < 2 * count; n++) {
			if (++last_ == count) {
				last_ = 0;
				come_around();
				forget();
			}
			if (last_ != 0 && !is(kept_, last_) &&
			    !is(used_, last_)) {
				used_[last_ / 64] |= bit(last_);
				return static_cast<std::uint16_t>(last_);
			}
		}
		return 0;
	}
	// May be called at any time.
	void
	give_back(std::uint16_t id) noexcept
	{
		used_[id / 64] &= ~bit(id);
	}

private:
	static constexpr unsigned int count = 1 << 16;
	using set = std::array<std::atomic<std::uint64_t>, count / 64>;

	static std::uint64_t
	bit(unsigned int id) noexcept
	{
		return std::uint64_t{1} << id % 64;
	}
	static bool
	is(const set &s, unsigned int id) noexcept
	{
		return (s[id / 64] & bit(id)) != 0;
	}
	void
	come_around() noexcept
	{
		for (std::size_t n = 0; n < used_.size(); n++)
			kept_[n] = used_[n].load();
	}

	set		used_{}, kept_{};
	unsigned int	last_ = 0;
};

} // namespace stack9::process
