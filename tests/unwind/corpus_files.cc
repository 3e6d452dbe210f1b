// Goes through the folders where a system keeps its code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr const char *folders[] = {
	"/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/sbin",
};

// Folders may be each other's links, files too; a file of two names is one.
using identities = std::set<std::pair<dev_t, ino_t>>;

bool
is_code(int fd)
{
	Elf64_Ehdr header;
	return pread(fd, &header, sizeof header, 0) == sizeof header &&
	    std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
	    header.e_ident[EI_CLASS] == ELFCLASS64 &&
	    header.e_machine == EM_X86_64 &&
	    (header.e_type == ET_DYN || header.e_type == ET_EXEC);
}

void
consider(const fs::path &path, identities &seen, std::vector<std::string> &all)
{
	const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	struct stat st;
	if (is_code(fd) && fstat(fd, &st) == 0 &&
	    seen.emplace(st.st_dev, st.st_ino).second)
		all.push_back(path);
	close(fd);
}

// To open every file of a system would take longer than the test: libraries
// are known by their names, programs by being in a folder of programs or by
// having a name without a suffix.
bool
promising(const fs::path &path)
{
	const std::string name = path.filename();
	return name.find(".so") != name.npos ||
	    name.find('.') == name.npos ||
	    path.parent_path().filename() == "bin";
}

void
walk(const fs::path &folder, identities &seen, std::vector<std::string> &all)
{
	std::error_code error;
	fs::recursive_directory_iterator it(folder,
	    fs::directory_options::skip_permission_denied, error), end;
	while (!error && it != end) {
		if (it->is_regular_file(error) && !it->is_symlink(error) &&
		    promising(it->path()))
			consider(it->path(), seen, all);
		it.increment(error);
	}
}

} // namespace

const std::vector<std::string> &
elf_files()
{
	static const std::vector<std::string> files = [] {
		std::vector<std::string> all;
		identities seen;
		for (const char *folder : folders)
			walk(folder, seen, all);
		std::sort(all.begin(), all.end());
		return all;
	}();
	return files;
}

std::vector<std::string>
spread(const std::vector<std::string> &from, std::size_t n)
{
	if (n == 0 || from.size() <= n)
		return from;
	std::vector<std::string> some;
	for (std::size_t i = 0; i < n; i++)
		some.push_back(from[i * from.size() / n]);
	return some;
}
