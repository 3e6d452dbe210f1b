// Sends printed text to the sinks: drains for sbuf_set_drain(), and the sink of
// trace records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

// Sends text to stack9_set_print()'s function, or to stdout.  A print cannot
// report a failure there, so the call always returns len.
int drain_print(void *, const char *text, int len) noexcept;

// Sends text to stack9_set_ddb_print()'s function, or to the descriptor by
// write(2).  Async-signal-safe; errno is kept.  A negative errno ends the
// print.
int drain_ddb(void *, const char *text, int len) noexcept;

// False: there is no sink of trace records, or it shall not have those of this
// class, so nothing need be formatted.
bool ktr_wanted(unsigned int mask) noexcept;
void ktr_record(unsigned int mask, const char *file, int line,
    const char *text) noexcept;

} // namespace stack9
