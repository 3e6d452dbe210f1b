// Makes cores for tests, and reads them by the library.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <stack9_core.h>

#include "lib/scratch.h"

namespace cores {

using lib::scratch;

// "", or why the kernel writes no core into a directory.
std::string lacks_kernel_cores();

// Has the kernel write the core of a copy of the test's program.  The copy
// stays in the directory as "program".  Returns the path of the core.
std::string kernel_core(const scratch &, const char *program = PROGRAM);

using bytes = std::vector<unsigned char>;
bytes read_all(const std::string &path);
void write_all(const std::string &path, const bytes &);
// A number of the file's bytes, the lower byte first.
template <class T>
T
number(const bytes &b, std::size_t at)
{
	T n = 0;
	for (std::size_t i = 0; i < sizeof n && at + i < b.size(); i++)
		n |= static_cast<T>(static_cast<T>(b[at + i]) << 8 * i);
	return n;
}
// Where a note of this type has its type.
std::size_t note_at(const bytes &core, std::uint32_t type);

struct thread {
	pid_t				tid;
	int				why;
	std::vector<std::string>	functions;	// innermost first
};

struct closer {
	void operator()(stack9_core *c) const { stack9_core_close(c); }
};
using unique_core = std::unique_ptr<stack9_core, closer>;

// The errno of stack9_core_open().
int open(const std::string &path, unique_core &,
    const stack9_core_options * = nullptr);
std::vector<thread> threads_of(stack9_core *);
std::vector<std::string> notes_of(const stack9_core *);

// Checks that all of them are the functions of the program's threads.
void check_threads(const std::vector<thread> &);

} // namespace cores
