// Keeps the text of each stack: the same few stacks come again and again, and
// making their text takes longer than all else together.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9_watch.h>

namespace stacksnoop {

class stack_texts {
public:
	// NULL: the text of this sample is not kept.  The next keep() is then
	// about this sample.
	const std::string	*find(const stack9_sample &);
	const std::string	&keep(std::string &&);

	// True if so many are kept that it is time to forget them.
	bool	full() const { return texts_.size() >= most; }
	void	forget() { texts_.clear(); }

private:
	static constexpr std::size_t most = 1 << 14;

	using words = std::vector<std::uintptr_t>;

	struct hash {
		using is_transparent = void;
		std::size_t operator()(std::span<const std::uintptr_t>) const;
	};
	struct equal {
		using is_transparent = void;
		bool operator()(std::span<const std::uintptr_t>,
		    std::span<const std::uintptr_t>) const;
	};

	void	add(const stack9_record *);

	words	key_;		// of the sample that was looked for last
	std::unordered_map<words, std::string, hash, equal> texts_;
};

} // namespace stacksnoop
