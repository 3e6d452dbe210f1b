// Gives access to the programs behind route "snprintf".  They are the program
// of an object of its own, which can be pinned, or the one that came with
// "one".
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "bpf/object.h"

namespace stack9::bpf {

object &name_object() noexcept;
int name_program() noexcept;	// -1: none is loaded

} // namespace stack9::bpf
