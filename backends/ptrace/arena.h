// Reserves memory in one mapping and frees it in one call; a page is used only
// when it is written.  A tracer may be killed at any moment without losing it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <new>
#include <span>

#include <sys/mman.h>

namespace stack9::tracing {

class arena {
public:
	// Tries most, then half of that, and so on down to least.
	arena(std::size_t least, std::size_t most) noexcept
	{
		for (std::size_t size = most; size >= least; size /= 2)
			if (get(size))
				return;
	}
	~arena()
	{
		if (data_ != nullptr)
			munmap(data_, size_);
	}
	arena(const arena &) = delete;
	arena &operator=(const arena &) = delete;

	bool is_there() const noexcept { return data_ != nullptr; }
	std::size_t left() const noexcept { return size_ - used_; }
	std::byte *next() const noexcept { return data_ + used_; }

	// Touches the next pages now.  Page faults are the dearest part of a
	// copy, and now nobody is stopped.
	void
	have_ready(std::size_t size) noexcept
	{
		static constexpr std::size_t page = 4096;	// or more
		volatile std::byte *const at = next();
		for (std::size_t i = 0; i < size && i < left(); i += page)
			at[i] = std::byte{};
	}

	std::byte *
	take(std::size_t size) noexcept
	{
		const std::size_t whole = (size + 15) & ~std::size_t{15};
		if (size > left() || whole > left())
			return nullptr;
		std::byte *const at = next();
		used_ += whole;
		return at;
	}

	// The elements are zero, as fresh pages are.
	template <class T> std::span<T>
	take_array(std::size_t n) noexcept
	{
		std::byte *const at = take(n * sizeof(T));
		if (at == nullptr)
			return {};
		T *const first = std::launder(reinterpret_cast<T *>(at));
		return {first, n};
	}

private:
	bool
	get(std::size_t size) noexcept
	{
		void *const p = mmap(nullptr, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			return false;
		data_ = static_cast<std::byte *>(p);
		size_ = size;
		return true;
	}

	std::byte	*data_ = nullptr;
	std::size_t	size_ = 0;
	std::size_t	used_ = 0;
};

} // namespace stack9::tracing
