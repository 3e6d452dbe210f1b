// Maps the plugin and reads from the kernel where its functions are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include <dlfcn.h>

class plugin {
public:
	plugin() : handle(dlopen(path().c_str(), RTLD_NOW))
	{
		BOOST_TEST_REQUIRE(handle != nullptr);
	}
	~plugin() { dlclose(handle); }
	plugin(const plugin &) = delete;
	plugin &operator=(const plugin &) = delete;

	static std::string
	path()
	{
		return STACK9_EVENTS_PROGRAMS "/libevents_plugin.so";
	}

	void *
	operator[](const std::string &name) const
	{
		void *const at = dlsym(handle, name.c_str());
		BOOST_TEST_REQUIRE(at != nullptr);
		return at;
	}

	// Reads /proc/self/maps.
	static std::uint64_t
	offset_of(const void *p)
	{
		const auto at = reinterpret_cast<std::uintptr_t>(p);
		std::ifstream in("/proc/self/maps");
		for (std::string line; std::getline(in, line);) {
			unsigned long start, end, offset;
			if (std::sscanf(line.c_str(), "%lx-%lx %*s %lx",
			    &start, &end, &offset) == 3 && at >= start &&
			    at < end)
				return at - start + offset;
		}
		BOOST_FAIL("not mapped");
		return 0;
	}

	static std::string
	file_of(const void *p)
	{
		Dl_info info;
		BOOST_TEST_REQUIRE(dladdr(p, &info) != 0);
		return info.dli_fname;
	}

	// As nm(1) would print it, with 0x.
	std::string
	address_of(const std::string &name) const
	{
		Dl_info info;
		BOOST_TEST_REQUIRE(dladdr((*this)[name], &info) != 0);
		char text[20];
		std::snprintf(text, sizeof text, "0x%tx",
		    static_cast<const char *>((*this)[name]) -
		    static_cast<const char *>(info.dli_fbase));
		return text;
	}

	static int
	byte_at(std::uint64_t offset)
	{
		std::ifstream in(path(), std::ios::binary);
		in.seekg(static_cast<std::streamoff>(offset));
		return in.get();
	}

private:
	void	*handle;
};
