// Runs scripts of sbuf calls against the model, and formats of any bytes.
//
// SPDX-License-Identifier: BSD-2-Clause
#define STACK9_KERNEL_FORMATS

#include <algorithm>
#include <cstdlib>

#include "../sbuf/script.h"

namespace {

using stack9_test::tap;

[[noreturn]] void
fail(const std::string &why)
{
	std::fprintf(stderr, "sbuf: %s\n", why.c_str());
	std::abort();
}

int
keep(void *arg, const char *data, int len)
{
	static_cast<std::string *>(arg)->append(data,
	    static_cast<std::size_t>(len));
	return len;
}

// Every argument is a pointer to the same long NUL-ended string, a valid
// argument of every conversion; so the format may be anything that does not
// take too many, ask for gigabytes of padding, or read past the string.
std::string
tamed(std::span<const std::uint8_t> bytes)
{
	std::string fmt;
	unsigned int conversions = 0, digits = 0;

	for (const char c : bytes) {
		if (c == '*' || c == '\0')
			continue;
		digits = c >= '0' && c <= '9' ? digits + 1 : 0;
		conversions += c == '%';
		if (digits > 3)
			continue;
		if (conversions > 8)
			break;
		fmt += c;
	}
	return fmt;
}

void
print(struct sbuf *s, const char *fmt)
{
	static char a[4096] = "\20\1ONE\2TWO";

	sbuf_printf(s, fmt, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a);
	sbuf_finish(s);
}

// Through the smallest storage with a drain comes what grows in one piece.
void
fuzz_format(std::span<const std::uint8_t> bytes)
{
	const std::string fmt = tamed(bytes);
	char buf[2];
	struct sbuf small;
	std::string drained;

	sbuf_new(&small, buf, sizeof buf, SBUF_FIXEDLEN);
	sbuf_set_drain(&small, keep, &drained);
	print(&small, fmt.c_str());
	struct sbuf *const large = sbuf_new_auto();
	print(large, fmt.c_str());
	if (drained != sbuf_data(large))
		fail("drained and grown text differ");
	sbuf_delete(large);
	sbuf_delete(&small);
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	const std::span<const std::uint8_t> bytes(data, size);

	if (size == 0)
		return 0;
	if (data[0] % 4 == 0) {
		fuzz_format(bytes.subspan(1));
		return 0;
	}
	stack9_test::script s(bytes.subspan(1));
	if (const std::string why = stack9_test::duel(s).run(); !why.empty())
		fail(why);
	return 0;
}
