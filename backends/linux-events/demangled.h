// Names of C++ functions as they are in the source.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include <cxxabi.h>

namespace stack9::events {

// "": it is no name of C++.
inline std::string
demangled(const std::string &linkage)
{
	struct freer {
		void operator()(char *p) const noexcept { std::free(p); }
	};
	if (!linkage.starts_with("_Z"))
		return {};
	int status = 0;
	const std::unique_ptr<char, freer> text(abi::__cxa_demangle(
	    linkage.c_str(), nullptr, nullptr, &status));
	return text == nullptr ? std::string() : text.get();
}

// ns::f(int) const to ns::f: up to what the last ) closes.
inline std::string
without_parameters(const std::string &whole)
{
	int depth = 0;
	for (std::size_t i = whole.rfind(')'); i != whole.npos && i > 0; i--) {
		depth += whole[i] == ')';
		depth -= whole[i] == '(';
		if (depth == 0)
			return whole.substr(0, i);
	}
	return whole;
}

} // namespace stack9::events
