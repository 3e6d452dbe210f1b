// Reads files and pipes whole.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <cctype>
#include <fstream>
#include <iterator>

#include <unistd.h>

namespace lib {

std::string
contents(const std::string &path)
{
	std::ifstream in(path, std::ios::binary);
	return {std::istreambuf_iterator<char>(in), {}};
}

std::string
read_all(int fd)
{
	std::string all;
	char some[4096];
	for (ssize_t n; (n = read(fd, some, sizeof some)) > 0;)
		all.append(some, static_cast<std::size_t>(n));
	return all;
}

std::string
status_value(pid_t tid, const std::string &key)
{
	std::ifstream in("/proc/" + std::to_string(tid) + "/status");
	for (std::string line; std::getline(in, line);)
		if (line.starts_with(key + ":\t"))
			return line.substr(key.size() + 2);
	return "";
}

unsigned long
number_before(const std::string &text, const std::string &words)
{
	const std::size_t to = text.rfind(' ' + words);
	std::string digits;
	for (std::size_t i = to; to != text.npos && i != 0 &&
	    (std::isdigit(static_cast<unsigned char>(text[i - 1])) != 0 ||
	    text[i - 1] == ','); i--)
		if (text[i - 1] != ',')
			digits.insert(0, 1, text[i - 1]);
	return digits.empty() ? 0 : std::stoul(digits);
}

} // namespace lib
