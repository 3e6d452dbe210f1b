// Lets reads of passes fail, or show nothing, as on a kernel that loads the
// programs and runs them in vain.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

enum class fault { none, empty, failure, no_buffer };

// The number of bad reads.
inline constexpr int all_reads = 1 << 30;

// From now on, after `good` good reads, so many reads of passes are bad.
// error: of fault::failure.
void inject(fault, int bad = all_reads, int good = 0, int error = 0);
// The same for passes of the program "user" only.
void inject_of_users(fault, int bad = all_reads);
