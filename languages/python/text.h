// Reads the texts of CPython.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::python {

// Gives a str as UTF-8, at most 1024 characters of it.  False: none is there.
bool read_str(unwind::memory &, const layout &, std::uint64_t at,
    std::string &to);

// Gives the bytes of a bytes object.  False: none is there.
bool read_bytes(unwind::memory &, const layout &, std::uint64_t at,
    std::string &to);

} // namespace stack9::languages::python
