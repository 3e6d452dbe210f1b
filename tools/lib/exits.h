// Names the exit statuses.  They are eu-stack's, and those of sysexits.h where
// eu-stack has none.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stackprint {

enum {
	exit_complete = 0,
	exit_partial = 1,
	exit_none = 2,
	exit_usage = 64,	// EX_USAGE
	exit_output = 74,	// EX_IOERR
};

} // namespace stackprint
