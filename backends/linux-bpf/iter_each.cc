// Implements route "iter": captures every thread of a process or of the machine
// in one pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include <unistd.h>

#include "iter.h"
#include "bpf/validate.h"
#include "routes.h"
#include "shown_threads.h"

namespace stack9::bpf {
namespace {

// This is smaller than the kernel's own buffer, so that records are cut in two
// on every machine, not only on those with large pages.
constexpr std::size_t pass_bytes = 16 * 1024;

struct pass_buffer {
	char		bytes[pass_bytes];
	s9_record	seen;
	std::uintptr_t	pcs[S9_FRAMES];
	const pid_t	caller = gettid();
	bool		caller_shown = false;
	shown_threads	shown;		// of a process
};

// Copies the record at the front of [at, end) into seen.  Returns its end;
// NULL: the record is not complete.
const char *
next_record(const char *at, const char *end, s9_record &seen) noexcept
{
	if (end - at < static_cast<ptrdiff_t>(S9_RECORD_HEAD))
		return nullptr;
	std::memcpy(&seen, at, S9_RECORD_HEAD);
	at += S9_RECORD_HEAD;
	const std::size_t bytes = seen.bytes > 0 ?
	    static_cast<std::size_t>(seen.bytes) : 0;
	if (bytes > sizeof seen.pcs ||
	    bytes > static_cast<std::size_t>(end - at))
		return nullptr;
	std::memcpy(seen.pcs, at, bytes);
	return at + bytes;
}

stack_record
validate(const s9_record &seen, std::uintptr_t *pcs) noexcept
{
	stack_record rec{};
	rec.route = "iter";
	rec.pcs = pcs;
	rec.max = S9_FRAMES;
	rec.cpu = -1;
	const stack9_thread named{seen.tid, seen.pid, 0};
	lead unused;
	rec.error = validate_sleeper(seen, named, rec, unused);
	if (rec.error == 0 && rec.why == STACK9_WHY_UNWIND) {
		// The end needs a second sample.  A pass cannot take one.
		rec.error = EAGAIN;
		rec.why = STACK9_WHY_TORN;
	}
	if (rec.error != 0)
		rec.depth = 0;
	return rec;
}

// Delivers the complete records among the first have bytes.  Moves the bytes of
// a record that was cut to the front; have is then their number.
int
deliver(pass_buffer &buffer, std::size_t &have, pid_t pid, sink to, void *arg)
    noexcept
{
	const char *at = buffer.bytes, *const end = at + have;
	while (const char *next = next_record(at, end, buffer.seen)) {
		at = next;
		buffer.caller_shown |= buffer.seen.tid == buffer.caller;
		if (pid != 0 && !buffer.shown.add(buffer.seen.tid,
		    buffer.seen.is_newest != 0))
			continue;
		stack_record rec = validate(buffer.seen, buffer.pcs);
		if (const int stop = to(arg, rec); stop != 0)
			return stop;
	}
	have = static_cast<std::size_t>(end - at);
	std::memmove(buffer.bytes, at, have);
	return 0;
}

// visited: the process that the kernel restricts the pass to; 0: none.
int
pass_over(pass_buffer &buffer, pid_t visited, pid_t pid, sink to, void *arg)
    noexcept
{
	task_pass pass;
	if (const int error = pass.open(0, visited); error != 0)
		return error;
	for (std::size_t have = 0;;) {
		std::size_t n = 0;
		if (const int error = pass.read(0, pid, buffer.bytes + have,
		    sizeof buffer.bytes - have, n); error != 0)
			return error;
		if (n == 0)
			return 0;
		have += n;
		if (const int stop = deliver(buffer, have, pid, to, arg);
		    stop != 0)
			return stop;
	}
}

} // namespace

verdict
iter_route::can() noexcept
{
	bool unused = false;
	return trust_passes(unused);
}

int
iter_route::each(pid_t pid, sink to, void *arg) noexcept
{
	bool honours_filter = false;
	if (const verdict v = trust_passes(honours_filter); v.error != 0)
		return v.error;
	const bool restricted = honours_filter && pid != 0;
	const std::unique_ptr<pass_buffer> buffer(
	    new (std::nothrow) pass_buffer);
	if (buffer == nullptr)
		return ENOMEM;
	int error = pass_over(*buffer, restricted ? pid : 0, pid, to, arg);
	if (error == 0 && restricted && buffer->shown.may_lack_some())
		error = buffer->shown.begin_next() ?
		    pass_over(*buffer, 0, pid, to, arg) : ENOMEM;
	if (error != 0)
		return error;
	return pid != 0 ? explain_process_pass(pid, buffer->shown.are_any()) :
	    explain_machine_pass(buffer->caller_shown);
}

} // namespace stack9::bpf
