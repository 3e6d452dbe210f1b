/*
 * Samples the kernel stack of one thread in one bpf(2) call.  A program of type
 * syscall finds the thread by its tid (bpf_task_from_pid(), Linux 6.2; in the
 * caller's own pid namespace bpf_task_from_vpid(), Linux 6.14).
 *
 * No helper may write into the context, so the sample goes into storage of the
 * reading thread and is copied from there.  Nothing is shared, neither between
 * threads nor between processes that use one pinned program.
 *
 * The object one_vpid is this source with S9_VPID, for a caller in a pid
 * namespace of its own.  It is another object, because a kernel that lacks the
 * function it calls refuses the whole object.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_SINCE_5_16
#include "bpf/sample.h"
#include "name_of.h"
#include "bpf/pid_ns.h"

#ifdef S9_VPID
#define	s9_task_from	bpf_task_from_vpid
#else
#define	s9_task_from	bpf_task_from_pid
#endif

extern struct task_struct *s9_task_from(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct s9_record);
} scratch SEC(".maps");

/* The context takes stores at constant offsets only, so the loops are unrolled.
 * There are three, and the function returns once all frames are copied. */
#define	COPY(from_frame, to_frame)					\
	_Pragma("unroll")						\
	for (i = (from_frame); i < (to_frame); i++)			\
		to->pcs[i] = from->pcs[i];				\
	if (from->bytes <= (to_frame) * 8)				\
		return

static __always_inline void
copy_out(struct s9_record *to, const struct s9_record *from)
{
	const __u64 *f = (const __u64 *)from;
	__u64 *t = (__u64 *)to;
	__u32 i;

#pragma unroll
	for (i = 0; i < S9_RECORD_HEAD / 8; i++)
		t[i] = f[i];
	COPY(0, 16);
	COPY(16, 64);
	COPY(64, S9_FRAMES);
}

static __always_inline struct s9_record *
my_scratch(void)
{
	return bpf_task_storage_get(&scratch, bpf_get_current_task_btf(), 0,
	    BPF_LOCAL_STORAGE_GET_F_CREATE);
}

SEC("syscall")
int
one(struct s9_one *ctx)
{
	struct s9_record *r = my_scratch();
	struct task_struct *p;
#ifdef S9_VPID
	__u32 level;
	__u64 ns;
#endif

	if (r == NULL) {
		ctx->found = -12; /* ENOMEM */
		return 0;
	}
	p = s9_task_from(ctx->tid);
	if (p == NULL) {
		ctx->found = -3; /* ESRCH */
		return 0;
	}
	s9_sample_task(p, r);
#ifdef S9_VPID
	s9_my_ns(&level, &ns);
	s9_ids(p, &r->tid, &r->pid, level, ns);
#else
	r->tid = r->host_tid;
	r->pid = r->host_pid;
#endif
	s9_sample_kernel_stack(p, r);
	bpf_task_release(p);
	copy_out(&ctx->r, r);
	ctx->found = 0;
	return 0;
}

/* Names a kernel address.  A process that captures a stack usually prints it,
 * and two programs in one object load 0.3 ms faster than in two. */
SEC("syscall")
int
name(struct s9_name *ctx)
{
	struct s9_record *r = my_scratch();

	if (r == NULL)
		ctx->len = -12; /* ENOMEM */
	else
		s9_name_of(ctx, (char *)r->pcs);
	return 0;
}

S9_LICENSE;
