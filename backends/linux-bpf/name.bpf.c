/*
 * Names kernel addresses, on kernels that cannot load one.bpf.c.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#include "name_of.h"

struct text {
	char	bytes[S9_TEXT];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct text);
} scratch SEC(".maps");

SEC("syscall")
int
name(struct s9_name *ctx)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct text *t;

	t = bpf_task_storage_get(&scratch, self, 0,
	    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (t == NULL)
		ctx->len = -12; /* ENOMEM */
	else
		s9_name_of(ctx, t->bytes);
	return 0;
}

S9_LICENSE;
