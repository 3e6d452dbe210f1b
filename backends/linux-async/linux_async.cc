// Lists the routes of this backend: asynchronous captures by task work.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counts.h"
#include "queue.h"

namespace stack9 {
namespace {

constinit bpf::task_work_route task_work;
constinit route *const routes[] = {&task_work};

} // namespace

extern const backend backend_linux_async;
constinit const backend backend_linux_async{"linux-async", routes, nullptr,
    bpf::async_counts};

} // namespace stack9
