// Declares how root becomes a user that nobody else is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

namespace stack9::apart {

// Processes of the same user could kill, stop and trace this one.  False: the
// process may not become such a user, as in a container that maps few ids, and
// is root still.
bool become_user_of_its_own() noexcept;

// The same with this id.  False: some process has it, or it is not mapped.
bool become_user_if_free(id_t) noexcept;

} // namespace stack9::apart
