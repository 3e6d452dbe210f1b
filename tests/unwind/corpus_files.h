// Lists the ELF files of this machine, to test on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// The programs and shared objects for this CPU under the usual folders, each
// file once, in the order of their names.
const std::vector<std::string> &elf_files();

// About n of them, evenly spread; all, if n is 0.
std::vector<std::string> spread(const std::vector<std::string> &,
    std::size_t n);
