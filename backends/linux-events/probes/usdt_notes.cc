// Reads .note.stapsdt as systemtap's UserSpaceProbeImplementation describes it.
// A note has an address, the address of the base at that time, the address of
// the semaphore; then provider, name and arguments, each with its NUL.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_image.h"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "file_search.h"
#include "name_test.h"
#include "near_names.h"

namespace stack9::events {
namespace {

constexpr std::uint32_t stapsdt_type = 3;

struct noted_probe {
	std::uint64_t	address, base, semaphore;
	std::string	provider, name;
};

template <class word>
std::uint64_t
number(std::string_view text, std::size_t i)
{
	word w;
	std::memcpy(&w, text.data() + i * sizeof w, sizeof w);
	return w;
}

// False: the note is cut short.
bool
parse(std::string_view text, bool wide, noted_probe &p)
{
	const std::size_t size = wide ? 8 : 4;
	if (text.size() < 3 * size)
		return false;
	const auto at = wide ? number<std::uint64_t> : number<std::uint32_t>;
	p.address = at(text, 0);
	p.base = at(text, 1);
	p.semaphore = at(text, 2);
	text.remove_prefix(3 * size);
	const std::size_t first = text.find('\0');
	const std::size_t second = first == text.npos ? first :
	    text.find('\0', first + 1);
	if (second == text.npos)
		return false;
	p.provider = text.substr(0, first);
	p.name = text.substr(first + 1, second - first - 1);
	return true;
}

template <class F>
void
each_probe(const elf_image &image, F f)
{
	GElf_Shdr h;
	Elf_Data *const data = image.data_of(".note.stapsdt");
	if (data == nullptr)
		return;
	const bool wide = image.is_64();
	// A file that was relocated as a whole has its base elsewhere now.
	std::uint64_t base = 0;
	if (image.section(".stapsdt.base", h) != nullptr)
		base = h.sh_addr;
	GElf_Nhdr note;
	std::size_t name, text;
	for (std::size_t at = 0; (at = gelf_getnote(data, at, &note, &name,
	    &text)) != 0;) {
		noted_probe p;
		const auto *const bytes = static_cast<const char *>(
		    data->d_buf);
		if (note.n_type != stapsdt_type ||
		    !parse({bytes + text, note.n_descsz}, wide, p))
			continue;
		if (base != 0 && p.base != 0) {
			p.address += base - p.base;
			if (p.semaphore != 0)
				p.semaphore += base - p.base;
		}
		f(p);
	}
}

void
add(const elf_image &image, const noted_probe &found,
    std::vector<probe> &probes)
{
	probe p;
	p.kind = probe_kind::usdt;
	p.provider = found.provider;
	p.name = found.name;
	if (!image.code_offset(found.address, p.offset) ||
	    (found.semaphore != 0 &&
	    !image.offset(found.semaphore, p.semaphore)))
		return;
	for (const probe &o : probes)
		if (o.offset == p.offset && o.provider == p.provider &&
		    o.name == p.name)
			return;
	probes.push_back(std::move(p));
}

int
none(const event_text &e, const elf_image &image, const std::string &path,
    std::string &why)
{
	near_names near(e.name);
	bool any = false;
	each_probe(image, [&](const noted_probe &p) {
		any = true;
		near.offer(p.name);
	});
	why = any ? path + " declares no probe " + (e.provider.empty() ? "" :
	    e.provider + ":") + e.name + near.question("") + " (readelf -n "
	    "lists them)" : path + " declares no probes (USDT; it has no "
	    ".note.stapsdt): a function of it is u:FILE:NAME";
	return ENOENT;
}

} // namespace

bool
has_probe(const elf_image &image, const std::string &name)
{
	bool found = false;
	each_probe(image, [&](const noted_probe &p) {
		found |= p.name == name;
	});
	return found;
}

int
search_probes(const event_text &e, bool regex, unique_fd file,
    const std::string &path, std::vector<probe> &probes, std::string &why)
{
	elf_image image;
	name_test provider, name;
	int error = image.open(std::move(file), path, why);
	if (error == 0)
		error = provider.set(e.provider, regex, why);
	if (error == 0)
		error = name.set(e.name, regex, why);
	if (error != 0)
		return error;
	each_probe(image, [&](const noted_probe &p) {
		if (name(p.name) && (e.provider.empty() ||
		    provider(p.provider)))
			add(image, p, probes);
	});
	return probes.empty() ? none(e, image, path, why) : 0;
}

} // namespace stack9::events
