// Blocks in C++ with inlined calls, a template, a virtual call and a lambda.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <unistd.h>

namespace {

volatile int used;
std::uintptr_t noted[2];

struct shape {
	virtual ~shape() = default;
	virtual int area() const = 0;
};

[[gnu::noinline]] int
block()
{
	char text[64], byte;
	const int n = std::snprintf(text, sizeof text, "ready %lx %lx\n",
	    static_cast<unsigned long>(noted[0]),
	    static_cast<unsigned long>(noted[1]));
	if (write(3, text, static_cast<std::size_t>(n)) != n)
		std::abort();
	return static_cast<int>(read(0, &byte, 1)) + used;
}

struct square final : shape {
	[[gnu::always_inline]] int side() const { return block() + used; }
	[[gnu::noinline]] int
	area() const override
	{
		noted[0] = reinterpret_cast<std::uintptr_t>(
		    __builtin_return_address(0));
		return side() * side();
	}
};

template <typename T>
[[gnu::always_inline]] inline int
add_up(const T &shapes)
{
	int sum = 0;
	const auto each = [&sum](const auto &s) { sum += s->area(); };
	for (const auto &s : shapes)
		each(s);
	return sum;
}

[[gnu::noinline]] int
measure(const std::vector<std::unique_ptr<shape>> &shapes)
{
	noted[1] = reinterpret_cast<std::uintptr_t>(
	    __builtin_return_address(0));
	return add_up(shapes) + used;
}

} // namespace

int
main()
{
	std::vector<std::unique_ptr<shape>> shapes;
	shapes.push_back(std::make_unique<square>());
	return measure(shapes) + used;
}
