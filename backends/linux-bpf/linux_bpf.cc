// The backend's table.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async_counts.h"
#include "async_queue.h"
#include "pin.h"
#include "routes.h"

namespace stack9 {
namespace {

constinit bpf::one_route one;
constinit bpf::iter_tid_route iter_tid;
constinit bpf::iter_filter_route iter_filter;
constinit bpf::ipi_route ipi;
constinit bpf::perf_route perf;
constinit bpf::iter_route iter;
constinit bpf::user_one_route user_one;
constinit bpf::user_iter_route user_iter;
constinit bpf::user_ipi_route user_ipi;
constinit bpf::user_each_route user_each;
constinit bpf::task_work_route task_work;
constinit bpf::name_route name;

constinit route *const routes[] = {
	&one, &iter_tid, &iter_filter, &ipi, &perf, &iter, &user_one,
	&user_iter, &user_ipi, &user_each, &task_work, &name,
};

} // namespace

extern const backend backend_linux_bpf;
constinit const backend backend_linux_bpf{"linux-bpf", routes, bpf::pin,
    bpf::async_counts};

} // namespace stack9
