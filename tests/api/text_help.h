// Writes and reads the text form of stacks, for tests.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "child.h"

namespace texts {

using api::sample, api::space;

inline int
take_text(std::string &to, const stack9_sample *s)
{
	return stack9_write_text(s, 0, [](void *arg, const char *text,
	    std::size_t n) {
		static_cast<std::string *>(arg)->append(text, n);
	}, &to);
}

inline std::string
text_of(const stack9_sample *s)
{
	std::string to;
	BOOST_TEST_REQUIRE(take_text(to, s) == 0, stack9_reason());
	return to;
}

inline space
space_of(const std::vector<std::string> &paths)
{
	std::vector<const char *> all;
	for (const std::string &p : paths)
		all.push_back(p.c_str());
	stack9_space *made = nullptr;
	BOOST_TEST_REQUIRE(stack9_space_open_build_ids(all.data(),
	    static_cast<std::uint32_t>(all.size()), &made) == 0);
	return space(made);
}

inline int
read(const space &by, const std::string &text, sample &to,
    std::size_t *used = nullptr)
{
	stack9_sample *made = nullptr;
	const int error = stack9_read_text(by.get(), text.data(), text.size(),
	    used, &made);
	to.reset(made);
	return error;
}

} // namespace texts
