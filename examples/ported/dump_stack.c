/*
 * Gives Linux drivers their dump_stack() and WARN_ON().  The code is in the
 * manner of FreeBSD's linuxkpi.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_global.h"
#include "opt_stack.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <sys/kernel.h>
#include <sys/sysctl.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/module.h>
#include <sys/stack.h>

static int linux_warnings = 0;

static void
linux_dump_stack(void)
{
	struct stack st;

	stack_zero(&st);
	stack_save(&st);
	stack_print(&st);
}
#define	dump_stack()	linux_dump_stack()

#define	WARN_ON(cond) ({						\
	bool warned = !!(cond);						\
	if (__predict_false(warned)) {					\
		printf("WARNING %s failed at %s\n", #cond, __func__);	\
		linux_warnings++;					\
		dump_stack();						\
	}								\
	__predict_false(warned);					\
})

struct urb {
	u_int	length;
};

static int
usb_submit(struct urb *urb)
{

	if (WARN_ON(urb->length > 64))
		return (-EINVAL);
	return (0);
}

static int
driver_event(module_t mod __unused, int what, void *arg __unused)
{
	struct urb urb;

	if (what != MOD_LOAD)
		return (0);
	urb.length = 64;
	(void)usb_submit(&urb);
	urb.length = 65;
	printf("error %d\n", usb_submit(&urb));
	return (0);
}

static moduledata_t driver_mod = { "driver", driver_event, NULL };
DECLARE_MODULE(driver, driver_mod, SI_SUB_DRIVERS, SI_ORDER_ANY);
MODULE_VERSION(driver, 1);
MODULE_DEPEND(driver, usb, 1, 1, 1);

int
main(void)
{

	printf("%d warnings\n", linux_warnings);
	return (0);
}
