// Asks regcomp(3).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "expression.h"

namespace stackreport {

expression::expression(const std::string &text)
{
	char why[256];
	const int error = regcomp(&made_, text.c_str(), REG_EXTENDED |
	    REG_NOSUB);
	if (error == 0)
		return;
	regerror(error, &made_, why, sizeof why);
	error_ = why;
}

expression::~expression()
{
	if (error_.empty())
		regfree(&made_);
}

bool
expression::is_in(const std::string &text) const
{
	return error_.empty() &&
	    regexec(&made_, text.c_str(), 0, nullptr, 0) == 0;
}

} // namespace stackreport
