// Tests names by fnmatch(3), for patterns in which only * and ? are special,
// and by regexec(3).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "name_test.h"

#include <cerrno>
#include <cstring>

#include <fnmatch.h>

namespace stack9::events {

int
name_test::set(const std::string &wanted, bool regex, std::string &why)
{
	text = wanted;
	if (!regex) {
		kind = text.find_first_of("*?") == text.npos ? kinds::exact :
		    kinds::pattern;
		pattern.clear();
		for (const char c : text) {
			if (c == '[' || c == '\\')
				pattern += '\\';
			pattern += c;
		}
		return 0;
	}
	if (text.find_first_of(".[]*+?(){}|^$\\") == text.npos) {
		kind = kinds::exact;
		return 0;
	}
	kind = kinds::regex;
	auto made = std::make_unique<regex_t>();
	const int error = regcomp(made.get(), ("^(" + text + ")$").c_str(),
	    REG_EXTENDED | REG_NOSUB);
	if (error != 0) {
		char said[100];
		regerror(error, made.get(), said, sizeof said);
		why = text + " is not a POSIX extended regular expression: " +
		    said;
		return EINVAL;
	}
	compiled.reset(made.release());
	return 0;
}

bool
name_test::begins_anyhow() const noexcept
{
	return kind != kinds::exact && (text.empty() ||
	    std::strchr(kind == kinds::pattern ? "*?" : "*?.[(|", text[0]));
}

bool
name_test::operator()(const char *name) const noexcept
{
	switch (kind) {
	case kinds::exact:
		return text == name;
	case kinds::pattern:
		return fnmatch(pattern.c_str(), name, 0) == 0;
	case kinds::regex:
		return regexec(compiled.get(), name, 0, nullptr, 0) == 0;
	}
	return false;
}

} // namespace stack9::events
