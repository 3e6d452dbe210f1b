// Has a core parsed by the process without rights, and checks what it answers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "arch/described.h"
#include "core/seam/reader.h"
#include "os/unique_fd.h"

#include "contents.h"

namespace stack9::cores {
namespace {

template <class T>
void
put(const std::vector<T> &from, std::string &to)
{
	static_assert(std::is_trivially_copyable_v<T>);
	const std::uint64_t n = from.size();
	to.append(reinterpret_cast<const char *>(&n), sizeof n);
	to.append(reinterpret_cast<const char *>(from.data()), n * sizeof(T));
}

bool
take(std::string_view &from, void *to, std::size_t size) noexcept
{
	if (from.size() < size)
		return false;
	std::memcpy(to, from.data(), size);
	from.remove_prefix(size);
	return true;
}

template <class T>
bool
take(std::string_view &from, std::vector<T> &to)
{
	std::uint64_t n = 0;
	if (!take(from, &n, sizeof n) || n > from.size() / sizeof(T))
		return false;
	to.resize(n);
	return n == 0 || take(from, to.data(), n * sizeof(T));
}

// An answer begins with the refusal, an empty one if there is none.
void
parse_there(unique_fd fd, std::string_view, std::string &answer)
{
	contents c;
	const char *const why = parse(fd.get(), c);
	answer = why != nullptr ? why : "";
	answer.push_back('\0');
	if (why == nullptr)
		write(c, answer);
}

// The sentence is shown to people.
std::string
refusal_of(std::string_view said)
{
	const bool good = !said.empty() && said.size() < 200 &&
	    std::all_of(said.begin(), said.end(), [](char c) {
		    return c >= ' ' && c <= '~';
	    });
	return good ? std::string(said) :
	    "the process that reads files gave no answer about it";
}

// Returns true if the walk of this machine's threads is known.
bool
is_walked(const facts &f) noexcept
{
	return arch::with_described(f.machine, [](auto) {}) &&
	    (f.machine == EM_386) == (f.is_32 != 0);
}

} // namespace

void
write(const contents &c, std::string &to)
{
	to.append(reinterpret_cast<const char *>(&c.about), sizeof c.about);
	put(c.threads, to);
	put(c.segments, to);
	put(c.files, to);
	put(c.auxv, to);
	to += c.texts;
}

bool
read(std::string_view from, contents &to)
{
	if (!take(from, &to.about, sizeof to.about) ||
	    !take(from, to.threads) || !take(from, to.segments) ||
	    !take(from, to.files) || !take(from, to.auxv))
		return false;
	to.texts = from;
	to.about.name[sizeof to.about.name - 1] = '\0';
	to.about.arguments[sizeof to.about.arguments - 1] = '\0';
	for (const thread &t : to.threads)
		if (t.size > registers_max || t.floats_size > floats_max ||
		    t.tid < 1)
			return false;
	put_in_order(to);
	return !to.threads.empty() && is_walked(to.about);
}

std::string
parse_apart(int fd, contents &to)
{
	reader *const r = the_reader.load();
	if (r == nullptr) {
		const char *const why = parse(fd, to);
		return why != nullptr ? why : "";
	}
	std::string answer;
	if (!r->run(parse_there, fd, {}, answer))
		return refusal_of({});
	const std::size_t end = answer.find('\0');
	if (end == answer.npos || end != 0)
		return refusal_of(std::string_view(answer).substr(0, end));
	return read(std::string_view(answer).substr(1), to) ? std::string() :
	    refusal_of({});
}

} // namespace stack9::cores
