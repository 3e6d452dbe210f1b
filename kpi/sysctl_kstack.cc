// Answers kern.proc.kstack: the kernel stacks of the threads of a process, as
// text.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sysctl_native.h"

#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>
#include <stack9/sys/user.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/seam/thread.h"

namespace stack9 {
namespace {

struct taken_stacks {
	std::vector<kinfo_kstack>	stacks;
	int				error = 0;
};

// A route without addresses has the frames as texts "name+0x1f/0x40 [module]".
void
print_text(struct sbuf &sb, const stack9_stack &s)
{
	for (unsigned int i = 0; i < STACK_MAX && i < s.depth; i++) {
		const std::string_view line = s.text[i];
		const std::string_view name = line.substr(0,
		    line.find_first_of("/ "));
		sbuf_printf(&sb, "#%u %p at ", i, static_cast<void *>(nullptr));
		sbuf_bcat(&sb, name.data(), name.size());
		sbuf_cat(&sb, "\n");
	}
}

// The text is cut off where it does not fit, as in FreeBSD.
void
print_into(const stack9_stack &s, kinfo_kstack &k)
{
	struct sbuf sb;
	sbuf_new(&sb, k.kkst_trace, sizeof k.kkst_trace, SBUF_FIXEDLEN);
	if (s.text != nullptr)
		print_text(sb, s);
	else {
		struct stack st{};
		st.depth = static_cast<int>(std::min<std::uint32_t>(s.depth,
		    STACK_MAX));
		std::copy_n(s.pcs, st.depth, st.pcs);
		stack_sbuf_print(&sb, &st);
	}
	sbuf_finish(&sb);
	sbuf_delete(&sb);
}

// A thread that runs has no stack to show.  One that ends is left out.
int
keep(void *arg, const stack9_sample *s)
{
	taken_stacks &a = *static_cast<taken_stacks *>(arg);
	const int error = s->kernel->error;
	if (error == ESRCH)
		return 0;
	if (error != 0 && error != EAGAIN && error != EBUSY &&
	    s->state != 'R') {
		a.error = error;
		return 0;
	}
	try {
		kinfo_kstack k{};
		k.kkst_tid = s->thread.tid;
		k.kkst_state = error == 0 ? KKST_STATE_STACKOK :
		    KKST_STATE_RUNNING;
		if (error == 0)
			print_into(*s->kernel, k);
		a.stacks.push_back(k);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	return 0;
}

} // namespace

int
answer_kstacks(pid_t pid, struct sysctl_req &req)
{
	stack9_thread id{};
	thread_stat stat{};
	if (pid < 1 || find_thread(pid, id, stat) != 0 || id.pid != pid)
		return ESRCH;
	taken_stacks a;
	if (const int error = stack9_each(&id, STACK9_KERNEL, nullptr, keep,
	    &a); error != 0)
		return error == ECANCELED ? ENOMEM : error;
	if (a.stacks.empty() && a.error != 0)
		return a.error;
	std::sort(a.stacks.begin(), a.stacks.end(),
	    [](const auto &x, const auto &y) {
		return x.kkst_tid < y.kkst_tid;
	});
	for (const kinfo_kstack &k : a.stacks)
		if (const int error = SYSCTL_OUT(&req, &k, sizeof k);
		    error != 0)
			return error;
	if (req.oldptr == nullptr)
		req.oldidx += 5 * sizeof(struct kinfo_kstack);
	return 0;
}

} // namespace stack9
