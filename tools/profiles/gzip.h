// Wraps bytes as a gzip file (RFC 1952) without making them smaller.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace profiles {

// People expect pprof's files as .pb.gz.  The blocks are stored, for a
// compressor would be one more library for every program.
std::string gzip(std::string_view);

} // namespace profiles
