// Hands records to databases: --load, --rows, --schema.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "options.h"

namespace stackreport {

// Return the exit status.
int load(const options &);
int print_rows(const options &);
int print_schema(const options &);

} // namespace stackreport
