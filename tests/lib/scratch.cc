// Makes a directory for a test's files, and removes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "scratch.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace lib {

namespace fs = std::filesystem;

scratch::scratch(const fs::path &where) : path_(where / "stack9.XXXXXX")
{
	if (mkdtemp(path_.data()) == nullptr)
		throw std::runtime_error("no directory can be made in " +
		    where.string());
}

// A program that a test has started may still be clearing up there.
scratch::~scratch()
{
	std::error_code ignored;
	fs::remove_all(path_, ignored);
}

std::string
scratch::operator/(const std::string &name) const
{
	return path_ + "/" + name;
}

std::string
scratch::file(const std::string &name, const std::string &bytes) const
{
	std::ofstream(*this / name, std::ios::binary) << bytes;
	return *this / name;
}

std::string
scratch::take(const std::string &file) const
{
	const std::string to = *this / fs::path(file).filename();
	fs::copy_file(file, to, fs::copy_options::overwrite_existing);
	return to;
}

} // namespace lib
