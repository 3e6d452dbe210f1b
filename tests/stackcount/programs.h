// Runs stackcount and stacksnoop on the fake library.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "../stackprint/child.h"

using arguments = std::vector<std::string>;

// Without words, an interrupt ends them when all events have come.
said stackcount(arguments, const std::string &fake = "interrupt");
said stacksnoop(arguments, const std::string &fake = "interrupt");

// A file of this process's own, removed with this.
class scratch_file {
public:
	explicit scratch_file(const std::string &ending);
	~scratch_file();
	scratch_file(const scratch_file &) = delete;
	scratch_file &operator=(const scratch_file &) = delete;

	const std::string &path() const { return path_; }
	std::string text() const;

private:
	std::string	path_;
};
