// Reads CV, GV, HV, HEK and COP (cv.h, gv.h, hv.h, cop.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <algorithm>

namespace stack9::languages::perl {
namespace {

constexpr std::uint64_t longest = 1024;

// A key that is not marked as UTF-8 is of Latin-1.
bool
read_hek(unwind::memory &m, std::uint64_t at, std::string &to)
{
	constexpr std::uint8_t is_utf8 = 1;
	std::int32_t length;
	std::uint8_t flags;
	to.clear();
	if (at == 0 || !m.read(at + hek_length, &length, sizeof length) ||
	    length < 0)
		return false;
	const std::uint64_t n = std::min<std::uint64_t>(
	    static_cast<std::uint32_t>(length), longest);
	std::string raw(n, '\0');
	if ((n != 0 && !m.read(at + hek_key, raw.data(), n)) ||
	    !m.read(at + hek_key + static_cast<std::uint32_t>(length) + 1,
	    &flags, sizeof flags))
		return false;
	for (const char c : raw.substr(0, raw.find('\0'))) {
		const auto byte = static_cast<unsigned char>(c);
		if (byte < 0x80 || (flags & is_utf8) != 0) {
			to.push_back(c);
			continue;
		}
		to.push_back(static_cast<char>(0xc0 | byte >> 6));
		to.push_back(static_cast<char>(0x80 | (byte & 0x3f)));
	}
	return true;
}

// The name of a package is in what a hash has beside its keys.  A package with
// several names has a list of them.
bool
stash_name(unwind::memory &m, const layout &l, std::uint64_t hv,
    std::string &to)
{
	constexpr std::uint32_t has_aux = 0x02000000, type = 0xff, hash = 12;
	std::uint32_t flags;
	std::uint64_t any, aux, name, array, max;
	std::int32_t count;
	if (hv == 0 || !m.read(hv + sv_flags, &flags, sizeof flags) ||
	    (flags & type) != hash || (flags & has_aux) == 0 ||
	    !m.word(hv + sv_any, any))
		return false;
	aux = any + hv_aux;
	if (!l.aux_in_body) {
		if (!m.word(hv + sv_u, array) || !m.word(any + hv_max, max) ||
		    max > 1 << 24)
			return false;
		aux = array + 8 * (max + 1);
	}
	return m.word(aux + aux_name, name) &&
	    m.read(aux + aux_name_count, &count, sizeof count) &&
	    (count == 0 || m.word(name, name)) && read_hek(m, name, to);
}

// Gives what the glob is of: the one that it was made for.
bool
effective_glob(unwind::memory &m, std::uint64_t gv, std::uint64_t &body)
{
	std::uint64_t gp, egv;
	if (gv == 0 || !m.word(gv + sv_u, gp))
		return false;
	if (gp != 0 && m.word(gp + gp_egv, egv) && egv != 0)
		gv = egv;
	return m.word(gv + sv_any, body);
}

std::string
full_name(unwind::memory &m, const layout &l, std::uint64_t hek,
    std::uint64_t stash)
{
	std::string package, name;
	if (!read_hek(m, hek, name))
		return "";
	return (stash_name(m, l, stash, package) ? package : "__ANON__") +
	    "::" + name;
}

} // namespace

std::string
name_of_glob(unwind::memory &m, const layout &l, std::uint64_t gv)
{
	std::uint64_t hek, stash, body;
	return effective_glob(m, gv, body) && m.word(body + gv_name, hek) &&
	    m.word(body + gv_stash, stash) ? full_name(m, l, hek, stash) : "";
}

std::string
sub_name(unwind::memory &m, const layout &l, std::uint64_t cv)
{
	std::uint64_t any, name, stash;
	std::uint32_t flags;
	std::string its;
	if (cv == 0 || !m.word(cv + sv_any, any) ||
	    !m.read(any + cv_flags, &flags, sizeof flags) ||
	    !m.word(any + cv_name, name))
		return "";
	if ((flags & is_named) == 0)
		return name_of_glob(m, l, name);
	if ((flags & is_lexical) != 0)
		return read_hek(m, name, its) ? its : "";
	return m.word(any + cv_stash, stash) ? full_name(m, l, name, stash) :
	    "";
}

// Without threads the file is a glob of the name "_<file".
line_of_file
place_of(unwind::memory &m, const layout &l, std::uint64_t cop)
{
	line_of_file to;
	std::uint64_t file, body;
	if (cop == 0 || !m.read(cop + cop_line, &to.line, sizeof to.line) ||
	    !m.word(cop + cop_file, file) || file == 0)
		return {};
	if (to.line > INT32_MAX)
		to.line = 0;
	if (!l.has_threads) {
		if (m.word(file + sv_any, body) &&
		    m.word(body + gv_name, file) &&
		    read_hek(m, file, to.file) && to.file.starts_with("_<"))
			to.file.erase(0, 2);
		return to;
	}
	for (char c; to.file.size() < longest && m.read(file +
	    to.file.size(), &c, 1) && c != '\0'; )
		to.file.push_back(c);
	return to;
}

} // namespace stack9::languages::perl
