// Looks names up while other threads hold the loader's lock, for symbols_probe.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <thread>

#include <link.h>
#include <poll.h>

#include "core/seam/record.h"
#include "probe.h"

// Children are forked while another thread holds the loader's lock, and while
// others are in the lookup.
std::string
fork_elf()
{
	stack9::symbol_name s;
	if (!is_here(stack9::elf_find(here(), false, s), s))
		return "not found";
	std::atomic<bool> stop{false}, inside{false};
	std::thread holder([&] {
		struct arg {
			std::atomic<bool> &stop, &inside;
		} a{stop, inside};
		dl_iterate_phdr([](dl_phdr_info *, std::size_t, void *p) {
			auto *at = static_cast<arg *>(p);
			at->inside = true;
			while (!at->stop)
				poll(nullptr, 0, 1);
			return 1;
		}, &a);
	});
	while (!inside)
		poll(nullptr, 0, 1);
	std::thread finder([] {
		stack9::symbol_name t;
		stack9::elf_find(here(), false, t);
	});
	bool good = true;
	for (int i = 0; i < 20; i++)
		good &= child_does([] {
			stack9::symbol_name t;
			return is_here(stack9::elf_find(here(), false, t), t);
		});
	stop = true;
	holder.join();
	finder.join();
	return verdict(good);
}

// Another thread holds the loader's lock, and one waits for it in the lookup.
std::string
no_lock()
{
	std::atomic<bool> stop{false};
	static std::atomic<bool> inside{false};
	std::thread holder([&] {
		dl_iterate_phdr([](dl_phdr_info *, std::size_t, void *p) {
			inside = true;
			while (!*static_cast<std::atomic<bool> *>(p))
				poll(nullptr, 0, 1);
			return 1;
		}, &stop);
	});
	while (!inside)
		poll(nullptr, 0, 1);
	std::thread finder([] {
		stack9::symbol_name t;
		stack9::elf_find(here(), false, t);
	});
	alarm(150);
	static stack9::symbol_name s;
	bool good = true;
	for (int i = 0; i < 100; i++)
		good &= is_here(stack9::elf_find_nowait(here(), false, s), s);
	stop = true;
	holder.join();
	finder.join();
	return verdict(good);
}
