// Finds the calls of libgcc, or of another unwinder, that this library
// replaces.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <unwind.h>

#include "next_call.h"

namespace stack9::preload {

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
