// Finds an extended regular expression in names.  The C library takes names of
// any length; std::regex would use up the stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <regex.h>

namespace stackreport {

class expression {
public:
	explicit expression(const std::string &);
	~expression();
	expression(const expression &) = delete;
	expression &operator=(const expression &) = delete;

	// "" or what is wrong with it.
	const std::string &error() const { return error_; }
	bool	is_in(const std::string &) const;

private:
	regex_t		made_{};
	std::string	error_;
};

} // namespace stackreport
