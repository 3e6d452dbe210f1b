// Notes which parts of a process's memory the walk of one thing reads, so that
// the walk of another thread that meets it reads all of them by one request.
//
// The bytes themselves are read again for each stack: what was there before
// does not prove what is there now.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime.h"

namespace stack9::languages {

// For which question a thing was read.
enum class part : std::uint8_t { step, names };

// The parts by the address of the thing: a pc, or that of a method.
class noted_places final : public process::attachment {
public:
	// Reads ahead the parts of all that is known of these words.  Most
	// words are not an address of anything.  Throws std::bad_alloc.
	void prefetch(memory &, std::span<const std::byte> words);
	// Reads ahead what was noted of one thing.  Throws std::bad_alloc.
	void prefetch(memory &, std::uint64_t what, part);
	bool knows(std::uint64_t what, part);
	// Throws std::bad_alloc.
	void keep(std::uint64_t what, part, std::vector<memory::range>);

private:
	using key = std::pair<std::uint64_t, part>;
	struct hash {
		std::size_t
		operator()(const key &k) const noexcept
		{
			return (k.first * 2 + std::size_t(k.second)) *
			    0x9e3779b97f4a7c15 >> 16;
		}
	};

	std::mutex	lock_;
	std::unordered_map<key, std::vector<memory::range>, hash> all_;
	std::uint64_t	lowest_ = UINT64_MAX, highest_ = 0;
};

// Memory that notes what is read of it.  The thread's own stack is not noted.
class noting_memory final : public memory {
public:
	noting_memory(memory &below, const user_copy &copy, noted_places &to)
	    noexcept : below_(below), copy_(copy), to_(to) {}

	bool read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept override;
	void forget() noexcept override { below_.forget(); }
	void remember() noexcept override { below_.remember(); }
	void
	prefetch(std::span<const range> wanted) noexcept override
	{
		below_.prefetch(wanted);
	}
	void
	prefetch_all(std::uint64_t from, std::uint64_t size) noexcept override
	{
		below_.prefetch_all(from, size);
	}
	// The same of all that has been noted of words on the stack: return
	// addresses, and what frames have stored.  Throws std::bad_alloc.
	void prefetch_by_stack();
	void
	prefetch(std::uint64_t what, part which)
	{
		to_.prefetch(below_, what, which);
	}

	// The same of each of these.
	void
	prefetch_each(std::span<const std::uint64_t> things)
	{
		to_.prefetch(below_, std::as_bytes(things));
	}

	// Notes what is read while this exists, unless that is known.
	class noting {
	public:
		// Throws std::bad_alloc.
		noting(noting_memory &m, std::uint64_t what, part);
		~noting();
		noting(const noting &) = delete;
		noting &operator=(const noting &) = delete;

	private:
		noting_memory		&m_;
		const std::uint64_t	 what_;
		const part		 part_;
		noting			*const outer_;
		const bool		 is_known_;
		const bool		 notes_;	// for itself or outer_
		std::vector<range>	 ranges_;
		friend noting_memory;
	};
	// True if a thing is met for the first time: what it needs is to be
	// read, though this walk may know it from another thing.
	bool
	is_noting() const noexcept
	{
		return now_ != nullptr && now_->notes_;
	}

private:
	memory			&below_;
	const user_copy		&copy_;
	noted_places		&to_;
	noting			*now_ = nullptr;
};

} // namespace stack9::languages
