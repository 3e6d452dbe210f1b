// Route "iter": every thread of a process or of the machine in one pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <memory>
#include <new>

#include "iter.h"
#include "bpf/validate.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

// Smaller than what the kernel gathers, so that a record cut in two is not a
// case for machines with large pages only.
constexpr std::size_t pass_bytes = 16 * 1024;

struct pass_buffer {
	char		bytes[pass_bytes];
	s9_record	seen;
	std::uintptr_t	pcs[S9_FRAMES];
};

// The record at the front of [at, end) into seen; behind it, or NULL.
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

stack9_record
validate(const s9_record &seen, std::uintptr_t *pcs) noexcept
{
	stack9_record rec{};
	rec.route = "iter";
	rec.pcs = pcs;
	rec.max = S9_FRAMES;
	rec.cpu = -1;
	const stack9_thread whoever{seen.tid, seen.pid, 0};
	lead unused;
	rec.error = validate_sleeper(seen, whoever, rec, unused);
	if (rec.error == 0 && rec.why == STACK9_WHY_UNWIND) {
		// To be confirmed by a second look, which a pass has not.
		rec.error = EAGAIN;
		rec.why = STACK9_WHY_TORN;
	}
	if (rec.error != 0)
		rec.depth = 0;
	return rec;
}

// The whole records among the first have bytes, which are then those of the
// one that was cut.
int
deliver(pass_buffer &buffer, std::size_t &have, sink to, void *arg) noexcept
{
	const char *at = buffer.bytes, *const end = at + have;
	while (const char *next = next_record(at, end, buffer.seen)) {
		at = next;
		stack9_record rec = validate(buffer.seen, buffer.pcs);
		if (const int stop = to(arg, rec); stop != 0)
			return stop;
	}
	have = static_cast<std::size_t>(end - at);
	std::memmove(buffer.bytes, at, have);
	return 0;
}

} // namespace

verdict
iter_route::can() noexcept
{
	return tasks_object().load();
}

int
iter_route::each(pid_t pid, sink to, void *arg) noexcept
{
	const std::unique_ptr<pass_buffer> buffer(
	    new (std::nothrow) pass_buffer);
	if (buffer == nullptr)
		return ENOMEM;
	task_pass pass;
	if (const int error = pass.open(0, honours_filter() == 0 ? pid : 0);
	    error != 0)
		return error;
	std::size_t have = 0, all = 0;
	for (;;) {
		std::size_t n = 0;
		if (const int error = pass.read(0, pid, buffer->bytes + have,
		    sizeof buffer->bytes - have, n); error != 0)
			return error;
		if (n == 0)
			return all != 0 || pid == 0 ? 0 : ESRCH;
		have += n;
		all += n;
		if (const int stop = deliver(*buffer, have, to, arg); stop != 0)
			return stop;
	}
}

} // namespace stack9::bpf
