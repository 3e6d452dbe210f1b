// Route "retry": asynchronous captures by the synchronous ones, tried until
// the thread can be read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9 {

route &retry_route() noexcept;

} // namespace stack9
