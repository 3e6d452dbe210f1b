// Lists modules by dl_iterate_phdr(3): most systems with ELF files have it.  No
// call says without a lock which of them has an address, and none is ever
// unloaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <link.h>

namespace stack9 {

struct loaded_module {
	std::uintptr_t	 begin, end;
	const void	*eh_frame_hdr;
	std::uintptr_t	 bias;
	const char	*path;
	std::uintptr_t	 dynamic;
};

inline constexpr bool finds_loaded = false;

inline bool
find_loaded(std::uintptr_t, loaded_module &) noexcept
{
	return false;
}

struct load_counts {
	std::size_t	modules = 0;

	bool operator==(const load_counts &) const noexcept = default;
};

inline bool
describe_segments(const dl_phdr_info &info, loaded_module &m) noexcept
{
	m = {UINTPTR_MAX, 0, nullptr, info.dlpi_addr, info.dlpi_name, 0};
	for (int i = 0; i < info.dlpi_phnum; i++) {
		const auto &p = info.dlpi_phdr[i];
		const std::uintptr_t at = info.dlpi_addr + p.p_vaddr;
		if (p.p_type == PT_GNU_EH_FRAME)
			m.eh_frame_hdr = reinterpret_cast<const void *>(at);
		else if (p.p_type == PT_DYNAMIC)
			m.dynamic = at;
		else if (p.p_type == PT_LOAD) {
			m.begin = at < m.begin ? at : m.begin;
			m.end = at + p.p_memsz > m.end ? at + p.p_memsz :
			    m.end;
		}
	}
	return m.end != 0;
}

template <class F>
load_counts
each_loaded(F f) noexcept
{
	struct all {
		F		&f;
		load_counts	 counts{};
		bool		 wanted = true;
	} a{f};
	dl_iterate_phdr([](dl_phdr_info *info, std::size_t, void *arg) {
		auto &to = *static_cast<all *>(arg);
		loaded_module m;
		to.counts.modules++;
		to.wanted = to.wanted && (!describe_segments(*info, m) ||
		    to.f(m, true));
		return 0;
	}, &a);
	return a.counts;
}

} // namespace stack9
