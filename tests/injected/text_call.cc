// Writes a stack as text and names it by a file, for the trials of calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calls.h"

#include <algorithm>
#include <cstring>

#include <stack9.h>

namespace {

// Takes no memory: memory may be what is refused.
struct written {
	static void
	add(void *arg, const char *from, std::size_t n)
	{
		auto &to = *static_cast<written *>(arg);
		n = std::min(n, sizeof to.text - to.size);
		std::memcpy(to.text + to.size, from, n);
		to.size += n;
	}

	char		text[1 << 16];
	std::size_t	size;
};

} // namespace

// Writes a stack as text, and names it by a file.
int
text_call(pid_t pid)
{
	stack9_thread td{pid, pid, 0};
	stack9_sample *s = nullptr, *again = nullptr;
	stack9_space *files = nullptr;
	const char *const paths[] = {"/proc/self/exe"};
	static written to;
	to.size = 0;
	int error = stack9_save(&td, STACK9_USER, nullptr, &s);
	if (error == 0)
		error = stack9_write_text(s, 0, written::add, &to);
	if (error == 0)
		error = stack9_space_open_build_ids(paths, 1, &files);
	if (error == 0)
		error = stack9_read_text(files, to.text, to.size,
		    nullptr, &again);
	// Names that there was no memory for are frames without one.
	if (error == 0 && again->user->depth != s->user->depth)
		error = -1;
	stack9_sample_close(s);
	stack9_sample_close(again);
	stack9_space_close(files);
	return error;
}
