// Gives the names of Ruby's identifiers and classes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "method.h"
#include "places.h"

namespace stack9::languages::ruby {

class names {
public:
	names(unwind::memory &m, const loaded &where, const places &p,
	    const layout &l) noexcept;

	// Gives the name of an identifier; "": it is not known.
	const std::string &of_identifier(std::uint64_t id);
	// Gives what is written before the name of a method of a class:
	// "Shop#", or "Shop." for those of Shop itself.  "": the class has no
	// name.
	const std::string &of_class(std::uint64_t at);
	// Gives "Shop#reserve" for a function in C; "": its name is not known.
	std::string of_function(const method &);

private:
	// The table of names: the last number, and an Array of Arrays.
	struct table {
		std::uint64_t	last = 0;
		values		parts;
	};

	bool find_table();
	bool is_table(std::uint64_t at, std::uint64_t last,
	    std::uint64_t strings, std::uint64_t all);
	bool has_name(const table &, std::uint64_t number, std::uint64_t id,
	    std::string &to);
	bool look_through(std::uint64_t at, std::uint64_t size);
	bool path_of(const object &, std::string &to);
	bool object_of(const object &, std::uint64_t &to);
	bool variable_of(const object &, const char *name, std::uint64_t &to);
	std::string make_prefix(std::uint64_t at);

	unwind::memory	&m_;
	const loaded	&where_;
	const places	&places_;
	const layout	&l_;
	bool		has_looked_ = false;
	unsigned int	tables_left_, variables_left_, names_left_;
	table		table_;
	std::map<std::uint64_t, std::string> identifiers_, classes_;
};

} // namespace stack9::languages::ruby
