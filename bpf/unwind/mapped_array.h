// Maps an array of the programs into this process, its only writer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>

#include <sys/mman.h>

namespace stack9::events {

template <class T>
class mapped_array {
public:
	mapped_array() noexcept = default;
	mapped_array(const mapped_array &) = delete;
	mapped_array &operator=(const mapped_array &) = delete;
	~mapped_array() { close(); }

	// 0; or an errno.
	int
	open(int map, std::size_t n) noexcept
	{
		close();
		void *const at = mmap(nullptr, n * sizeof(T),
		    PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
		if (at == MAP_FAILED)
			return errno;
		at_ = static_cast<T *>(at);
		size_ = n;
		return 0;
	}
	void
	close() noexcept
	{
		if (at_ != nullptr)
			munmap(at_, size_ * sizeof(T));
		at_ = nullptr;
		size_ = 0;
	}

	std::size_t size() const noexcept { return size_; }
	T &operator[](std::size_t i) const noexcept { return at_[i]; }

private:
	T		*at_ = nullptr;
	std::size_t	 size_ = 0;
};

} // namespace stack9::events
