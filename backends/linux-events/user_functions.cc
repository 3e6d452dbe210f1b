// A place has a probe once, however many names it has; a name that several
// places have is told apart by their addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_functions.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include "demangled.h"
#include "elf_image.h"
#include "event_text.h"
#include "name_test.h"
#include "near_names.h"
#include "program_file.h"
#include "usdt_notes.h"

namespace stack9::events {
namespace {

struct function {
	std::string	name;
	std::uint64_t	size = 0;
	bool		global = false;

	// The better one to call it by.
	bool
	operator<(const function &o) const noexcept
	{
		const auto bars = [](const std::string &s) {
			return s.find_first_not_of('_');
		};
		if (global != o.global)
			return global;
		if (bars(name) != bars(o.name))
			return bars(name) < bars(o.name);
		return name < o.name;
	}
};

// What one event's name stands for in one file.
class search {
public:
	search(const event_text &e, const elf_image &image,
	    const name_test &is_meant)
	    : e_(e), image_(image), is_meant_(is_meant) {}

	void
	run()
	{
		// As nm(1) has it, as the source has it, and, of one name, as
		// a library once had it.
		for (const bool source : {false, true}) {
			old_ = !is_meant_.is_exact();
			by_names(source);
			if (!has_found() && !old_) {
				old_ = true;
				by_names(source);
			}
			if (has_found())
				return;
		}
	}
	const std::map<std::uint64_t, function> &found() const
	{
		return found_;
	}
	const std::string &indirect() const { return indirect_; }
	bool has_symbols() const { return any_; }

	template <class F>
	void
	each_symbol(F f) const
	{
		if (image_.each(SHT_DYNSYM, f) || image_.each(SHT_SYMTAB, f))
			return;
		elf_image debug;
		std::string ignored;
		if (const std::string path = image_.debug_file();
		    !path.empty() && debug.open(path, ignored) == 0)
			debug.each(SHT_SYMTAB, f);
	}

private:
	const event_text &e_;
	const elf_image &image_;
	const name_test &is_meant_;
	std::map<std::uint64_t, function> found_;	// by address
	std::string	indirect_;	// an IFUNC that is meant
	bool		any_ = false;
	bool		old_ = false;	// versions for old programs too

	bool
	has_found() const
	{
		return !found_.empty() || !indirect_.empty();
	}

	void
	by_names(bool source)
	{
		for (const unsigned int type : {SHT_DYNSYM, SHT_SYMTAB}) {
			image_.each(type, [&](const elf_image::symbol &s) {
				return take(s, source), false;
			});
			// The name that a library offers is the one meant.
			if (is_meant_.is_exact() && has_found())
				return;
		}
		elf_image debug;
		std::string ignored;
		if (const std::string path = image_.debug_file();
		    !path.empty() && debug.open(path, ignored) == 0)
			debug.each(SHT_SYMTAB, [&](const elf_image::symbol &s) {
				return take(s, source), false;
			});
	}

	void
	take(const elf_image::symbol &s, bool source)
	{
		any_ = true;
		// The unlikely part of a function does not begin one.
		if ((s.old && !old_) || s.name.find(".cold") != s.name.npos)
			return;
		function f{std::string(s.name), s.size, s.global};
		if (source ? !is_meant_source(f.name) : !is_meant_(f.name))
			return;
		if (s.indirect) {
			indirect_ = f.name;
			return;
		}
		std::uint64_t off;
		if (!image_.code_offset(s.address + e_.offset, off) ||
		    (e_.offset != 0 && s.size != 0 && e_.offset >= s.size))
			return;
		const auto [at, is_new] = found_.try_emplace(s.address, f);
		if (!is_new && f < at->second)
			at->second = std::move(f);
	}

