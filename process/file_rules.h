// Declares the unwind rules of all files, kept for all processes at once.  A
// rule's key is the number of its file and an address in that file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/table.h"

namespace stack9::process {

extern constinit unwind::rule_table file_rules;

// Forgets every rule: numbers of files that were given back are in use again.
void forget_rules() noexcept;

} // namespace stack9::process
