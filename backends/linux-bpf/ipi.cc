// Implements route "ipi": captures by an interprocessor interrupt, as FreeBSD
// does.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>

#include "bpf/capture_lock.h"
#include "bpf/program.h"
#include "bpf/refusal.h"
#include "bpf/validate_running.h"
#include "images.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

constinit object object_of_ipi(s9_image_ipi,
    "cannot load a raw tracepoint program", true, sizeof(s9_record));

struct expected_kernel {
	std::uint64_t	host_tid;
	std::uint64_t	start_ns;
};

// 0; EAGAIN: another thread is current there; or an errno.
int
sample(const lead &l, s9_record &seen) noexcept
{
	expected_kernel who{static_cast<std::uint64_t>(l.host_tid), l.start_ns};
	std::uint32_t matched = 0;
	const guard locked(capture_mutex());
	const int error = run(object_of_ipi, &who, sizeof who, l.cpu, &matched);
	if (error != 0)		// ENXIO: that CPU has just gone offline
		return error == ENXIO ? EAGAIN : error;
	if (matched == 0)
		return EAGAIN;
	copy_sample(*static_cast<const s9_record *>(object_of_ipi.memory()),
	    seen);
	return 0;
}

int
probe_kernel() noexcept
{
	static std::atomic<bool> works{false};
	expected_kernel nobody{0, 0};
	return probe_on_cpu(object_of_ipi, &nobody, sizeof nobody, works);
}

} // namespace

verdict
ipi_route::can() noexcept
{
	const verdict v = object_of_ipi.load();
	if (v.error != 0)
		return v;
	return explain(probe_kernel(),
	    "needs BPF_F_TEST_RUN_ON_CPU (Linux 5.10)");
}

int
ipi_route::save(const stack9_thread &td, stack_record &rec, const lead &l)
    noexcept
{
	return sample_and_validate([&](s9_record &seen) {
		const int error = sample(l, seen);
		if (error == EAGAIN)
			rec.why = STACK9_WHY_MOVED;
		return error;
	}, sample_origin::in_interrupt, td, rec);
}

} // namespace stack9::bpf
