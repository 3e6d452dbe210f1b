// Opens near files at once, and asks another process for the others.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "far_files.h"

#include <cerrno>
#include <mutex>
#include <new>
#include <string_view>

#include <linux/openat2.h>
#include <pthread.h>
#include <sys/sysmacros.h>

#include "budgets/left_out.h"
#include "os/clocks.h"
#include "os/strangers_file.h"

#include "far_opener.h"
#include "silent_servers.h"

namespace stack9::process {
namespace {

// The lock is held while a file is opened: its servers are asked one by one.
constinit std::mutex opener_lock;
constinit far_opener opener;
constinit silent_servers silents;

void
leave_opener() noexcept
{
	new (&opener_lock) std::mutex;
	opener.leave();
}

const int opener_at_fork = pthread_atfork(nullptr, nullptr, leave_opener);

// A directory's server is not known before it has answered.
std::uint64_t
number_of(int dir, std::string_view path) noexcept
{
	struct stat st;
	std::uint64_t number = 0xcbf29ce484222325;	// FNV-1a
	const auto add = [&number](std::uint64_t each) {
		number = (number ^ each) * 0x100000001b3;
	};
	if (dir >= 0 && stat_now(dir, st) == 0)
		add(st.st_dev);
	for (const char c : path.substr(0, path.rfind('/')))
		add(static_cast<unsigned char>(c));
	return number | 1ull << 63;
}

// Calls ask(ns) unless the server is known to be silent.  The call may take so
// many ns.
template <class F>
int
ask_for(std::uint64_t server, F ask) noexcept
{
	const std::lock_guard hold(opener_lock);
	const std::int64_t asked = monotonic_ns();
	const bool known = silents.has(server, asked);
	const int error = known ? ETIMEDOUT : ask(silents.patience(asked));
	if (error == ETIMEDOUT) {
		if (!known)
			silents.add(server, asked, monotonic_ns());
		budgets::leave_out(budgets::left_out::servers);
	}
	return error;
}

} // namespace

int
open_far(int dir, const way &w, std::uint64_t server, unique_fd &to,
    struct stat &st) noexcept
{
	const int error = ask_for(server, [&](std::uint64_t ns) {
		return opener.open(dir, w, ns, to);
	});
	return error != 0 ? error : stat_now(to.get(), st);
}

int
touch_far(int memory, std::uint64_t from, std::uint64_t size,
    std::uint64_t server) noexcept
{
	return ask_for(server, [&](std::uint64_t ns) {
		return opener.touch(memory, from, size, ns);
	});
}

int
open_wherever(int dir, const way &w, unique_fd &to, struct stat &st) noexcept
{
	// From Linux 5.12 on; until then no way is known.
	const unique_fd seen = go(dir, w, RESOLVE_CACHED);
	if (!seen && errno == ENOENT)
		return ENOENT;
	if (seen && stat_now(seen.get(), st) == 0 &&
	    is_near(major(st.st_dev), minor(st.st_dev)))
		return open_seen(seen, w, to, st);
	return open_far(dir, w, number_of(dir, w.path), to, st);
}

} // namespace stack9::process
