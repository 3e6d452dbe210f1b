// Reads Thread.name, a String, whose characters lie in an array.
//
// A collector may move all of these meanwhile: so the words that lead to them
// are read a second time, and have to be the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "thread_name.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "languages/utf8.h"

#include "method.h"
#include "objects.h"

namespace stack9::languages::java {
namespace {

constexpr std::uint32_t most_characters = 1024;

// The objects that lead to the characters.
struct way {
	std::uint64_t	thread = 0, name = 0, characters = 0;
	bool operator==(const way &) const = default;
};

class name_reading {
public:
	name_reading(unwind::memory &m, const layout &l) noexcept
	    : m_(m), l_(l), objects_(m, l) {}

	bool find(std::uint64_t thread, way &);
	bool read(const way &, std::string &to);

private:
	bool is_a(std::uint64_t object, std::string_view name);

	unwind::memory	&m_;
	const layout	&l_;
	objects		objects_;
};

bool
name_reading::find(std::uint64_t thread, way &to)
{
	if (l_.thread_object == none || l_.thread_name == none ||
	    l_.string_value == none)
		return false;
	to.thread = objects_.object_in(thread + l_.thread_object);
	if (to.thread == 0)
		return false;
	to.name = objects_.object_at(to.thread + l_.thread_name);
	if (to.name == 0)
		return false;
	to.characters = objects_.object_at(to.name + l_.string_value);
	return to.characters != 0;
}

bool
name_reading::is_a(std::uint64_t object, std::string_view name)
{
	std::string its;
	return read_class_name(m_, l_, objects_.class_of(object), its) &&
	    its == name;
}

// Gives characters of 8 bits, or of UTF-16, in UTF-8.
void
put_characters(const std::vector<std::uint8_t> &bytes, bool is_wide,
    std::string &to)
{
	const auto unit = [&](std::size_t i) {
		return std::uint32_t{bytes[i]} |
		    (is_wide ? std::uint32_t{bytes[i + 1]} << 8 : 0);
	};
	const std::size_t size = is_wide ? 2 : 1;
	for (std::size_t i = 0; i < bytes.size(); i += size) {
		std::uint32_t c = unit(i);
		if (c == 0)
			return;
		if (c >> 10 == 0x36 && i + 2 * size <= bytes.size() &&
		    unit(i + size) >> 10 == 0x37) {
			i += size;
			c = 0x10000 + ((c & 0x3ff) << 10 | (unit(i) & 0x3ff));
		}
		put_utf8(c, to);
	}
}

// Up to JDK 8 a character has 16 bits, and no member of a String says so.  The
// length of an array lies after its class, and the elements after that, at a
// word's boundary up to JDK 22.
bool
name_reading::read(const way &w, std::string &to)
{
	const std::uint64_t length_at = l_.classes_are_short ? 12 : 16;
	const std::uint64_t first = l_.classes_are_short ? 16 :
	    l_.major < 23 ? 24 : 20;
	std::uint8_t coder = 1;
	std::uint32_t length;
	const bool is_old = l_.major <= 8;
	if (!is_a(w.name, "java.lang.String") ||
	    !is_a(w.characters, is_old ? "[C" : "[B") ||
	    (!is_old && (l_.string_coder == none ||
	    !get(m_, w.name + l_.string_coder, coder))) || coder > 1 ||
	    !get(m_, w.characters + length_at, length))
		return false;
	const std::uint32_t size = is_old ? 2 : 1;
	const std::uint32_t most = most_characters * (coder + 1u);
	std::vector<std::uint8_t> bytes(length > most / size ? most :
	    length * size);
	if (coder == 1 && bytes.size() % 2 != 0)
		return false;
	if (!bytes.empty() && !m_.read(w.characters + first, bytes.data(),
	    bytes.size()))
		return false;
	put_characters(bytes, coder == 1, to);
	return true;
}

} // namespace

std::string
name_of_thread(memory &m, const layout &l, std::uint64_t thread)
{
	name_reading r(m, l);
	way before, after;
	std::string name;
	if (!r.find(thread, before) || !r.read(before, name))
		return {};
	m.forget();
	const bool is_same = r.find(thread, after) && after == before;
	m.remember();
	return is_same ? name : std::string();
}

} // namespace stack9::languages::java
