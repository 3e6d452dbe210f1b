// Maps the buffer of a perf event, and reads its records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

namespace stack9::events {

class perf_ring {
public:
	perf_ring() = default;
	perf_ring(perf_ring &&from) noexcept
	    : at_(std::exchange(from.at_, nullptr)), size_(from.size_) {}
	perf_ring &operator=(perf_ring &&) = delete;
	~perf_ring()
	{
		if (at_ != nullptr)
			munmap(at_, size_ + page());
	}

	// size: a power of 2.  0, or an errno.
	int
	map(int fd, std::size_t size) noexcept
	{
		void *const at = mmap(nullptr, size + page(),
		    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (at == MAP_FAILED)
			return errno;
		at_ = static_cast<std::byte *>(at);
		size_ = size;
		return 0;
	}

	// Calls use(bytes, size) for each record that is there, aligned to 8
	// bytes.  Throws what use throws.
	template <class Use>
	void
	read(std::vector<std::uint64_t> &buffer, Use use)
	{
		auto &about = *reinterpret_cast<perf_event_mmap_page *>(at_);
		std::atomic_ref<__u64> head(about.data_head),
		    tail(about.data_tail);
		const std::uint64_t end = head.load(std::memory_order_acquire);
		std::uint64_t at = tail.load(std::memory_order_relaxed);
		while (at != end) {
			perf_event_header h;
			copy(at, &h, sizeof h);
			buffer.resize(h.size / 8 + 1);
			copy(at, buffer.data(), h.size);
			at += h.size;
			tail.store(at, std::memory_order_release);
			use(reinterpret_cast<const char *>(buffer.data()),
			    std::size_t{h.size});
		}
	}

private:
	static std::size_t
	page() noexcept
	{
		return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
	}

	// A record may go on at the beginning.
	void
	copy(std::uint64_t at, void *to, std::size_t n) const noexcept
	{
		const std::size_t from = at % size_,
		    first = std::min(n, size_ - from);
		std::memcpy(to, at_ + page() + from, first);
		std::memcpy(static_cast<char *>(to) + first, at_ + page(),
		    n - first);
	}

	std::byte	*at_ = nullptr;
	std::size_t	 size_ = 0;
};

} // namespace stack9::events
