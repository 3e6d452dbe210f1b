// Looks names up in /proc/kallsyms, for symbols_probe: by those who may and may
// not read it, in forked children, and while it is read again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "core/seam/record.h"
#include "probe.h"

namespace {

std::uintptr_t
a_kernel_address()
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long address = 0;
	char name[256];
	while (fscanf(f, "%lx %*c %255s%*[^\n]", &address, name) == 2)
		if (strcmp(name, "_etext") == 0)
			break;
	fclose(f);
	return address - 1;
}

double
seconds()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

std::uintptr_t kernel_pc;

} // namespace

std::string
eagain()
{
	stack9::symbol_name s;
	const std::uintptr_t pc = a_kernel_address();
	if (stack9::kallsyms_loaded() ||
	    stack9::kallsyms_find_nowait(pc, false, s) != EAGAIN)
		return "loaded before it was asked for";
	if (stack9::kallsyms_find(pc, false, s) != 0)
		return "not found";
	return verdict(stack9::kallsyms_loaded() &&
	    stack9::kallsyms_find_nowait(pc, false, s) == 0);
}

// The error without rights, and the one when they came back.  It must take a
// second until that is seen.
std::string
hidden()
{
	stack9::symbol_name s;
	const std::uintptr_t pc = a_kernel_address();
	if (seteuid(65534) != 0)
		return "seteuid";
	const double from = seconds();
	const int without = stack9::kallsyms_find(pc, false, s);
	if (seteuid(0) != 0)
		return "seteuid back";
	int with = without;
	while (with == without && with != 0 && seconds() - from < 150)
		with = stack9::kallsyms_find(pc, false, s);
	if (without != 0 && seconds() - from < 0.9)
		return "asked again too soon";
	return std::to_string(without) + " " + std::to_string(with);
}

std::string
fork_kallsyms()
{
	kernel_pc = a_kernel_address();
	std::thread loader([] {
		stack9::symbol_name s;
		stack9::kallsyms_find(kernel_pc, false, s);
	});
	bool good = true;
	int before = 0;
	while (!stack9::kallsyms_loaded()) {
		before++;
		good &= child_does([] {
			stack9::symbol_name s;
			return stack9::kallsyms_find(kernel_pc, true, s) == 0;
		});
	}
	loader.join();
	return before == 0 ? "loaded at once" : verdict(good);
}

// Lookups go on in four threads until the file was read three more times.  This
// is seen in what this process has read.
std::string
reload()
{
	// Without what is read to know it.
	auto bytes_read = [own = 0UL]() mutable {
		char text[512];
		FILE *f = fopen("/proc/self/io", "r");
		const std::size_t got = fread(text, 1, sizeof text - 1, f);
		fclose(f);
		text[got] = '\0';
		unsigned long n = 0;
		if (sscanf(text, "rchar: %lu", &n) != 1)
			n = own;
		n -= own;
		own += got;
		return n;
	};
	kernel_pc = a_kernel_address();
	stack9::symbol_name first;
	const unsigned long before = bytes_read();
	if (stack9::kallsyms_find(kernel_pc, false, first) != 0)
		return "not found";
	const unsigned long one = bytes_read() - before;
	std::atomic<bool> stop{false};
	std::atomic<int> wrong{0};
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&] {
			stack9::symbol_name s;
			while (!stop) {
				wrong += stack9::kallsyms_find(kernel_pc, false,
				    s) != 0 || strcmp(s.name, first.name) != 0;
				wrong += stack9::kallsyms_find_nowait(
				    kernel_pc + 1, false, s) != ENOENT;
			}
		});
	const double from = seconds();
	while (bytes_read() - before < 4 * one && seconds() - from < 300)
		stack9::kallsyms_find(kernel_pc + 1, false, first);
	stop = true;
	for (std::thread &t : threads)
		t.join();
	if (seconds() - from < 2)
		return "read again too soon";
	return verdict(wrong == 0);
}
