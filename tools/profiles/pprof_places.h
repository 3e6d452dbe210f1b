// Builds pprof's tables of strings, mappings, functions and locations, each
// entry once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile.h"

namespace profiles {

// A number is a place in the table; 0 is "".
class pprof_strings {
public:
	std::int64_t number(const std::string &);
	const std::vector<std::string> &all() const { return all_; }

private:
	std::vector<std::string> all_ = {""};
	std::unordered_map<std::string, std::int64_t> numbers_ = {{"", 0}};
};

struct pprof_mapping {
	std::uint64_t	start = ~std::uint64_t{0};	// lowest known address
	std::uint64_t	limit = 0;
	std::string	file, build_id;
	bool		named = false, files = false, lines = false;
	bool		inlines = false;
};

struct pprof_function {
	std::string	name, linkage, file;
};

struct pprof_line {
	std::uint64_t	function;
	unsigned int	line;
};

struct pprof_location {
	std::uint64_t	mapping;	// 0: none
	std::uint64_t	address;
	frame_kind	kind;		// of the frame with the code
	std::string	language;	// likewise
	std::vector<pprof_line> lines;	// the innermost first
};

// An id is a place in its table, from 1 on.
class pprof_places {
public:
	explicit pprof_places(const profile &p);

	// Gives the locations of a stack, innermost first, as in pprof's
	// format.
	const std::vector<std::uint64_t> &locations_of(const stack &);

	const std::vector<pprof_mapping> &mappings() const { return maps_; }
	const std::vector<pprof_function> &functions() const { return funcs_; }
	const std::vector<pprof_location> &locations() const { return places_; }

private:
	std::uint64_t location(std::vector<std::uint32_t> &&frames);
	std::uint64_t mapping(const frame &);
	std::uint64_t function(std::uint32_t);
	bool is_left_out(const stack &, const frame &) const;
	void add_line(std::uint32_t, pprof_location &);

	const profile	&p_;
	std::vector<pprof_mapping>	maps_;
	std::vector<pprof_function>	funcs_;
	std::vector<pprof_location>	places_;
	// The keys are module and build id, and names and file.
	std::map<std::vector<std::string>, std::uint64_t> map_ids_;
	std::map<std::vector<std::string>, std::uint64_t> func_ids_;
	std::vector<std::uint64_t>	func_of_;	// a frame; 0: not yet
	std::vector<std::uint64_t>	single_of_;	// likewise
	std::map<std::vector<std::uint32_t>, std::uint64_t> place_ids_;
	std::vector<std::uint64_t>	ids_;		// the last stack's
};

} // namespace profiles
