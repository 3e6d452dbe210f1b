// Declares the process that speaks with servers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "os/unique_fd.h"

namespace servers {

// Becomes that process: gives up all rights, says by one message whether it can
// speak, and answers until the other side is gone.
[[noreturn]] void be_courier(stack9::unique_fd socket) noexcept;

} // namespace servers
