// Lists the programs that take stacks for programs of others: each is in an
// array of its own, for a tail call stays in one type of programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "object_ids.h"

namespace stack9::events {

struct lent_program {
	program_id	program;
	map_id		array;
};

inline constexpr lent_program lent_programs[] = {
	{program_id::lent_kprobe, map_id::stack9_kprobe_1},
	{program_id::lent_raw_tp, map_id::stack9_raw_tp_1},
	{program_id::lent_tp, map_id::stack9_tp_1},
	{program_id::lent_perf, map_id::stack9_perf_1},
};

// The maps that programs of others share with ours.
inline constexpr map_id maps_of_the_border[] = {
#define	S9_ID(name)	map_id::name,
	S9_MAPS_OF_THE_BORDER(S9_ID)
#undef S9_ID
};

} // namespace stack9::events
