// Declares stubs for the rest of the library and for the heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <stack9/sys/sbuf.h>

namespace stack9_test {

extern std::string printed;	// by sbuf_putbuf() and sbuf_printf_drain()

// calloc()s of the library: how many still work before the next fail; how many
// were made, how many of them are not freed yet.  The last two are how often
// it slept, and for how many nanoseconds in all.
extern int work_next;
extern int fail_next;
extern int allocations;
extern int live;
extern int naps;
extern long napped_ns;

// An sbuf in storage of its own, with guards around it.
template <int size>
struct fixture {
	char		before = '<';
	char		buf[size];
	char		after = '>';
	struct sbuf	s;

	explicit fixture(int flags = SBUF_FIXEDLEN)
	{
		sbuf_new(&s, buf, size, flags);
	}
	fixture(const fixture &) = delete;
	~fixture() { sbuf_delete(&s); }

	std::string
	finished()
	{
		sbuf_finish(&s);
		return sbuf_data(&s);
	}

	bool whole() const { return before == '<' && after == '>'; }
};

// Returns what sbuf_printf() makes of a format.
template <class... T>
std::string
formatted(const char *fmt, T... values)
{
	struct sbuf s;

	sbuf_new(&s, nullptr, 0, SBUF_AUTOEXTEND);
	sbuf_printf(&s, fmt, values...);
	sbuf_finish(&s);
	std::string text = sbuf_data(&s);
	sbuf_delete(&s);
	return text;
}

} // namespace stack9_test
