// Memory that is taken at once and given back at once, page by page as it is
// used: what a tracer may be killed over.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <new>
#include <span>

#include <sys/mman.h>

namespace stack9::tracing {

class room {
public:
	// most, or half of that, and so on down to least.
	room(std::size_t least, std::size_t most) noexcept
	{
		for (std::size_t size = most; size >= least; size /= 2)
			if (get(size))
				return;
	}
	~room()
	{
		if (data_ != nullptr)
			munmap(data_, size_);
	}
	room(const room &) = delete;
	room &operator=(const room &) = delete;

	bool is_there() const noexcept { return data_ != nullptr; }
	std::size_t left() const noexcept { return size_ - used_; }
	std::byte *next() const noexcept { return data_ + used_; }

	// What comes next will cost no page faults, which are the dearest part
	// of a copy.
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

	// Zero, as fresh pages are.
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
