// Finds formats by their names, and writes profiles in them, wrapped by gzip
// where people expect it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "profile.h"

namespace profiles {

// Gives "text, folded, ... or html".
std::string format_names();

bool is_format(const std::string &name);	// "text" is one

// True for flame graphs, and for what others make these of.
bool is_graph(const std::string &name);

// True for a format that does not belong on a terminal.
bool is_for_files(const std::string &name);

// Gives the format by the ending of the file's name, "text" if none is known.
std::string format_of(const std::string &file);

// Gives "svg" or "html" by the name of the file, or "" for neither.
std::string graph_format(const std::string &file);

// Writes in any format but "text".
std::string formatted(const std::string &name, const profile &);

// Wraps bytes as a gzip file (RFC 1952) without making them smaller: people
// expect pprof's files as .pb.gz.  The blocks are stored, for a compressor
// would be one more library for every program.
std::string gzip(std::string_view);

} // namespace profiles
