// Implements route "user-ipi": copies both sides of a thread on a CPU, in one
// interrupt there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>

#include "bpf/capture_lock.h"
#include "bpf/program.h"
#include "bpf/refusal.h"
#include "bpf/validate_running.h"
#include "bpf/validate_user.h"
#include "images.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

constinit object object_of_user_ipi(s9_image_user_ipi,
    "needs bpf_task_pt_regs() (Linux 5.15)", true, sizeof(s9_running));

struct expected_user {
	std::uint64_t	host_tid;
	std::uint64_t	start_ns;
	std::uint64_t	kernel;
};

// 0; EAGAIN: another thread is current there; or an errno.
int
sample(const lead &l, bool kernel, s9_record &seen, sides &s,
    const stack9_thread &td) noexcept
{
	expected_user who{static_cast<std::uint64_t>(l.host_tid), l.start_ns,
	    kernel};
	std::uint32_t matched = 0;
	const guard locked(capture_mutex());
	const int error = run(object_of_user_ipi, &who, sizeof who, l.cpu,
	    &matched);
	if ((error == 0 && matched == 0) || error == ENXIO) {
		s.user.why = STACK9_WHY_MOVED;
		return EAGAIN;
	}
	if (error != 0)
		return error;
	const auto &r = *static_cast<const s9_running *>(
	    object_of_user_ipi.memory());
	copy_sample(r.k, seen);
	return validate_user_running({seen, r.user, r.stack}, td, s.user,
	    s.copy);
}

int
probe_user() noexcept
{
	static std::atomic<bool> works{false};
	expected_user nobody{0, 0, 0};
	return probe_on_cpu(object_of_user_ipi, &nobody, sizeof nobody, works);
}

void
validate_kernel(const s9_record &seen, const stack9_thread &td,
    const stack_record &user, stack_record &rec) noexcept
{
	rec.route = user.route;
	rec.why = STACK9_WHY_NONE;
	rec.reason = nullptr;
	rec.flags = 0;
	rec.error = validate_running(seen, sample_origin::in_interrupt, td,
	    rec);
}

} // namespace

verdict
user_ipi_route::can() noexcept
{
	const verdict v = object_of_user_ipi.load();
	return v.error != 0 ? v : explain(probe_user(),
	    "needs BPF_F_TEST_RUN_ON_CPU (Linux 5.10)");
}

// The kernel side may have to be sampled again (bpf/validate_running.h).  The
// user side is then sampled again with it.
int
user_ipi_route::copy(const stack9_thread &td, sides &s, const lead &l) noexcept
{
	if (l.cpu < 0) {
		s.user.reason = "needs to know which CPU the thread is on, and "
		    "no route for sleeping threads found that";
		return EOPNOTSUPP;
	}
	for (int tries = 1;; tries++) {
		s9_record seen;
		s.copy.clear();
		const int error = sample(l, s.kernel != nullptr, seen, s, td);
		if (s.kernel == nullptr)
			return error;
		if (error != 0) {
			copy_outcome(s.user, error, *s.kernel);
			return error;
		}
		validate_kernel(seen, td, s.user, *s.kernel);
		if (s.kernel->why != STACK9_WHY_UNWIND ||
		    tries == samples_to_unwind)
			return 0;
	}
}

} // namespace stack9::bpf
