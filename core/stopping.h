// Says whether a capture may disturb its thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

enum class stopping : bool {
	never,		// by routes that neither stop it nor send it a signal
	allowed
};

} // namespace stack9
