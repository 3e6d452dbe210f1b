/*
 * Shows the names of POSIX and BSD in strict C, as FreeBSD's headers do, where
 * one of ours is the first header of a file.  A file that asks the C library
 * for less gets less.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#if !defined(_FEATURES_H) && !defined(_DEFAULT_SOURCE) &&		\
    !defined(_POSIX_SOURCE) && !defined(_POSIX_C_SOURCE) &&		\
    !defined(_XOPEN_SOURCE)
#define	_DEFAULT_SOURCE	1
#endif
