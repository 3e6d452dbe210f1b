// Implements routes "iter-tid" and "iter-filter": they read one thread out of a
// pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <new>

#include "recheck_end.h"
#include "iter.h"
#include "bpf/validate.h"
#include "bpf/refusal.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

// filter: the kernel restricts the pass; false: the BPF program does.
int
sample(pid_t tid, bool filter, s9_record &seen) noexcept
{
	task_pass pass;
	std::size_t n = 0;
	int error = pass.open(filter ? tid : 0, 0);
	if (error == 0)
		error = pass.read(tid, 0, &seen, sizeof seen, n);
	if (error != 0)
		return error;
	return n >= S9_RECORD_HEAD ? 0 : n == 0 ? ESRCH : EIO;
}

int
save_by_pass(const stack9_thread &td, bool filter, stack_record &rec,
    lead &l) noexcept
{
	if (rec.pcs == nullptr)
		return EOPNOTSUPP;
	s9_record seen;
	int error = sample(td.tid, filter, seen);
	if (error == ESRCH)
		return explain_missing_thread(td, rec);
	if (error == 0)
		error = validate_sleeper(seen, td, rec, l);
	if (error == 0)
		error = recheck_end(seen, rec, [&](s9_record &second) {
			return sample(td.tid, filter, second);
		});
	return error;
}

} // namespace

verdict
iter_tid_route::can() noexcept
{
	bool honours_filter = false;
	const verdict v = trust_passes(honours_filter);
	if (v.error != 0 || honours_filter)
		return v;
	return {EOPNOTSUPP, "this kernel's task iterator ignores the tid it "
	    "is restricted to (Linux 6.1 does not)"};
}

int
iter_tid_route::save(const stack9_thread &td, stack_record &rec, lead &l)
    noexcept
{
	return save_by_pass(td, true, rec, l);
}

verdict
iter_filter_route::can() noexcept
{
	bool unused = false;
	return trust_passes(unused);
}

int
iter_filter_route::save(const stack9_thread &td, stack_record &rec, lead &l)
    noexcept
{
	return save_by_pass(td, false, rec, l);
}

} // namespace stack9::bpf
