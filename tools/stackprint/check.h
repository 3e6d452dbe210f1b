// stackprint --check: the whole picture.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stackprint {

// The exit status: complete if every job has a route that works, none if no
// job has.
int check();

} // namespace stackprint
