// Gives the programs the words of text/, which the library prints by, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "text/people.h"

namespace stackprint {

using stack9::text::amount;
using stack9::text::is_scheduler;
using stack9::text::printable;
using stack9::text::state_word;

} // namespace stackprint
