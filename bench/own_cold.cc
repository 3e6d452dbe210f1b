// Defines 4096 functions by macros: templates take a compiler minutes.  Each
// has its number, in octal, in it, or the compiler would fold them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_cold.h"

#define	EIGHT(m, n)							\
	m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7)
#define	EIGHT_2(m, n)							\
	EIGHT(m, n##0) EIGHT(m, n##1) EIGHT(m, n##2) EIGHT(m, n##3)	\
	EIGHT(m, n##4) EIGHT(m, n##5) EIGHT(m, n##6) EIGHT(m, n##7)
#define	EIGHT_3(m, n)							\
	EIGHT_2(m, n##0) EIGHT_2(m, n##1) EIGHT_2(m, n##2)		\
	EIGHT_2(m, n##3) EIGHT_2(m, n##4) EIGHT_2(m, n##5)		\
	EIGHT_2(m, n##6) EIGHT_2(m, n##7)
#define	EACH(m)								\
	EIGHT_3(m, 00) EIGHT_3(m, 01) EIGHT_3(m, 02) EIGHT_3(m, 03)	\
	EIGHT_3(m, 04) EIGHT_3(m, 05) EIGHT_3(m, 06) EIGHT_3(m, 07)

namespace {

// noinline, and each of a size of its own.
#define	COLD(n)								\
[[gnu::noinline]] void							\
cold_##n(cold_walk &w)							\
{									\
	char room[8 + n % 11 * 16];					\
	asm volatile("" : : "r"(room) : "memory");			\
	const unsigned long kept = w.sum;				\
	if (--w.left == 0)						\
		w.leaf();						\
	else								\
		w.table[(n + 1) % cold_functions](w);			\
	w.sum = kept + n;						\
}
EACH(COLD)

#define	ITS_ADDRESS(n)	cold_##n,
const cold_call table[cold_functions] = { EACH(ITS_ADDRESS) };

} // namespace

void
walk_cold(cold_walk &w, unsigned from, unsigned count)
{
	w.table = table;
	w.left = count;
	table[from](w);
}
