// Makes the maps of an object as large as a watch needs them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

#include "object_ids.h"
#include "settings.h"

namespace stack9::events {

// The object must have every map of map_names.  To be called before the object
// is loaded.
void set_map_sizes(bpf_object *, const settings &);

inline bpf_map *
find_map(bpf_object *o, map_id id) noexcept
{
	return bpf_object__find_map_by_name(o, map_names[index_of(id)]);
}

} // namespace stack9::events
