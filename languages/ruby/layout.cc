// Finds the layout of a runtime by its version.
//
// The offsets were taken by compiling the headers of these releases (vm_core.h,
// ractor_core.h, thread_pthread.h, method.h, internal/class.h) with the
// configuration of Debian.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"

#include <cstdio>

namespace stack9::languages::ruby {
namespace {

constexpr layout release_2_7{207, 56, 32, 72, 0, 0, 360, 312, 0, 0, 56, 120, 8,
    176, 16, true, 0x18000, 24, 0, 0, 0};
constexpr layout release_3_1{301, 48, 40, 80, 0, 0, 352, 304, 8, 568, 64, 120,
    12, 176, 16, true, 0x18000, 24, 0, 0, 0};
constexpr layout release_3_3{303, 48, 48, 0, 40, 16, 432, 256, 8, 432, 56, 112,
    12, 168, 24, false, 0x3f8000, 0, 152, 149, 128};

} // namespace

layout
layout_of(unwind::memory &m, std::uint64_t version_at, std::string &why)
{
	char text[8] = "";
	unsigned int major = 0, minor = 0;
	if (!m.read(version_at, text, sizeof text - 1) ||
	    std::sscanf(text, "%2u.%2u.", &major, &minor) != 2) {
		why = "ruby: its version is not known";
		return {};
	}
	switch (major * 100 + minor) {
	case 207:
		return release_2_7;
	case 301:
		return release_3_1;
	case 303:
		return release_3_3;
	}
	why = "ruby " + std::to_string(major) + "." + std::to_string(minor) +
	    ": its layout is not known";
	return {};
}

} // namespace stack9::languages::ruby
