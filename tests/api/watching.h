// Declares watches of a child that asks for its parent, and what they saw.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <stack9_watch.h>
#include <sys/types.h>

namespace api {

inline constexpr const char *event = "syscall:getppid";

struct watch_closer {
	void operator()(stack9_watch *w) const { stack9_watch_close(w); }
};
using watch = std::unique_ptr<stack9_watch, watch_closer>;

// Asks for the user stacks of a process.
stack9_watch_options options(int mode, pid_t pid);
// A watch that has to open.
watch open_watch(const stack9_watch_options &, const char *name = event);
// The error of one that must not.
int refuses(const stack9_watch_options &, const char *name = event);
// The work of a child: it asks for its parent once a byte.
void asks(int fd);

struct seen {
	stack9_watch		*of = nullptr;
	int			 calls = 0, inner = 0;
	std::uint64_t		 events = 0, cookie = 0;
	std::vector<std::string> names;
};

// Keeps a sample in a seen, and reads from within.
int keep(void *arg, const stack9_sample *);

} // namespace api
