// Finds formats by their names, and writes counted stacks in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <fmt/format.h>

#include "tools/events/frames.h"
#include "tools/events/options.h"
#include "tools/profiles/profile.h"

namespace stackcount {

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
std::string formatted(const std::string &name, const profiles::profile &);

// Writes stacks for people, as stackcount has printed them since 2016: frames
// innermost first, and the count below them.
void write_text(fmt::memory_buffer &, const profiles::profile &,
    const events::frames &, const events::options &);

} // namespace stackcount
