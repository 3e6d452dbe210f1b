// Searches one ELF file for the functions that one event's name stands for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "elf_image.h"
#include "event_text.h"
#include "name_test.h"

namespace stack9::events {

struct function {
	std::string	name;
	std::uint64_t	size = 0;
	bool		global = false;

	// The less one has the better name for the place.
	bool operator<(const function &) const noexcept;
};

class function_search {
public:
	function_search(const event_text &e, const elf_image &image,
	    const name_test &is_meant)
	    : e_(e), image_(image), is_meant_(is_meant) {}

	void run();

	// By address.
	const std::map<std::uint64_t, function> &found() const
	    { return found_; }
	// An IFUNC that is meant; "": none.
	const std::string &indirect() const { return indirect_; }
	bool has_symbols() const { return any_; }

	// Until f says true.
	void each_symbol(const elf_image::each_symbol &f) const;

private:
	bool	has_found() const
		    { return !found_.empty() || !indirect_.empty(); }
	void	by_names(bool source);
	void	consider(const elf_image::symbol &, bool source);
	bool	is_meant_source(const std::string &linkage);
	bool	each_in_debug_file(const elf_image::each_symbol &) const;

	const event_text &e_;
	const elf_image &image_;
	const name_test &is_meant_;
	std::map<std::uint64_t, function> found_;
	std::string	indirect_;
	std::string	readable_;	// a buffer for demangled names
	bool		any_ = false;
	bool		old_ = false;	// versions for old programs too
};

} // namespace stack9::events
