// Looks for a path in dpkg's lists.  They have a line for each file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "packages.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace tools {
namespace {

bool
has_line(const std::string &text, const std::string &line)
{
	for (auto at = text.find(line); at != text.npos;
	    at = text.find(line, at + 1))
		if ((at == 0 || text[at - 1] == '\n') &&
		    at + line.size() < text.size() &&
		    text[at + line.size()] == '\n')
			return true;
	return false;
}

} // namespace

// A file below /usr may be in the list as it was before the directories at the
// root became links to those in /usr.  The C library has a package of its own.
std::string
debug_package(const std::string &path, const char *lists)
{
	const std::string old = path.starts_with("/usr/lib") ||
	    path.starts_with("/usr/bin/") || path.starts_with("/usr/sbin/") ?
	    path.substr(4) : path;
	std::error_code error;
	for (std::filesystem::directory_iterator at(lists, error), end;
	    !error && at != end; at.increment(error)) {
		if (at->path().extension() != ".list")
			continue;
		std::ifstream in(at->path());
		const std::string text(std::istreambuf_iterator<char>(in), {});
		if (!has_line(text, path) && !has_line(text, old))
			continue;
		const std::string name = at->path().stem().string();
		const std::string package = name.substr(0, name.find(':'));
		return package == "libc6" ? "libc6-dbg" : package + "-dbgsym";
	}
	return {};
}

} // namespace tools
