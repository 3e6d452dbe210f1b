// Concludes from a kernel stack what a thread does in the kernel.  All of these
// functions exist since Linux 4.14.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_functions.h"

#include <algorithm>
#include <string_view>

namespace stack9::waits {
namespace {

int
classify_kernel(void *arg, const stack9_frame *f)
{
	const std::string_view name = f->linkage;
	auto &to = *static_cast<kernel_function *>(arg);
	if (name == "handle_userfault")
		to = kernel_function::userfault;
	else if (name == "do_swap_page")
		to = kernel_function::swapped_page;
	else if (name == "filemap_fault")
		to = kernel_function::file_page;
	else if (name == "do_restart_poll")
		to = kernel_function::poll_again;
	else if (name == "hrtimer_nanosleep_restart")
		to = kernel_function::sleep_again;
	else if (name == "futex_wait_restart")
		to = kernel_function::futex_again;
	return 0;
}

} // namespace

kernel_function
kernel_functions::at(std::uint64_t pc)
{
	const auto [it, is_new] = known_.try_emplace(pc, kernel_function::none);
	if (is_new)
		stack9_frame_at(nullptr, pc, STACK9_FRAMES_LINKAGE |
		    STACK9_FRAMES_RETURN, classify_kernel, &it->second);
	return it->second;
}

kernel_function
kernel_functions::of(const stack9_stack &s, std::uint32_t most)
{
	for (std::uint32_t i = 0; s.pcs != nullptr && i < std::min(most,
	    s.depth); i++)
		if (const kernel_function f = at(s.pcs[i]);
		    f != kernel_function::none)
			return f;
	return kernel_function::none;
}

} // namespace stack9::waits
