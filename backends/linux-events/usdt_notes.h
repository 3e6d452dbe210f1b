// Finds the probes that programs declare in the notes of their files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace stack9::events {

class elf_image;

bool has_probe(const elf_image &, const std::string &name);

} // namespace stack9::events
