// Reads words of other processes twice.  The words that name a holder are read
// again after all waits were found, and a holder is reported only if its words
// are the same then.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "core/seam/kept_process.h"
#include "os/process_memory.h"

namespace stack9::waits {

class memory {
public:
	// Reads those of a core from now on.
	void use(kept_process &p) noexcept { kept_ = &p; }

	// Reads the bytes at an address, once for all waiters.  False: they
	// cannot be read; errno says why.
	template <class T>
	bool
	read(pid_t pid, std::uint64_t at, T &to)
	{
		return read_bytes(pid, at, &to, sizeof to);
	}

	// The same of size bytes.
	bool		read_bytes(pid_t pid, std::uint64_t at, void *to,
			    std::size_t size);

	// Notes that the word at this address names a holder, and that it had
	// this value when it was read.  Returns the word's number.
	std::uint32_t	depend(pid_t pid, std::uint64_t at,
			    std::uint32_t value);

	// Reads all these words again.
	void		read_again();
	// Returns true if a word was the same both times.
	bool
	is_same(std::uint32_t number) const
	{
		return words_[number].same;
	}

private:
	static constexpr std::size_t most = 64;
	using place = std::pair<pid_t, std::uint64_t>;
	struct hash {
		std::size_t
		operator()(const place &p) const noexcept
		{
			return (p.second ^ static_cast<std::uint64_t>(
			    p.first) << 40) * 0x9e3779b97f4a7c15 >> 16;
		}
	};
	struct block {
		std::array<std::byte, most> bytes;
		std::size_t	size;
	};
	struct word {
		place		where;
		std::uint32_t	value;
		bool		same;
	};

	const process_memory	&of(pid_t);

	kept_process			*kept_ = nullptr;
	pid_t				pid_ = 0;	// of the memory
	process_memory			memory_;
	std::unordered_map<place, block, hash> blocks_;
	std::vector<word>		words_;
	std::unordered_map<place, std::uint32_t, hash> numbers_;
};

} // namespace stack9::waits
