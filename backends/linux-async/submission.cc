// Submits a capture by running the program of async.bpf.c, and reads its errno.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "submission.h"

#include <cerrno>
#include <mutex>

#include "bpf/program.h"
#include "bpf/validate.h"

namespace stack9::bpf {

int
submit_error(int error, const stack9_thread &td) noexcept
{
	stack_record unused{};
	switch (error) {
	case ESRCH:
		return explain_missing_thread(td, unused);
	case E2BIG:
		return ENOMEM;
	default:
		return error;
	}
}

int
run_submit(async_state &st, s9_submit &c, bool kernel) noexcept
{
	const int program = st.table.submit_program();
	std::unique_lock<std::mutex> alone(capture_mutex(), std::defer_lock);
	if (kernel)
		alone.lock();
	int error = run_program(program, &c, sizeof c);
	if (error == 0)
		error = c.error;
	// The program's descriptor is closed, or another's by now.  Or the map
	// of the works is; the program then receives that errno.
	if (error == EBADF || error == EINVAL || error == EBUSY) {
		abandon_state(st);
		return EAGAIN;
	}
	return error;
}

bool
is_another(const stack9_thread &td) noexcept
{
	stack9_thread shown{};
	return td.start != 0 && stack9_thread_find(td.tid, &shown) == 0 &&
	    shown.start != td.start;
}

int
validate_submitted(async_state &st, slot_id id, const stack9_thread &td,
    stack9_side side, stack_record *kernel) noexcept
{
	s9_async_slot &s = *st.table.slot(id.slot);
	stack_record who{};
	if (const int error = validate_identity(s.h.k, td, who); error != 0)
		return error;
	if (side == STACK9_USER)
		return st.table.phase(id) == S9_DONE ? s.h.error : 0;
	kernel->route = "task-work";
	lead unused;
	kernel->error = validate_sleeper(s.h.k, td, *kernel, unused);
	// It is not known to be whole, and has to be sampled again.
	if (kernel->error == 0 && kernel->why == STACK9_WHY_UNWIND) {
		kernel->error = EAGAIN;
		kernel->why = STACK9_WHY_REFUSED;
	}
	return 0;
}

} // namespace stack9::bpf
