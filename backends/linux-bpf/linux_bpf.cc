// Lists the routes of this backend: kernel stacks and copies of user sides.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"
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
constinit bpf::wait_iter_route wait_iter;
constinit bpf::name_route name;

constinit kernel_route *const kernel[] = {&one, &iter_tid, &iter_filter};
constinit running_route *const running[] = {&ipi, &perf};
constinit pass_route *const each[] = {&iter};
constinit name_route *const names[] = {&name};
constinit user_route *const user[] = {&user_one, &user_iter};
constinit user_running_route *const user_running[] = {&user_ipi};
constinit user_pass_route *const users[] = {&user_each};
constinit wait_route *const waits[] = {&wait_iter};

} // namespace

extern const backend backend_linux_bpf;
constinit const backend backend_linux_bpf{
	.name = "linux-bpf",
	.kernel = kernel,
	.running = running,
	.each = each,
	.names = names,
	.user = user,
	.user_running = user_running,
	.user_each = users,
	.waits = waits,
	.pin = bpf::pin,
};

} // namespace stack9
