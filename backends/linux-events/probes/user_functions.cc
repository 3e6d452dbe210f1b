// Finds functions of programs and libraries.  A place gets one probe, however
// many names it has; places of the same name are labelled by their addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "elf_image.h"
#include "file_search.h"
#include "function_search.h"
#include "near_names.h"
#include "program_file.h"

namespace stack9::events {
namespace {

void
add(const std::string &name, std::uint64_t offset, std::vector<probe> &probes)
{
	probe p;
	p.kind = probe_kind::user;
	p.name = name;
	p.offset = offset;
	probes.push_back(std::move(p));
}

void
add_all(const function_search &s, const elf_image &image, std::uint64_t plus,
    std::vector<probe> &probes)
{
	std::map<std::string, int> times;
	for (const auto &[address, f] : s.found())
		times[f.name]++;
	for (const auto &[address, f] : s.found()) {
		std::uint64_t off = 0;
		image.code_offset(address + plus, off);
		add(times[f.name] > 1 ? to_hex(address + plus) : f.name +
		    (plus == 0 ? "" : "+" + to_hex(plus)), off, probes);
	}
}

int
by_address(const elf_image &image, const std::string &path,
    std::uint64_t address, std::vector<probe> &probes, std::string &why)
{
	std::uint64_t off;
	if (!image.code_offset(address, off)) {
		why = path + " has no code at " + to_hex(address) + "; "
		    "addresses are those of nm(1) and objdump(1)";
		return EINVAL;
	}
	add(to_hex(address), off, probes);
	return 0;
}

int
is_indirect(const function_search &s, const std::string &path,
    const std::string &name, std::string &why)
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
none(const event_text &e, const function_search &s, const elf_image &image,
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
	else if (elf_image debug; !image.open_debug(debug))
		why += " among its symbols; more are in its package of debug "
		    "symbols";
	return ENOENT;
}

} // namespace

int
search_functions(const event_text &e, bool regex, unique_fd file,
    const std::string &path, std::vector<probe> &probes, std::string &why)
{
	elf_image image;
	name_test is_meant;
	int error = image.open(std::move(file), path, why);
	if (error == 0)
		error = is_meant.set(e.name, regex, why);
	if (error != 0)
		return error;
	std::uint64_t address;
	if (e.name.starts_with("0x") && to_number(e.name, address))
		return by_address(image, path, address + e.offset, probes, why);
	function_search s(e, image, is_meant);
	s.run();
	add_all(s, image, e.offset, probes);
	if (!probes.empty())
		return 0;
	if (!s.indirect().empty())
		return is_indirect(s, path, s.indirect(), why);
	if (is_meant.is_exact() || !s.has_symbols())
		return none(e, s, image, path, why);
	why = "no function of " + path + " has a name that matches " + e.name;
	return ENOENT;
}

} // namespace stack9::events
