// Reads and spoils the memory of a program that a test has started.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <sys/types.h>

class memory_of {
public:
	explicit memory_of(pid_t);
	memory_of(const memory_of &) = delete;
	memory_of &operator=(const memory_of &) = delete;
	~memory_of();

	bool read(std::uint64_t at, void *to, std::size_t size) const;
	bool write(std::uint64_t at, const void *from, std::size_t size) const;
	std::uint64_t word(std::uint64_t at) const;
	// The memory that it may write to: the heap, the stacks, the data.
	std::vector<std::pair<std::uint64_t, std::uint64_t>> writable() const;

private:
	pid_t	pid_;
	int	fd_;
};
