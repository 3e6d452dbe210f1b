// Finds Go's runtime in the memory of a process, without reading a file: the
// words for what goroutines wait for, and the list of all goroutines, by what
// it has to be.
//
// Symbols and debug information are not used, because they are stripped as
// often as not, and because reading them takes longer than this search.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "goroutine.h"
#include "memory.h"

namespace stack9::coroutines {

class go_runtime {
public:
	explicit go_runtime(const memory &m) noexcept : memory_(m) {}

	// False: there is none.  Throws std::bad_alloc.
	bool find();

	// How many goroutines there have been at most at one time.
	std::uint64_t count() const noexcept { return count_; }
	// The addresses of goroutines from the n-th on, as many as there is
	// room for; those that cannot be any are 0.  Returns their number; 0:
	// they cannot be read.
	std::size_t list(std::uint64_t n, std::span<std::uint64_t>) const
	    noexcept;
	const layout &at() const noexcept { return layout_; }

	// Go's word for the state of a goroutine; valid as long as the runtime.
	// Throws std::bad_alloc.
	const char *state(const goroutine &);

private:
	template <class F>
	void each_part(std::uint64_t from, std::uint64_t to, F);
	void search_words(std::uint64_t from, std::span<const std::uint64_t>);
	void search_list(std::span<const std::uint64_t>);
	bool is_list(std::uint64_t at, std::uint64_t count);
	bool is_table(std::span<const std::uint64_t>) const;
	const std::string &wait_word(std::uint8_t);
	bool read_word(std::uint64_t at, std::uint64_t size, std::string &)
	    const;

	const memory		&memory_;
	layout			 layout_;
	std::uint64_t		 list_ = 0, count_ = 0, words_ = 0;
	std::uint64_t		 left_ = 0;	// bytes to search
	// A part that is searched.  Only as many of its pages are written as
	// have been read: a page costs more than the search of it.
	std::unique_ptr<std::uint64_t[]> part_;
	std::map<std::uint8_t, std::string> known_;
};

} // namespace stack9::coroutines
