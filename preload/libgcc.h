// Finds the calls of libgcc, or of another unwinder, that this library stands
// in front of.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

#include <dlfcn.h>
#include <unwind.h>

namespace stack9::preload {

// A call behind ours in the order of the loader's search: the one that the
// program would call without this library.  It is found when the library is
// loaded, or at the first use if that is earlier.  nullptr: there is none.
template <class Function>
class next_call {
public:
	constexpr explicit next_call(const char *name) noexcept : name_(name) {}

	Function *
	get() noexcept
	{
		Function *const f = found_.load(std::memory_order_relaxed);
		return f != nullptr ? f : find();
	}

	[[gnu::noinline]] Function *
	find() noexcept
	{
		auto *const f = reinterpret_cast<Function *>(
		    dlsym(RTLD_NEXT, name_));
		found_.store(f, std::memory_order_relaxed);
		return f;
	}

private:
	const char		*const name_;
	std::atomic<Function *>	 found_{nullptr};
};

extern next_call<decltype(_Unwind_Backtrace)> next_backtrace;
extern next_call<decltype(_Unwind_GetIP)> next_get_ip;
extern next_call<decltype(_Unwind_GetIPInfo)> next_get_ip_info;
extern next_call<decltype(_Unwind_GetCFA)> next_get_cfa;
extern next_call<decltype(_Unwind_GetGR)> next_get_gr;
extern next_call<decltype(_Unwind_SetGR)> next_set_gr;
extern next_call<decltype(_Unwind_SetIP)> next_set_ip;
extern next_call<decltype(_Unwind_GetRegionStart)> next_get_region_start;
extern next_call<decltype(_Unwind_GetLanguageSpecificData)> next_get_lsda;
extern next_call<decltype(_Unwind_GetTextRelBase)> next_get_text_base;
extern next_call<decltype(_Unwind_GetDataRelBase)> next_get_data_base;

} // namespace stack9::preload
