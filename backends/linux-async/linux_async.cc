// Lists the routes of this backend: asynchronous captures by task work.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "queue.h"
#include "state.h"

namespace stack9 {
namespace {

constinit bpf::task_work_route task_work;
constinit async_route *const async[] = {&task_work};

} // namespace

extern const backend backend_linux_async;
constinit const backend backend_linux_async{
	.name = "linux-async",
	.async = async,
	.counts = bpf::async_counts,
};

} // namespace stack9
