// Reads words of other processes twice.  The words that name a holder are read
// again after all waits were found, and a holder is told only if its words are
// the same then.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace stack9::waits {

class memory {
public:
	// Reads the bytes at an address, once for all waiters.  False: they
	// cannot be read; errno says why.
	template <class T>
	bool
	read(pid_t pid, std::uint64_t at, T &to)
	{
		return read_bytes(pid, at, &to, sizeof to);
	}

	// The same of size bytes, which no other waiter asks for.
	static bool	read_some(pid_t pid, std::uint64_t at, void *to,
			    std::size_t size);

	// Says that the word at this address, which was read with this value,
	// names a holder.  Returns its number.
	std::uint32_t	depend(pid_t pid, std::uint64_t at,
			    std::uint32_t value);

	// Reads all these words again.
	void		read_again();
	// Whether a word was the same both times.
	bool
	is_same(std::uint32_t number) const
	{
		return words_[number].same;
	}

private:
	static constexpr std::size_t most = 64;
	using place = std::pair<pid_t, std::uint64_t>;
	struct block {
		std::array<std::byte, most> bytes;
		std::size_t	size;
	};
	struct word {
		place		where;
		std::uint32_t	value;
		bool		same;
	};

	bool		read_bytes(pid_t, std::uint64_t at, void *to,
			    std::size_t size);

	std::map<place, block>		blocks_;
	std::vector<word>		words_;
	std::map<place, std::uint32_t>	numbers_;
};

} // namespace stack9::waits
