// Collects the files of all frames that were printed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "advice.h"

#include <set>
#include <string>

#include "tools/lib/file_notes.h"
#include "tools/lib/text.h"

namespace stackprint {

void
advise_on_files(output &out, const names &all)
{
	std::set<std::string> nameless, deleted;
	all.each_module([&](const module &m, bool is_nameless) {
		if (!is_in_directory(m.path))
			return;
		if (m.deleted)
			deleted.insert(m.path);
		else if (is_nameless && !file_lacks(m.path, "permission"))
			nameless.insert(m.path);
	});
	if (!deleted.empty())
		out.message("deleted or replaced after it was mapped: {}",
		    listed(deleted));
	if (!nameless.empty())
		out.message("names are missing in {}: its package of debug "
		    "symbols (on Debian, NAME-dbgsym) would bring them",
		    listed(nameless));
}

} // namespace stackprint
