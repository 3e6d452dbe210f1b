/*
 * Traces requests with ktr(9): a record for each request, and the stack that
 * made it.  The code is in the manner of FreeBSD's GEOM.  Like GEOM it is
 * compiled with -DKTR.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_geom.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/ktr.h>
#include <sys/proc.h>
#include <sys/stack.h>
#include <sys/sysctl.h>

#include <vm/uma.h>

struct request {
	const char	*r_name;
	u_int		 r_command;
	off_t		 r_offset;
	off_t		 r_length;
	int		 r_error;
};
#define	R_READ	1
#define	R_WRITE	2

static uma_zone_t request_zone;

static void
request_init(void *arg __unused)
{

	request_zone = uma_zcreate("request", sizeof(struct request), NULL,
	    NULL, NULL, NULL, UMA_ALIGN_PTR, UMA_ZONE_ZINIT);
}
SYSINIT(request, SI_SUB_DRIVERS, SI_ORDER_FIRST, request_init, NULL);

static struct request *
request_new(const char *name)
{
	struct request *r;

	r = uma_zalloc(request_zone, M_NOWAIT | M_ZERO);
	if (r != NULL)
		r->r_name = name;
#ifdef KTR
	if ((KTR_COMPILE & KTR_GEOM) && (ktr_mask & KTR_GEOM)) {
		struct stack st;

		CTR1(KTR_GEOM, "request_new(): %s", name);
		stack_save(&st);
		CTRSTACK(KTR_GEOM, &st, 3);
	}
#endif
	return (r);
}

static void
request_start(struct request *r)
{

	CTR4(KTR_GEOM, "request_start(%s): cmd %u at %ld, %ld bytes",
	    r->r_name, r->r_command, r->r_offset, r->r_length);
	r->r_error = r->r_offset < 0 ? EINVAL : 0;
	CTR2(KTR_GEOM, "request_start(%s) ends, error %d", r->r_name,
	    r->r_error);
}

static void
disk_read(off_t offset)
{
	struct request *r;

	r = request_new("disk");
	r->r_command = R_READ;
	r->r_offset = offset;
	r->r_length = 512;
	request_start(r);
	uma_zfree(request_zone, r);
}

static void
label_taste(void)
{

	disk_read(0);
	disk_read(-512);
}

int
main(void)
{

	printf("tasting\n");
	label_taste();
	CTR0(KTR_PROC, "not a record of GEOM");
	printf("tasted\n");
	return (0);
}
