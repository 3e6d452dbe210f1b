// Writes the modules of the process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "parts.h"

#include <cstdio>
#include <cstring>

#include "os/proc_task.h"
#include "process/maps_line.h"
#include "symbols/image.h"
#include "unwind/module.h"

#include "text.h"

namespace stack9::crash {
namespace {

// Writes what identifies the place in the file, wherever that is mapped: the
// address in its ELF image, and the build-id.
void
write_place(text &to, std::uintptr_t pc) noexcept
{
	unwind::loaded_module found;
	build_id id;
	if (unwind::find_module(pc, found)) {
		id = mapped_build_id(found.begin, found.end, found.bias);
		to.hex(pc - found.bias) << " ";
	} else
		to << "- ";
	if (id.size == 0)
		to << "-";
	for (std::uint32_t i = 0; i < id.size && i < sizeof id.data; i++) {
		constexpr char digits[] = "0123456789abcdef";
		const char both[] = {digits[id.data[i] >> 4],
		    digits[id.data[i] & 15]};
		to << std::string_view(both, 2);
	}
}

void
write_module(text &to, std::string_view text_of_line) noexcept
{
	process::maps_line line;
	if (!process::parse_maps_line(text_of_line, line) ||
	    !line.executable || line.path.empty())
		return;
	to << "    ";
	to.hex(line.start, 12) << "-";
	to.hex(line.end, 12) << " ";
	to.hex(line.offset) << " ";
	write_place(to, line.start);
	(to << " ").name(line.path) << "\n";
}

} // namespace

void
write_modules::run(tracing::tracer &) noexcept
{
	char path[32], buffer[8192];
	proc_file maps;
	text to(what_.fd);
	std::snprintf(path, sizeof path, "/proc/%d/maps", what_.pid);
	to << "modules: mapping, offset in the file, address in it, build-id, "
	    "file\n";
	if (maps.open(AT_FDCWD, path) != 0) {
		to << "    " << path << " cannot be opened\n";
		return;
	}
	std::size_t kept = 0, got = 0;
	while ((got = static_cast<std::size_t>(std::max<ssize_t>(0,
	    ::read(maps.get(), buffer + kept, sizeof buffer - kept)))) != 0) {
		std::string_view rest(buffer, kept + got);
		for (std::size_t end; (end = rest.find('\n')) != rest.npos;
		    rest.remove_prefix(end + 1))
			write_module(to, rest.substr(0, end));
		kept = rest.size() < sizeof buffer ? rest.size() : 0;
		std::memmove(buffer, rest.data(), kept);
	}
}

} // namespace stack9::crash
