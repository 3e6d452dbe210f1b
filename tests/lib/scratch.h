// Makes a directory for a test's files, and removes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

namespace lib {

// The directory and what is in it are removed when this goes.
class scratch {
public:
	// where: the folder that it is made in.
	explicit scratch(const std::filesystem::path &where =
	    std::filesystem::temp_directory_path());
	~scratch();
	scratch(const scratch &) = delete;
	scratch &operator=(const scratch &) = delete;

	const std::string &path() const { return path_; }
	// The path of a file in it.  The file need not be there.
	std::string operator/(const std::string &name) const;
	// Writes a file into it, and returns the file's path.
	std::string file(const std::string &name,
	    const std::string &bytes) const;
	// Copies a file into it, and returns the path of the copy.
	std::string take(const std::string &file) const;

private:
	std::string	path_;
};

} // namespace lib
