// Declares the options of the command line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>
#include <vector>

#include "benches.h"

class wanted {
public:
	// Words that name benchmarks, "quick", and rows such as 100x50.
	wanted(int argc, char **argv);

	// Returns true if it is named, or the group that it is in, or nothing
	// is.
	bool has(std::string_view name, std::string_view group = "") const;
	bool quick() const { return quick_; }
	const std::vector<user_row> &rows() const { return rows_; }

private:
	std::vector<std::string_view>	names_;
	std::vector<user_row>		rows_;
	bool				quick_ = false;
};
