// Prints kernel stacks in the columns of FreeBSD's procstat -kk.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "printer.h"

namespace stackprint {

std::unique_ptr<printer> procstat_printer(const view &);

} // namespace stackprint
