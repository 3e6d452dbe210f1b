// The object behind route "snprintf", which is also pinned.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "object.h"

namespace stack9::bpf {

object &name_object() noexcept;

} // namespace stack9::bpf
