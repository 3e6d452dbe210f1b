// Finds the layout of a runtime by the number of its interface, carried by each
// of its modules.
//
// The offsets were taken from the headers of Debian's packages, php*-dev.  The
// maintenance of a release keeps them, because modules are compiled with them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"

namespace stack9::languages::php {
namespace {

constexpr layout releases[] = {
	{20190902, "php 7.4", 488, 880, 60, 64, 136, 148, 48, 64, 160},
	{20220829, "php 8.2", 488, 880, 80, 88, 152, 164, 72, 56, 152},
	{20240924, "php 8.4", 488, 952, 96, 104, 168, 180, 88, 56, 152},
};

// Those that are known by name only.
struct release {
	std::uint32_t	api;
	const char	*name;
};
constexpr release others[] = {
	{20151012, "7.0"}, {20160303, "7.1"}, {20170718, "7.2"},
	{20180731, "7.3"}, {20200930, "8.0"}, {20210902, "8.1"},
	{20230831, "8.3"}, {20250925, "8.5"},
};

// The first module of the table is the core.
bool
read_api(unwind::memory &m, std::uint64_t registry, std::uint32_t &api,
    bool &is_debug)
{
	constexpr std::uint64_t table_buckets = 16, module_api = 4,
	    module_debug = 8;
	std::uint64_t buckets, module;
	std::uint8_t debug;
	if (!m.word(registry + table_buckets, buckets) ||
	    !m.word(buckets, module) ||
	    !m.read(module + module_api, &api, sizeof api) ||
	    !m.read(module + module_debug, &debug, sizeof debug))
		return false;
	is_debug = debug != 0;
	return true;
}

} // namespace

layout
layout_of(unwind::memory &m, const places &p, std::uint64_t bias,
    std::string &why)
{
	std::uint32_t api;
	bool is_debug;
	// The table is filled when the program has begun.
	if (p.modules.vaddr == 0 ||
	    !read_api(m, p.modules.vaddr + bias, api, is_debug)) {
		why = "php: its version is not known";
		return {};
	}
	std::string name = "php (API " + std::to_string(api) + ")";
	for (const layout &l : releases) {
		if (l.api != api)
			continue;
		if (!is_debug)
			return l;
		name = std::string(l.name) + " for debugging";
	}
	for (const release &r : others)
		if (r.api == api)
			name = std::string("php ") + r.name;
	why = name + ": its layout is not known";
	return {};
}

} // namespace stack9::languages::php
