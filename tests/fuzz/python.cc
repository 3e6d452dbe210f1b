// Walks the frames of CPython in forged memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "forged_walk.h"

namespace stack9::languages {
extern const runtime &runtime_python;
}

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	walk_forged(stack9::languages::runtime_python, data, size);
	return 0;
}
