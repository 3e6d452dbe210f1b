// Declares the small programs and files that the cases about names need.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <dlfcn.h>
#include "core/seam/record.h"
#include "core/seam/symbols.h"
#include "lib/scratch.h"

// Has symbols_probe do a thing, and returns "ok", or what failed.
std::string probe(const std::string &thing);

// A new file (a new inode) of this name, with the bytes of from.
void put_file(const std::string &from, const std::string &to);

class plugin {
	void	*handle;

public:
	explicit plugin(const std::string &path);
	plugin(const plugin &) = delete;
	~plugin() { dlclose(handle); }
	std::uintptr_t symbol(const char *name) const;
	// Returns what the plugin's function of this name returns.
	std::uintptr_t call(const char *name) const;
};

using finder = int (*)(std::uintptr_t, bool, stack9::symbol_name &) noexcept;

// "name+offset", or "errno N".
std::string text(finder, std::uintptr_t pc, bool return_address = false);
