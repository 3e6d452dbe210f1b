// Makes the maps of learned rules as large as the room for rules is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

#include "rule_room.h"

namespace stack9::events {

// To be called before the object is loaded.  may_grow: whether a hash table may
// take its memory when it needs it.  0, or an errno.
int size_rule_maps(bpf_object *, const rule_room &, bool may_grow) noexcept;

} // namespace stack9::events
