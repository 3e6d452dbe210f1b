// Lets stackprint name what all programs share as it names its own: most of its
// words are theirs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace tools {
}

namespace stackprint {
using namespace tools;
}
