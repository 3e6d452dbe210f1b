/*
 * Lets files include FreeBSD's <sys/signalvar.h>: signals are those of
 * <signal.h>, and no queue of them is seen.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
