// Keeps functions whole whose names and frames are looked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Nothing cloned, merged or left out.
#if defined(__clang__)
#define	AS_IT_STANDS	[[gnu::noinline]]
#else
#define	AS_IT_STANDS	[[gnu::noipa]]
#endif
