// Where text goes: drains for sbuf_set_drain(), and the trace records' sink.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

// To stack9_set_print()'s function, or stdout.  A failure there is not a
// print's to report, so all of it counts as taken.
int drain_print(void *, const char *text, int len) noexcept;

// To stack9_set_ddb_print()'s function, or by write(2) to the descriptor.
// Async-signal-safe; errno is kept.  A negative errno ends the print.
int drain_ddb(void *, const char *text, int len) noexcept;

// False: nobody listens, so nothing need be formatted.
bool ktr_wanted() noexcept;
void ktr_record(unsigned int mask, const char *file, int line,
    const char *text) noexcept;

} // namespace stack9
