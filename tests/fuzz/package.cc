// Reads any bytes as a package of .dwo files, and each unit that its index may
// have as a .dwo file; and as a file that names its common parts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <string>

#include <fcntl.h>
#include <libelf.h>

#include "budgets/kept.h"
#include "core/seam/record.h"
#include "symbols/elf_notes.h"
#include "symbols/opened_elf.h"
#include "symbols/package_file.h"

#include "fuzz.h"

namespace {

// The package is found beside a name that leads to the open file.
struct beside {
	std::string	path = "/tmp/stack9-fuzz-package-" +
			    std::to_string(getpid());
	int		fd;

	beside(const std::uint8_t *data, std::size_t size)
	{
		const int package = creat((path + ".dwp").c_str(), 0600);
		fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || package < 0 || write(package, data, size) !=
		    static_cast<ssize_t>(size))
			fail("no file can be made");
		close(package);
	}
	~beside()
	{
		close(fd);
		unlink((path + ".dwp").c_str());
		unlink(path.c_str());
	}
};

void
read_common_link(const std::uint8_t *data, std::size_t size)
{
	const int fd = file_of(data, size);
	elf_version(EV_CURRENT);
	if (Elf *const elf = elf_begin(fd, ELF_C_READ, nullptr)) {
		stack9::common_link link;
		if (stack9::find_common_link(fd, elf, link) &&
		    (link.name.size() > size || link.sum.size() > size))
			fail("more than the file has");
		elf_end(elf);
	}
	close(fd);
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	read_common_link(data, size);
	const beside files(data, size);
	stack9::package_file p;
	stack9::budgets::share share;
	p.look_beside(files.path, files.fd, ".dwp");
	// The index has the numbers of its units somewhere.
	constexpr std::size_t most = 4096;
	for (std::size_t at = 0; at + 8 <= size && at < most; at += 8) {
		std::uint64_t id;
		std::memcpy(&id, data + at, sizeof id);
		(void)p.unit(id, share);
	}
	return 0;
}
