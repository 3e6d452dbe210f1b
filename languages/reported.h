// Keeps what a runtime says of the functions that events have reported, because
// the process and its functions may be gone when the names are asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "runtime.h"

namespace stack9::languages {

// A frame that was reported.
struct reported_frame {
	std::uint64_t	code;	// its address, or the first word that was
				// reported of it; 0: it has none
	std::uint32_t	position, cookie;
	bool		ends, is_marked;
	std::span<const std::uint64_t> moved;	// the words of code, if it
				// does not outlive its calls

	bool has_position() const { return position != S9_NO_POSITION; }
};

// Gives the next one of the words, and takes these off.  False: there is none.
bool next_reported(std::span<const std::uint64_t> &words, reported_frame &);

// The words of a code object.
using code_words = std::array<std::uint64_t, S9_CHAIN_CODE / 8>;

// Puts the words that were reported in their places.
code_words moved_code_words(const s9_frame_chain &, const reported_frame &);

// Gives the cookie of an object, as the programs compute it.
std::uint32_t cookie_of(unwind::memory &, const s9_reported_object &,
    const code_words &);
// Gives the cookie of what is at an address now; 0: there is nothing.
std::uint32_t cookie_at(unwind::memory &, const s9_reported_object &,
    std::uint64_t at);

// Keeps what was read of a runtime while its process lived, by where it is.
template <class T>
class kept_layouts final : public process::attachment {
public:
	// read() returns one that is_known() is true of, or another one.
	template <class Read, class Is>
	T
	find(std::uint64_t mark, Read read, Is is_known)
	{
		const std::lock_guard hold(lock_);
		const auto known = all_.find(mark);
		if (known != all_.end())
			return known->second;
		T made = read();
		if (is_known(made))
			all_.emplace(mark, made);
		return made;
	}

private:
	std::mutex	lock_;
	std::map<std::uint64_t, T> all_;
};

// The functions of all processes that have the file, by where they were.
template <class T>
class reported_functions final : public process::attachment {
public:
	// Gives a function that was at an address.  If it is met for the first
	// time, is_same() returns true if the same one is still there, and
	// read(T &, std::size_t &bytes) reads it: it may become another one
	// meanwhile.  NULL: another one, or none, is there by now.  Throws
	// std::bad_alloc.
	template <class Is, class Read>
	std::shared_ptr<const T>
	find(const question &q, std::uint64_t at, std::uint32_t cookie,
	    Is is_same, Read read) const
	{
		const stack9_thread &who = q.space.thread();
		const key k{who.tid, who.start, at, cookie};
		if (auto known = kept(k); known != nullptr)
			return known;
		auto made = std::make_shared<T>();
		std::size_t bytes = 0;
		q.words.forget();
		if (!is_same() || !read(*made, bytes))
			return nullptr;
		q.words.forget();
		if (!is_same())
			return nullptr;
		keep(k, made, bytes);
		return made;
	}

private:
	struct key {
		pid_t		tid;
		std::uint64_t	start, at;
		std::uint32_t	cookie;
		auto operator<=>(const key &) const = default;
	};
	static constexpr std::size_t most_bytes = 32 << 20, of_each = 256;

	std::shared_ptr<const T>
	kept(const key &k) const
	{
		const std::lock_guard hold(lock_);
		const auto known = all_.find(k);
		return known == all_.end() ? nullptr : known->second;
	}

	void
	keep(const key &k, std::shared_ptr<const T> what, std::size_t bytes)
	    const
	{
		const std::lock_guard hold(lock_);
		bytes_ += of_each + bytes;
		if (bytes_ > most_bytes) {
			all_.clear();
			bytes_ = 0;
		}
		all_.insert_or_assign(k, std::move(what));
	}

	mutable std::mutex	lock_;
	mutable std::map<key, std::shared_ptr<const T>> all_;
	mutable std::size_t	bytes_ = 0;
};

} // namespace stack9::languages
