// Finds out which pages of a process are in its memory, and remembers that for
// a moment, because parts that are read one after another lie near each other.
// Allocates nothing; may change errno; async-signal-safe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <unistd.h>

#include "clocks.h"

namespace stack9 {

// Some pages in a row.
struct page_window {
	static constexpr unsigned int most = 32;

	std::uintptr_t	first = 0;	// the number of a page
	unsigned int	known = 0;	// so many of them
	std::uint32_t	bits = 0;	// set: it is in memory, or swapped

	bool
	knows(std::uintptr_t number) const noexcept
	{
		return number - first < known;
	}
	bool
	has(std::uintptr_t number) const noexcept
	{
		return (bits >> (number - first) & 1) != 0;
	}
	// Returns true if it knows these pages, as many as it has room for, and
	// none of them is absent.
	bool
	has_all(std::uintptr_t number, std::size_t wanted) const noexcept
	{
		for (std::size_t n = 0; n < wanted && number + n < first +
		    most; n++)
			if (!knows(number + n) || !has(number + n))
				return false;
		return knows(number);
	}
};

// pagemap: an open /proc/TID/pagemap.
inline page_window
ask_pages(int pagemap, std::uintptr_t first, std::size_t wanted) noexcept
{
	constexpr std::uint64_t in_memory_or_swap = std::uint64_t{3} << 62;
	std::array<std::uint64_t, page_window::most> page_is;
	const ssize_t n = pread(pagemap, page_is.data(), sizeof page_is[0] *
	    std::min(wanted, page_is.size()),
	    static_cast<off_t>(first * sizeof page_is[0]));
	page_window w{first, n < 0 ? 0 : static_cast<unsigned int>(
	    static_cast<std::size_t>(n) / sizeof page_is[0]), 0};
	for (unsigned int i = 0; i < w.known; i++)
		if ((page_is[i] & in_memory_or_swap) != 0)
			w.bits |= 1U << i;
	return w;
}

// Returns how many bytes from there on lie in pages that are in memory or in
// the swap area; size, if that cannot be found out.  window_of(number, wanted)
// gives a window with this page, and with so many further ones if it can.
template <class F>
std::size_t
present_bytes(std::uintptr_t from, std::size_t size, F window_of) noexcept
{
	const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
	const std::uintptr_t last = (from + size - 1) / page;
	page_window w;
	for (std::size_t done = 0; done < size;) {
		const std::uintptr_t number = (from + done) / page;
		if (!w.knows(number))
			w = window_of(number, last - number + 1);
		if (!w.knows(number))
			return size;	// the read will say why
		if (!w.has(number))
			return done;
		done = std::min((number + 1) * page - from, size);
	}
	return size;
}

inline std::size_t
present_bytes(int pagemap, std::uintptr_t from, std::size_t size) noexcept
{
	return present_bytes(from, size, [=](std::uintptr_t number,
	    std::size_t wanted) { return ask_pages(pagemap, number, wanted); });
}

class present_pages {
public:
	// Forgets what was asked before this moment.  A page that leaves the
	// memory between the question and the read is waited for, however soon
	// the read comes.  A page that was absent is asked for again each time:
	// the process may have touched it since.
	void
	begin() noexcept
	{
		constexpr std::uint64_t moment_ns = 10'000'000;
		const std::uint64_t now = boot_ns();
		if (now - begun_ > moment_ns)
			clear();
	}
	void
	clear() noexcept
	{
		asked_ = {};
		begun_ = boot_ns();
	}

	// As present_bytes().
	std::size_t
	present(int pagemap, std::uintptr_t from, std::size_t size) noexcept
	{
		return present_bytes(from, size, [=, this](
		    std::uintptr_t number, std::size_t wanted) {
			const std::uintptr_t first = number -
			    number % page_window::most;
			page_window &w = asked_[place_of(first)];
			if (!w.has_all(number, wanted))
				w = ask_pages(pagemap, first,
				    page_window::most);
			return w;
		});
	}

private:
	static constexpr unsigned int place_bits = 8;

	// Stacks of threads, and arenas of heaps, lie a power of two apart.
	static std::size_t
	place_of(std::uintptr_t first) noexcept
	{
		return std::uint64_t{first / page_window::most} *
		    0x9e3779b97f4a7c15 >> (64 - place_bits);
	}

	std::array<page_window, 1 << place_bits> asked_{};
	std::uint64_t	begun_ = 0;
};

} // namespace stack9
