// Keeps the functions of one file in a table for all processes that have it
// mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "process/file.h"

#include "file_symbols.h"

namespace stack9 {

struct function_name {
	std::string_view name;		// as long as the file is
	std::uint64_t	 start, size;	// p_vaddr
};

class file_names final : public process::attachment {
public:
	// Takes the file's lock, unless this thread has just asked for the
	// same.  Throws std::bad_alloc.
	static file_names &of(process::file &);
	~file_names() override;
	bool leave_in_child() noexcept override;

	// The function that covers vaddr.  Thread-safe; throws std::bad_alloc.
	bool find(std::uint64_t vaddr, function_name &);

private:
	// The place of a name: its table and its index there, in 32 bits.
	class where {
	public:
		enum source : std::uint32_t { nowhere, own, debug, met };

		where(source s, std::uint32_t index) noexcept
		    : bits_(s << 30 | (index & mask)) {}
		explicit where(std::uint32_t bits) noexcept : bits_(bits) {}
		source from() const noexcept { return source(bits_ >> 30); }
		std::uint32_t index() const noexcept { return bits_ & mask; }
		std::uint32_t bits() const noexcept { return bits_; }

	private:
		static constexpr std::uint32_t mask = 0x3fffffff;
		std::uint32_t	bits_;
	};
	// A place that no table has.
	struct met_function {
		std::uint64_t	start, size;
		std::string	name;
	};

	explicit file_names(process::file &);
	where search(std::uint64_t vaddr);
	bool search(file_symbols &, where::source, std::uint64_t vaddr,
	    where &);
	file_symbols &debug_symbols();
	std::uint32_t keep(met_function);
	bool find_met(std::uint64_t vaddr, std::uint32_t &index);
	bool ask_languages(std::uint64_t vaddr, std::uint32_t &index);
	bool get(where, function_name &);

	process::file	&file_;
	file_symbols	own_;
	std::once_flag	looked_;	// for the debug file
	std::atomic<bool> looks_{false};
	file_symbols	debug_;		// after that
	std::mutex	lock_;		// of the functions met so far
	std::deque<met_function> met_;
	std::map<std::uint64_t, std::uint32_t> met_by_start_;
	// Keeps the places found for some addresses: the address in the upper
	// half, the place in the lower; 0: none yet.  There is no lock, because
	// each word is written whole.
	std::array<std::atomic<std::uint64_t>, 512> seen_{};
};

} // namespace stack9
