// Makes the small programs and files that the cases about names need.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "program.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

namespace fs = std::filesystem;

std::string
probe(const std::string &thing)
{
	const std::string command = FIXTURES "symbols_probe " + thing;
	FILE *f = popen(command.c_str(), "r");
	BOOST_REQUIRE(f != nullptr);
	std::string said;
	for (int c; (c = getc(f)) != EOF && c != '\n';)
		said.push_back(static_cast<char>(c));
	const int status = pclose(f);
	return status == 0 ? said :
	    fmt::format("{} (status {:#x})", said, status);
}

void
put_file(const std::string &from, const std::string &to)
{
	fs::copy_file(from, to + ".new");
	fs::rename(to + ".new", to);
}

plugin::plugin(const std::string &path)
    : handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
{
	BOOST_REQUIRE_MESSAGE(handle != nullptr, dlerror());
}

std::uintptr_t
plugin::symbol(const char *name) const
{
	void *p = dlsym(handle, name);
	BOOST_REQUIRE_MESSAGE(p != nullptr, name);
	return reinterpret_cast<std::uintptr_t>(p);
}

std::uintptr_t
plugin::call(const char *name) const
{
	return reinterpret_cast<std::uintptr_t>(
	    reinterpret_cast<void *(*)()>(symbol(name))());
}

std::string
text(finder find, std::uintptr_t pc, bool return_address)
{
	stack9::symbol_name sym;
	const int error = find(pc, return_address, sym);
	return error != 0 ? fmt::format("errno {}", error) :
	    fmt::format("{}+{:#x}", sym.name, sym.offset);
}
