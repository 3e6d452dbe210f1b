// Joins the reader of records with names that are found when it reads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "reader.h"
#include "tools/lib/later_names.h"

namespace recording {

// The names have to outlive the reading.
inline void
name_later(reading &r, tools::later_names &names)
{
	r.name = [&names](const module &m, frame &f) {
		tools::later_name n;
		if (!names.find(m.build_id, m.path, f.place, f.exact, n))
			return;
		f.name = std::move(n.linkage);
		f.readable = std::move(n.readable);
		f.offset = n.offset;
	};
}

} // namespace recording
