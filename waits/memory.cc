// Reads words of other processes twice.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <cstring>

#include "os/linux/process_memory.h"

namespace stack9::waits {

bool
memory::read_some(pid_t pid, std::uint64_t at, void *to, std::size_t size)
{
	return size == 0 || read_process(pid, at, to, size) ==
	    static_cast<ssize_t>(size);
}

bool
memory::read_bytes(pid_t pid, std::uint64_t at, void *to, std::size_t size)
{
	if (size > most)
		return read_some(pid, at, to, size);
	block &b = blocks_[{pid, at}];
	if (b.size < size) {
		const ssize_t n = read_process(pid, at, b.bytes.data(), size);
		b.size = n == static_cast<ssize_t>(size) ? size : 0;
	}
	if (b.size < size)
		return false;
	std::memcpy(to, b.bytes.data(), size);
	return true;
}

std::uint32_t
memory::depend(pid_t pid, std::uint64_t at, std::uint32_t value)
{
	const auto number = static_cast<std::uint32_t>(words_.size());
	const auto [it, is_new] = numbers_.try_emplace({pid, at}, number);
	if (is_new)
		words_.push_back({{pid, at}, value, false});
	else if (words_[it->second].value != value) {
		// Two blocks were read with another value in between.
		words_.push_back({{pid, at}, value, false});
		return number;
	}
	return it->second;
}

void
memory::read_again()
{
	for (word &w : words_) {
		std::uint32_t now = 0;
		w.same = read_process(w.where.first, w.where.second, &now,
		    sizeof now) == sizeof now && now == w.value;
	}
}

} // namespace stack9::waits
