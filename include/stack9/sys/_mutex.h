/*
 * Gives struct mtx, for headers that embed one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/mutex.h>
