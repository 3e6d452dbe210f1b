// Formats by their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "tools/profiles/profile.h"

namespace stackcount {

// "text, folded, ... or html".
std::string format_names();

bool is_format(const std::string &name);	// "text" is one

// Not for a terminal.
bool is_for_files(const std::string &name);

// "svg" or "html", by the file's name; "": neither.
std::string graph_format(const std::string &file);

// Any but "text".
std::string formatted(const std::string &name, const profiles::profile &);

} // namespace stackcount
