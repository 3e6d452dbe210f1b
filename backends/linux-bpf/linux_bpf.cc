// Lists the routes of this backend: kernel stacks and copies of user sides.
//
// SPDX-License-Identifier: BSD-2-Clause
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
constinit bpf::name_route name;

constinit route *const routes[] = {
	&one, &iter_tid, &iter_filter, &ipi, &perf, &iter, &user_one,
	&user_iter, &user_ipi, &user_each, &name,
};

} // namespace

extern const backend backend_linux_bpf;
constinit const backend backend_linux_bpf{"linux-bpf", routes, bpf::pin};

} // namespace stack9
