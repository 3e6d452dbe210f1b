// Asks the library for its notes of files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_notes.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <new>

#include <fmt/format.h>
#include <stack9.h>

#include "json.h"
#include "text.h"

namespace tools {
namespace {

struct note {
	std::string	file, lacks, meaning;
};

int
add(void *arg, const char *file, const char *lacks, const char *meaning)
    noexcept
try {
	static_cast<std::vector<note> *>(arg)->push_back(
	    {file, lacks, meaning});
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

std::vector<note>
all_notes()
{
	std::vector<note> all;
	stack9_file_notes(add, &all);
	return all;
}

} // namespace

bool
file_lacks(std::string_view file, std::string_view word)
{
	return std::ranges::any_of(all_notes(), [=](const note &n) {
		return n.file == file && n.lacks == word;
	});
}

std::string
listed(const std::set<std::string> &all)
{
	std::string text;
	std::size_t n = 0;
	for (const std::string &path : all)
		if (n++ < 3)
			text += (n > 1 ? ", " : "") + printable(path);
	return all.size() <= 3 ? text : text + " and " +
	    amount(all.size() - 3, "other");
}

std::vector<std::string>
file_notes_text()
{
	std::map<std::string, std::set<std::string>> files;
	for (const note &n : all_notes())
		files[n.meaning].insert(n.file);
	std::vector<std::string> texts;
	for (const auto &[meaning, its] : files)
		texts.push_back(listed(its) + ": " + meaning);
	return texts;
}

std::string
file_notes_json()
{
	std::string text;
	for (const note &n : all_notes())
		text += fmt::format("{}{{{},\"lacks\":\"{}\",{}}}",
		    text.empty() ? "" : ",", json_member("file", n.file),
		    n.lacks, json_member("meaning", n.meaning));
	return text.empty() ? "" : ",\"files\":[" + text + "]";
}

} // namespace tools
