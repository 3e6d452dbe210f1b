// Reports what could not be read of files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstddef>

#include <stack9.h>

#include "core/seam/file_notes.h"

extern "C" int
stack9_file_notes(stack9_file_note_fn *fn, void *arg)
{
	using namespace stack9;
	if (fn == nullptr)
		return EINVAL;
	const file_note *note;
	for (std::size_t n = 0; (note = the_file_notes.at(n)) != nullptr; n++)
		for (const lacking_kind &k : lacking_kinds)
			if (k.what == note->what && fn(arg, note->path.c_str(),
			    k.name, k.meaning) != 0)
				return ECANCELED;
	return 0;
}
