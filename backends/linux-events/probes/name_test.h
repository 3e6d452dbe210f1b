// Tests whether a name is meant: itself, by a pattern with * and ?, or by a
// regular expression that matches it as a whole.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include <regex.h>

namespace stack9::events {

class name_test {
public:
	// 0; or EINVAL: it is not a regular expression.
	int set(const std::string &wanted, bool regex, std::string &why);

	// True if only that name itself is meant.
	bool is_exact() const noexcept { return kind == kinds::exact; }
	const std::string &wanted() const noexcept { return text; }
	// True if nothing says how the name begins.
	bool begins_anyhow() const noexcept;
	bool operator()(const char *name) const noexcept;
	bool
	operator()(const std::string &name) const noexcept
	{
		return (*this)(name.c_str());
	}

private:
	struct ender {
		void
		operator()(regex_t *r) const noexcept
		{
			regfree(r);
			delete r;
		}
	};
	enum class kinds { exact, pattern, regex } kind = kinds::exact;
	std::string	text, pattern;
	std::unique_ptr<regex_t, ender> compiled;
};

} // namespace stack9::events
