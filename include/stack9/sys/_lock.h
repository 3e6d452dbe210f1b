/*
 * Gives struct lock_object, for headers that embed one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/lock.h>
