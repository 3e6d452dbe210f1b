// Runs other people's programs, which read what we write.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "child.h"

// Its path in /usr/bin, /bin, /usr/sbin or /sbin; "": it is in none.
std::string path_of(const std::string &program);

// Without it the test is skipped, and says so.
boost::unit_test::decorator::precondition installed(const char *program);

// A directory that is gone afterwards.
class scratch {
public:
	scratch();
	~scratch();
	scratch(const scratch &) = delete;
	scratch &operator=(const scratch &) = delete;

	// The path of a new file.
	std::string file(const std::string &name,
	    const std::string &text) const;
	const std::filesystem::path &path() const { return path_; }

private:
	std::filesystem::path path_;
};

// In a home of its own; one that hangs fails with 124 or 137 after so long.
said run_within(unsigned int seconds, const scratch &,
    std::vector<std::string> command);
