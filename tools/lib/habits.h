// Recognises what users of other programs type first, and old words of ours.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tools {

// Returns the sentence that names the right words for a command line that means
// something else here, or "" if there is none.  program is "stackprint" and so
// on; the words end before "--".
std::string habit(const std::string &program, int argc, char **argv);

} // namespace tools
