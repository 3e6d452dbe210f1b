// Keeps each sentence once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sentences.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace stack9::sandbox {
namespace {

constexpr std::size_t many = 32, length_max = 200;

bool
is_plain(std::string_view text) noexcept
{
	return text.size() <= length_max &&
	    std::ranges::all_of(text, [](char c) {
		return c >= ' ' && c <= '~';
	    });
}

} // namespace

const char *
kept_sentence(std::string_view text)
{
	static std::mutex lock;
	static auto &known = *new std::set<std::string, std::less<>>;
	const std::lock_guard hold(lock);
	return known.emplace(text).first->c_str();
}

const char *
sentence_of(std::string_view text)
{
	static std::mutex lock;
	static auto &known = *new std::set<std::string, std::less<>>;
	if (text.empty())
		return nullptr;
	const std::lock_guard hold(lock);
	const auto at = known.find(text);
	if (at != known.end())
		return at->c_str();
	if (known.size() == many || !is_plain(text))
		return "the process that reads files gave no reason";
	return known.emplace(text).first->c_str();
}

} // namespace stack9::sandbox
