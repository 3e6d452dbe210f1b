// Reads /sys and /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include <elf.h>
#include <sys/utsname.h>

#include "tools/lib/clock.h"
#include "tools/lib/proc.h"

namespace stackrecord {

using tools::clock_ns;

namespace {

std::size_t
rounded(std::size_t n)
{
	return (n + 3) & ~std::size_t{3};
}

// Finds the note of the build-id among notes.
std::string
build_id_in(const std::string &notes)
{
	constexpr char owner[] = "GNU";
	for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
		Elf64_Nhdr h;
		std::memcpy(&h, notes.data() + at, sizeof h);
		const std::size_t name = at + sizeof h;
		const std::size_t what = name + rounded(h.n_namesz);
		if (what > notes.size() || h.n_descsz > notes.size() - what)
			break;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == sizeof owner &&
		    std::memcmp(notes.data() + name, owner, sizeof owner) == 0)
			return notes.substr(what, h.n_descsz);
		at = what + rounded(h.n_descsz);
	}
	return {};
}

} // namespace

std::string
kernel_build_id(const std::string &module)
{
	std::ifstream in(module.empty() ? "/sys/kernel/notes" : "/sys/module/" +
	    module + "/notes/.note.gnu.build-id", std::ios::binary);
	return build_id_in({std::istreambuf_iterator<char>(in), {}});
}

void
read_clocks(std::uint64_t &boot_ns, std::int64_t &wall_minus_boot)
{
	boot_ns = clock_ns(CLOCK_BOOTTIME);
	wall_minus_boot = static_cast<std::int64_t>(clock_ns(CLOCK_REALTIME) -
	    boot_ns);
}

void
describe_machine(recording::segment_info &info)
{
	utsname u{};
	if (uname(&u) == 0) {
		info.host = u.nodename;
		info.machine = u.machine;
		info.release = u.release;
	}
	info.machine_id = tools::read_file("/etc/machine-id");
	info.boot_id =
	    tools::read_file("/proc/sys/kernel/random/boot_id");
	info.kernel_build_id = kernel_build_id({});
	read_clocks(info.boot_ns, info.wall_minus_boot);
}

} // namespace stackrecord