	bool
	is_meant_source(const std::string &linkage) const
	{
		const std::string whole = demangled(linkage);
		return !whole.empty() && (is_meant_(whole) ||
		    is_meant_(without_parameters(whole)));
	}
};

void
add(const std::string &path, const std::string &name, std::uint64_t offset,
    std::vector<point> &points)
{
	point p;
	p.kind = point_kind::user;
	p.path = path;
	p.name = name;
	p.offset = offset;
	p.label = "u:" + escaped(path) + ":" + name;
	points.push_back(std::move(p));
}

void
add_all(const search &s, const elf_image &image, const std::string &path,
    std::uint64_t plus, std::vector<point> &points)
{
	std::map<std::string, int> times;
	for (const auto &[address, f] : s.found())
		times[f.name]++;
	for (const auto &[address, f] : s.found()) {
		std::uint64_t off = 0;
		image.code_offset(address + plus, off);
		add(path, times[f.name] > 1 ? to_hex(address + plus) : f.name +
		    (plus == 0 ? "" : "+" + to_hex(plus)), off, points);
	}
}

int
by_address(const elf_image &image, const std::string &path,
    std::uint64_t address, std::vector<point> &points, std::string &why)
{
	std::uint64_t off;
	if (!image.code_offset(address, off)) {
		why = path + " has no code at " + to_hex(address) + "; "
		    "addresses are those of nm(1) and objdump(1)";
		return EINVAL;
	}
	add(path, to_hex(address), off, points);
	return 0;
}

int
is_indirect(const search &s, const std::string &path, const std::string &name,
    std::string &why)
{
	near_names near(name);
	s.each_symbol([&](const elf_image::symbol &x) {
		const std::size_t at = x.name.find(name + "_");
		// The one that chooses is not the one that is meant.
		if (!x.indirect && !x.name.ends_with("_ifunc") &&
		    at != x.name.npos && at == x.name.find_first_not_of('_'))
			near.offer(x.name);
		return false;
	});
	why = name + " of " + path + " is chosen among several functions when "
	    "the program starts (STT_GNU_IFUNC), and has no code of its own";
	if (const std::string list = near.list("u:" + escaped(path) + ":");
	    !list.empty())
		why += ": " + list;
	else
		why += "; their names are in its debug symbols, which are not "
		    "installed, and u:FILE:0xADDRESS is one of them";
	return EOPNOTSUPP;
}

int
none(const event_text &e, const search &s, const elf_image &image,
    const std::string &path, std::string &why)
{
	const std::string file = escaped(path);
	if (!s.has_symbols()) {
		why = path + " has no symbols (it is stripped): install its "
		    "package of debug symbols (on Debian, NAME-dbgsym), or "
		    "give an address, u:" + file + ":0xADDRESS";
		return ENOENT;
	}
	near_names near(e.name);
	bool exists = false;
	s.each_symbol([&](const elf_image::symbol &x) {
		near.offer(x.name);
		exists |= x.name == e.name;
		return false;
	});
	why = path + " has no function " + e.name;
	if (exists && e.offset != 0) {
		why = e.name + " of " + path + " is shorter than " +
		    to_hex(e.offset);
		return EINVAL;
	}
	if (has_probe(image, e.name))
		why += "; the probe of that name is usdt:" + file + ":" +
		    e.name;
	else if (const std::string q = near.question(""); !q.empty())
		why += q;
	else if (image.debug_file().empty())
		why += " among its symbols; more are in its package of debug "
		    "symbols";
	return ENOENT;
}

} // namespace

std::string
escaped(const std::string &path)
{
	std::string s;
	for (const char c : path) {
		if (c == ':' || c == ',')
			s += '\\';
		s += c;
	}
	return s;
}

int
find_user_functions(const event_text &e, bool regex, pid_t pid,
    std::vector<point> &points, std::string &why)
{
	std::string path;
	elf_image image;
	name_test is_meant;
	int error = find_program_file(e.path, pid, path, why);
	if (error == 0)
		error = image.open(path, why);
	if (error == 0)
		error = is_meant.set(e.name, regex, why);
	if (error != 0)
		return error;
	std::uint64_t address;
	if (e.name.starts_with("0x") && to_number(e.name, address))
		return by_address(image, path, address + e.offset, points, why);
	search s(e, image, is_meant);
	s.run();
	add_all(s, image, path, e.offset, points);
	if (!points.empty())
		return 0;
	if (!s.indirect().empty())
		return is_indirect(s, path, s.indirect(), why);
	if (is_meant.is_exact() || !s.has_symbols())
		return none(e, s, image, path, why);
	why = "no function of " + path + " has a name that matches " + e.name;
	return ENOENT;
}

} // namespace stack9::events
