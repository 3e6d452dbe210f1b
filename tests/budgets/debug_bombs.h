// Gives the sections of small files whose debug and unwind information costs
// much, if all of it is believed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "elf_builder.h"

// Gives the sections that a program gets whose code is at this address.
std::vector<std::vector<made_section>> debug_bombs(std::uint64_t at);
