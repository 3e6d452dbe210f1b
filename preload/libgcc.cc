// Finds the calls that ours replace.  It does so when the library is loaded,
// because dlsym(3) takes the loader's lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "libgcc.h"

namespace stack9::preload {

constinit next_call<decltype(_Unwind_Backtrace)> next_backtrace(
    "_Unwind_Backtrace");
constinit next_call<decltype(_Unwind_GetIP)> next_get_ip("_Unwind_GetIP");
constinit next_call<decltype(_Unwind_GetIPInfo)> next_get_ip_info(
    "_Unwind_GetIPInfo");
constinit next_call<decltype(_Unwind_GetCFA)> next_get_cfa("_Unwind_GetCFA");
constinit next_call<decltype(_Unwind_GetGR)> next_get_gr("_Unwind_GetGR");
constinit next_call<decltype(_Unwind_SetGR)> next_set_gr("_Unwind_SetGR");
constinit next_call<decltype(_Unwind_SetIP)> next_set_ip("_Unwind_SetIP");
constinit next_call<decltype(_Unwind_GetRegionStart)> next_get_region_start(
    "_Unwind_GetRegionStart");
constinit next_call<decltype(_Unwind_GetLanguageSpecificData)> next_get_lsda(
    "_Unwind_GetLanguageSpecificData");
constinit next_call<decltype(_Unwind_GetTextRelBase)> next_get_text_base(
    "_Unwind_GetTextRelBase");
constinit next_call<decltype(_Unwind_GetDataRelBase)> next_get_data_base(
    "_Unwind_GetDataRelBase");

namespace {

[[gnu::constructor(101)]] void
find_all() noexcept
{
	next_backtrace.find();
	next_get_ip.find();
	next_get_ip_info.find();
	next_get_cfa.find();
	next_get_gr.find();
	next_set_gr.find();
	next_set_ip.find();
	next_get_region_start.find();
	next_get_lsda.find();
	next_get_text_base.find();
	next_get_data_base.find();
}

} // namespace
} // namespace stack9::preload
