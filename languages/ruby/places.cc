// Finds what the file of a runtime has for the walk.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "places.h"

#include <algorithm>
#include <mutex>

#include <gelf.h>

namespace stack9::languages::ruby {
namespace {

void
find_segments(process::file &f, places &to)
{
	constexpr std::uint64_t most_data = 1 << 20;
	std::size_t count;
	GElf_Phdr h;
	const std::lock_guard locked(f.lock());
	if (!f.is_elf() || elf_getphdrnum(f.elf(), &count) != 0)
		return;
	for (int i = 0; i < static_cast<int>(count) &&
	    gelf_getphdr(f.elf(), i, &h) != nullptr; i++)
		if (h.p_type == PT_TLS) {
			to.thread_size = h.p_memsz;
		} else if (h.p_type == PT_LOAD && (h.p_flags & PF_W) != 0) {
			to.data = h.p_vaddr;
			to.data_size = std::min(h.p_memsz, most_data);
		}
}

} // namespace

std::unique_ptr<process::attachment>
find_places(process::file &f)
{
	static constexpr std::string_view wanted[] = {"ruby_current_vm_ptr"};
	auto made = std::make_unique<places>();
	find_symbols(f, wanted, &made->machine);
	find_segments(f, *made);
	return made;
}

} // namespace stack9::languages::ruby
