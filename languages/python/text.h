// Reads the texts and the numbers of CPython.
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

// Reads an int that is at least 0 and below 2^60.
bool read_number(unwind::memory &, const layout &, std::uint64_t at,
    std::uint64_t &);

} // namespace stack9::languages::python
