/*
 * Uses sysctl(9), the copies of user memory, the lists of processes and of
 * threads, and stack(9) in the ways of three generations, and asserts what they
 * do here.  It is C and C++20.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_ktr.h"
#include "opt_stack.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/ktr.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#include <sys/stack.h>
#include <sys/sysctl.h>
#include <sys/uio.h>

#include "idioms.h"

static int counted;

static SYSCTL_NODE(_debug, OID_AUTO, idiom, CTLFLAG_RW, NULL, "idioms");
SYSCTL_DECL(_debug_idiom);
SYSCTL_INT(_debug_idiom, OID_AUTO, counted, CTLFLAG_RWTUN, &counted, 0,
    "a number");
SYSCTL_STRING(_debug_idiom, OID_AUTO, greeting, CTLFLAG_RD, "hello", 0,
    "a text");

static bool whether;
SYSCTL_BOOL(_debug_idiom, OID_AUTO, whether, CTLFLAG_RWTUN, &whether, 0,
    "a bool");
static uint16_t word;
SYSCTL_U16(_debug_idiom, OID_AUTO, word, CTLFLAG_RW, &word, 0, "16 bits");
SYSCTL_U8(_debug_idiom, OID_AUTO, constant, CTLFLAG_RW, NULL, 9, "a constant");
FEATURE(idiom, "kern.features.idiom");

/* An integer of fewer bits than int is read and written as it is. */
void
small_sysctls(void)
{
	uint8_t byte, five;
	uint16_t half;
	size_t len;
	int is;

	five = 5;
	len = sizeof(byte);
	MUST(sysctlbyname("debug.idiom.whether", &byte, &len, &five, 1) == 0);
	MUST(byte == 0 && len == 1 && whether);
	MUST(*(uint8_t *)&whether == 1);
	half = 0x1234;
	len = sizeof(half);
	MUST(sysctlbyname("debug.idiom.word", NULL, NULL, &half, 2) == 0);
	MUST(sysctlbyname("debug.idiom.word", &half, &len, NULL, 0) == 0);
	MUST(len == 2 && half == 0x1234 && word == 0x1234);
	MUST(sysctlbyname("debug.idiom.word", NULL, NULL, &byte, 1) == -1 &&
	    errno == EINVAL);
	len = sizeof(byte);
	MUST(sysctlbyname("debug.idiom.constant", &byte, &len, NULL, 0) == 0 &&
	    byte == 9);
	MUST(sysctlbyname("debug.idiom.constant", NULL, NULL, &byte, 1) ==
	    -1 && errno == EPERM);
	len = sizeof(is);
	MUST(sysctlbyname("kern.features.idiom", &is, &len, NULL, 0) == 0 &&
	    is == 1);
}

static int
sysctl_text(SYSCTL_HANDLER_ARGS)
{
	struct sbuf sb;
	char small[4];
	int error;

	error = sysctl_wire_old_buffer(req, 0);
	if (error != 0)
		return (error);
	sbuf_new_for_sysctl(&sb, small, sizeof(small), req);
	sbuf_printf(&sb, "a text of %d bytes", 18);
	error = sbuf_finish(&sb);
	sbuf_delete(&sb);
	return (error);
}
SYSCTL_PROC(_debug_idiom, OID_AUTO, text, CTLTYPE_STRING | CTLFLAG_RD |
    CTLFLAG_MPSAFE, NULL, 0, sysctl_text, "A", "a text by a handler");

void
sysctls(void)
{
	char text[32];
	size_t len, count;
	int mib[4], value, to;

	len = sizeof(text);
	MUST(sysctlbyname("debug.idiom.text", text, &len, NULL, 0) == 0);
	MUST(len == 18 && memcmp(text, "a text of 18 bytes", len) == 0);
	len = 4;
	MUST(sysctlbyname("debug.idiom.text", text, &len, NULL, 0) == -1 &&
	    errno == ENOMEM && len == 4);
	count = nitems(mib);
	MUST(sysctlnametomib("debug.idiom.counted", mib, &count) == 0);
	MUST(count == 3 && mib[0] == CTL_DEBUG);
	to = 42;
	len = sizeof(value);
	MUST(sysctl(mib, count, &value, &len, &to, sizeof(to)) == 0);
	MUST(value == 0 && counted == 42 && len == sizeof(value));
	MUST(sysctlbyname("debug.idiom.greeting", NULL, &len, NULL, 0) == 0);
	MUST(len == 6);
	MUST(sysctlbyname("debug.idiom.greeting", NULL, NULL, "x", 1) == -1 &&
	    errno == EPERM);
	MUST(sysctlbyname("debug.no.such", NULL, &len, NULL, 0) == -1 &&
	    errno == ENOENT);
	MUST(sysctlbyname("debug.idiom", NULL, &len, NULL, 0) == -1 &&
	    errno == EISDIR);
}

