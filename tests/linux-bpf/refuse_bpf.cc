// Makes bpf(2) fail.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "refuse_bpf.h"

#include <cstddef>
#include <iterator>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
refuse_bpf(int command, int error)
{
	const auto data = [](std::size_t at) {
		return static_cast<__u32>(at);
	};
	const __u32 no = SECCOMP_RET_ERRNO | static_cast<__u32>(error);
	sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    data(offsetof(seccomp_data, nr))),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    data(offsetof(seccomp_data, args[0]))),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<__u32>(command), 0,
		    static_cast<__u8>(command < 0 ? 0 : 1)),
		BPF_STMT(BPF_RET | BPF_K, no),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const sock_fprog program{std::size(rules), rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
