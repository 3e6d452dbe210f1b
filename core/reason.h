// Keeps the sentence about the last failure of each thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <new>
#include <string_view>

#include <stack9.h>

#include "os/uncancelled.h"

namespace stack9 {

// Keeps a copy of the sentence, and returns error.
int failed(int error, std::string_view sentence) noexcept;
// Keeps the usual sentence of an errno.  0: keeps what was there.
int failed(int error) noexcept;

// Forgets nothing, but marks the begin of a call: is_reported() is true if a
// sentence was kept since.
void begin_call() noexcept;
bool is_reported() noexcept;

// Runs the body of a public call: turns its exceptions into an errno, and keeps
// the usual sentence of an errno that it has not explained.  EINVAL and
// ECANCELED are the caller's own doing.
template <class Body>
int
public_call(Body body) noexcept
{
	const uncancelled guard;
	begin_call();
	int error;
	try {
		error = body();
	} catch (const std::bad_alloc &) {
		error = ENOMEM;
	}
	return error == 0 || error == EINVAL || error == ECANCELED ||
	    is_reported() ? error : failed(error);
}

} // namespace stack9
