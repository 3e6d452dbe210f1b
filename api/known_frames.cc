// Gives the frames that a thread has named before.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "known_frames.h"

#include <cstring>

#include <sys/mman.h>

namespace stack9 {

[[gnu::tls_model("initial-exec")]] constinit thread_local
    known_frames *known_here = nullptr;

// Maps the table.  Rejected: calloc(3), because it writes all pages of memory
// that the heap has used before.
bool
make_known() noexcept
{
	thread_local struct owner {
		void	*table = nullptr;	// MAP_FAILED: asked once

		~owner()
		{
			known_here = nullptr;
			if (table != nullptr && table != MAP_FAILED)
				munmap(table, sizeof(known_frames));
		}
	} ends_with_the_thread;
	void *&table = ends_with_the_thread.table;
	table = table == nullptr ? MAP_FAILED : mmap(nullptr,
	    sizeof(known_frames), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (table == MAP_FAILED)
		return false;
	known_here = static_cast<known_frames *>(table);
	return true;
}

stack9_frame
frame_of(const known_frame &k, std::uint64_t pc, std::uint32_t index,
    unsigned char (&build_id)[sizeof known_frame::build_id]) noexcept
{
	std::memcpy(build_id, k.build_id, sizeof build_id);
	return {.kind = STACK9_FRAME_FUNCTION, .flags = k.flags,
	    .index = index, .line = 0, .column = 0,
	    .build_id_size = k.build_id_size, .pc = pc, .offset = k.offset,
	    .size = k.size, .name = k.name, .linkage = k.name,
	    .module = k.module, .file = "", .build_id = build_id,
	    .start = k.start, .end = k.end, .file_offset = k.file_offset,
	    .vaddr = k.vaddr, .language = ""};
}

bool
give_known(const known_frame &k, std::uint64_t pc, unsigned int flags,
    stack9_frame_fn *fn, void *arg, bool &ended)
{
	if (!k.name_ends || gives_lines(flags) ||
	    ((flags & STACK9_FRAMES_LINKAGE) == 0 && !is_readable(k.name)))
		return false;
	unsigned char build_id[sizeof k.build_id];
	const stack9_frame frame = frame_of(k, pc, 0, build_id);
	ended = fn(arg, &frame) != 0;
	return true;
}

} // namespace stack9
