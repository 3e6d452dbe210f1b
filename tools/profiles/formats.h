// Finds formats by their names, and writes profiles in them, compressed if the
// file's name says so.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile.h"

namespace profiles {

std::vector<std::string> all_formats();

// Gives "text, folded, ... or html".
std::string format_names();

bool is_format(const std::string &name);	// "text" is one

// True for flame graphs, and for what others make these of.
bool is_graph(const std::string &name);

// True for a format that does not belong on a terminal.
bool is_for_files(const std::string &name);

// True for a format in which two stacks that differ only in the places in their
// functions are two stacks.
bool has_places(const std::string &name);

// Gives the format by the ending of the file's name before a ".gz", "text" if
// none is known.
std::string format_of(const std::string &file);

// Gives "svg" or "html" by the name of the file, or "" for neither.
std::string graph_format(const std::string &file);

// Writes in any format but "text".
std::string formatted(const std::string &name, const profile &);

// Makes a gzip file (RFC 1952).  Throws std::bad_alloc, and std::length_error
// for two gigabytes.
std::string gzip(std::string_view, int level);

// Files whose names end so are compressed, in any format.
inline bool
is_gzip(const std::string &file)
{
	return file.ends_with(".gz");
}

// Gives the bytes that a file of this name gets.
std::string for_file(const std::string &name, std::string &&text);

} // namespace profiles
