// Who names addresses of this process: us, and who else is there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

class namer {
public:
	namer() = default;
	namer(const namer &) = delete;
	namer &operator=(const namer &) = delete;
	virtual ~namer() = default;

	// What has to be done once; false: cannot.
	virtual bool open() { return true; }
	// Of a return address; "": none.
	virtual std::string_view name(std::uintptr_t pc) = 0;
	// 0: none.
	virtual unsigned line(std::uintptr_t) { return 0; }
};

// NULL: not here.
std::unique_ptr<namer> namer_called(std::string_view name);

std::unique_ptr<namer> make_libbacktrace();	// names_libbacktrace.cc
