// Declares the peers that name addresses of this process, us among them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

class namer {
public:
	namer() = default;
	namer(const namer &) = delete;
	namer &operator=(const namer &) = delete;
	virtual ~namer() = default;

	// Does the work that is done once; false: it cannot.
	virtual bool open() { return true; }
	// How long the name of a return address is; 0: it has none.  A peer
	// gives the name in its own way, and nobody copies it.
	virtual std::size_t name_length(std::uintptr_t pc) = 0;
	// 0: none.
	virtual unsigned line(std::uintptr_t) { return 0; }
};

// NULL: not here.
std::unique_ptr<namer> namer_called(std::string_view name);

std::unique_ptr<namer> make_libbacktrace();	// names_libbacktrace.cc
