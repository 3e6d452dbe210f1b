// Walks the frames of Ruby in forged memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "forged_walk.h"

namespace stack9::languages {
extern const runtime &runtime_ruby;
}

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	walk_forged(stack9::languages::runtime_ruby, data, size);
	return 0;
}
