// Tests captures before main() and after it.  The exit status is 0 if every
// capture found what glibc finds.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <stack9.h>
#include <unistd.h>

namespace {

constexpr int room = 64;
int captures;

// Also ends what cannot be ended by a status any more: an exit handler.
[[gnu::noinline]] void
capture()
{
	using backtrace_fn = int (*)(void **, int);
	std::uintptr_t ours[room], theirs[room];
	stack9_self rec{sizeof rec, 0, 0, 0, 0, 0};
	const int error = stack9_save_self(ours, room, 0, &rec);
	const auto backtrace = reinterpret_cast<backtrace_fn>(dlsym(
	    dlopen("libc.so.6", RTLD_NOW), "backtrace"));
	const int n = backtrace(reinterpret_cast<void **>(theirs), room);
	if (error != 0 || rec.depth != static_cast<std::uint32_t>(n) ||
	    !std::equal(ours + 1, ours + n, theirs + 1))
		_exit(10 + captures);
	captures++;
}

[[gnu::constructor(101)]] void
before_all()
{
	capture();
	std::atexit(capture);
}

struct global {
	global() { capture(); }
	~global() { capture(); }
} g;

[[gnu::destructor(101)]] void
after_all()
{
	capture();
	_exit(captures == 6 ? 0 : 1);
}

} // namespace

int
main()
{
	capture();
}
