// Counts what a user saw of a program that has root's rights at times.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>

#include <stack9.h>

// Those that the manual has for a thread whose rights, program or life change.
bool is_expected(int error);

// Counts what an ordinary user saw, and what was wrong.
class observer {
public:
	observer(bool may_see_root) : may_see_root_(may_see_root) {}

	void note(int error, const stack9_sample *);
	void fault(const std::string &what);
	long times(int error) const;
	// Prints the counts; true: nothing is wrong.
	bool tell(const char *who) const;

private:
	const bool		may_see_root_;
	std::map<int, long>	ends_;
	long			faults_ = 0, of_root_ = 0;
};
