// Declares a function whose symbol is longer than most buffers, as real names
// of templates are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#define	TEN(x)	x x x x x x x x x x
#define	PART	"100" TEN(TEN("y"))
#define	LONG_NAME "_ZN" TEN(PART) PART PART PART PART "Ev"

namespace api {

// Waits in read(2) for a byte.
void long_named_waits(int fd) __asm__(LONG_NAME);

} // namespace api
