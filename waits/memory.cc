// Reads words of other processes twice.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <cstring>

#include "core/seam/second_reading.h"

namespace stack9::waits {

// Threads of one process follow each other.
const process_memory &
memory::of(pid_t pid)
{
	if (pid != pid_) {
		memory_ = process_memory(pid);
		pid_ = pid;
	}
	return memory_;
}

bool
memory::read_bytes(pid_t pid, std::uint64_t at, void *to, std::size_t size)
{
	if (size == 0)
		return true;
	if (kept_ != nullptr)
		return kept_->read(at, to, size) == static_cast<ssize_t>(size);
	if (size > most)
		return of(pid).read_present(at, to, size) ==
		    static_cast<ssize_t>(size);
	block &b = blocks_[{pid, at}];
	if (b.size < size) {
		// More words of a lock are asked for soon.
		const ssize_t n = of(pid).read_present(at, b.bytes.data(),
		    most);
		b.size = n > 0 ? static_cast<std::size_t>(n) : 0;
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
		announce_second_reading(w.where.first, w.where.second);
		w.same = of(w.where.first).read_present(w.where.second, &now,
		    sizeof now) == sizeof now && now == w.value;
	}
}

} // namespace stack9::waits
