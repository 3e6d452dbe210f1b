// Numbers frames, so that each is kept once: the one place that decides whether
// two frames are the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "frame.h"

namespace tools {

// Says what distinguishes frames besides their kind, names, file and line.  Two
// files are the same if their build-ids are.
enum class precision : std::uint8_t {
	functions,	// nothing else
	offsets,	// the distance from the function's start
	addresses,	// and the address as it was captured
	all,		// and all that is known of the address
};

class frame_table {
public:
	// Frames are added to the deque; their numbers are their places in it.
	frame_table(std::deque<frame> &all, precision how)
	    : all_(all), numbers_(16, hash{this}, same{this}), how_(how) {}
	frame_table(const frame_table &) = delete;
	frame_table &operator=(const frame_table &) = delete;

	// Gives the number of the frame.  A frame that is known costs no
	// allocation.  pc: the address as it was captured.
	std::uint32_t	number(const frame &, std::uint64_t pc = 0);
	// Gives the number of a frame that is not code.
	std::uint32_t	marker(frame_kind, const std::string &name);

	std::uint64_t	pc(std::uint32_t number) const { return pcs_[number]; }
	std::size_t	size() const { return pcs_.size(); }
	void		clear();

private:
	struct candidate {
		const frame	&what;
		std::uint64_t	pc;
	};
	struct hash {
		using is_transparent = void;
		const frame_table *of;
		std::size_t	operator()(const candidate &) const;
		std::size_t	operator()(std::uint32_t) const;
	};
	struct same {
		using is_transparent = void;
		const frame_table *of;
		bool	operator()(const candidate &, std::uint32_t) const;
		bool
		operator()(std::uint32_t n, const candidate &c) const
		{
			return (*this)(c, n);
		}
		bool
		operator()(std::uint32_t a, std::uint32_t b) const
		{
			return a == b;
		}
	};

	std::deque<frame>	&all_;
	std::vector<std::uint64_t> pcs_;
	std::unordered_set<std::uint32_t, hash, same> numbers_;
	const precision		how_;
};

} // namespace tools
