// Small files whose debug and unwind information costs much, if all of it is
// believed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "elf_builder.h"

// What is to be added to a program whose code is at this address.
std::vector<std::vector<made_section>> debug_bombs(std::uint64_t at);