void
copies(void)
{
	char text[16], parts[2][3];
	struct iovec iov[2];
	struct sbuf *sb;
	struct uio uio;
	int error;

	sb = sbuf_new_auto();
	MUST(sbuf_bcopyin(sb, "abcdef", 3) == 0);
	MUST(sbuf_copyin(sb, "ghi", 0) == 4);
	MUST(sbuf_copyin(sb, (const void *)16, 0) == -1);
	MUST(sbuf_bcopyin(sb, (const void *)16, 1) == -1);
	MUST(sbuf_error(sb) == 0 && sbuf_copyin(sb, "jklm", 2) == 3);
	MUST(sbuf_finish(sb) == ENOMEM);
	MUST(strcmp(sbuf_data(sb), "abcghijk") == 0);
	sbuf_delete(sb);
	MUST(copyin("abc", text, 4) == 0 && strcmp(text, "abc") == 0);
	MUST(copyout(text, (void *)16, 4) == EFAULT);
	memcpy(parts[0], "ab", 3);
	memcpy(parts[1], "cd", 3);
	bzero(&uio, sizeof(uio));
	iov[0].iov_base = parts[0];
	iov[1].iov_base = parts[1];
	iov[0].iov_len = iov[1].iov_len = 2;
	uio.uio_iov = iov;
	uio.uio_iovcnt = 2;
	uio.uio_resid = 4;
	uio.uio_segflg = UIO_USERSPACE;
	uio.uio_rw = UIO_WRITE;
	sb = sbuf_uionew(NULL, &uio, &error);
	MUST(sb != NULL && error == 0 && uio.uio_resid == 0);
	MUST(strcmp(sbuf_data(sb), "abcd") == 0 && sbuf_done(sb));
	sbuf_delete(sb);
}

void
processes(void)
{
	struct proc *p;
	struct thread *td, *walked;
	int count, found;

	MUST(pget(curproc->p_pid, PGET_WANTREAD, &p) == 0 && p == curproc);
	PRELE(p);
	MUST(pget(-5, PGET_CANSEE, &p) == ESRCH);
	found = 0;
	FOREACH_PROC_IN_SYSTEM(p)
		if (p->p_pid == curproc->p_pid)
			found++;
	MUST(found == 1);
	PROC_LOCK(curproc);
	count = 0;
	FOREACH_THREAD_IN_PROC(curproc, td)
		count++;
	walked = NULL;
	TAILQ_FOREACH(td, &curproc->p_threads, td_plist)
		walked = td;
	MUST(count == curproc->p_numthreads && walked != NULL);
	MUST(FIRST_THREAD_IN_PROC(curproc) == TAILQ_FIRST(&curproc->p_threads));
	PROC_UNLOCK(curproc);
	td = curthread;
	MUST(TD_IS_RUNNING(td) && !TD_IS_SLEEPING(td) && !TD_ON_RUNQ(td));
	MUST((td->td_flags & TDF_INMEM) != 0 && td->td_wmesg == NULL);
	MUST(curproc->p_state == PRS_NORMAL);
}

/* The interface of three generations. */
void
stacks(void)
{
	struct sbuf *sb;
	struct stack st;
	struct stack *old;

	old = stack_create(M_WAITOK);
	MUST(stack_put(old, 0x10) == 0);
	sb = sbuf_new_auto();
	MUST(stack_sbuf_print_flags(sb, old, M_NOWAIT) == 0);
	MUST(stack_sbuf_print_flags(sb, old, M_WAITOK,
	    STACK_SBUF_FMT_LONG) == 0);
	stack_sbuf_print(sb, old);
	stack_sbuf_print_ddb(sb, old);
	MUST(stack_sbuf_print_flags(sb, old, M_WAITOK,
	    STACK_SBUF_FMT_COMPACT) == 0);
	sbuf_finish(sb);
	printf("%s", sbuf_data(sb));
	sbuf_delete(sb);
	stack_zero(&st);
	MUST(stack_save_td(&st, curthread) == 0 && st.depth > 0);
	CTRSTACK(KTR_GEN, old, 1);
	CTRSTACK(KTR_GEN, old, 1, 0);
	CTR3(KTR_GEN, "record %d of %s, %#lx", 1, "idioms", 0x2aL);
	stack_destroy(old);
}
