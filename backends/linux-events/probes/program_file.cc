// Finds programs and libraries.  A file that the process has mapped comes
// first: its functions are in that file, even if its name has changed since or
// is another one here.  If not, a library is found as by the dynamic linker.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "program_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include <glob.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/proc_task.h"
#include "os/strangers_file.h"
#include "os/unique_dir.h"
#include "process/maps_line.h"

namespace stack9::events {
namespace {

namespace fs = std::filesystem;
using stack9::process::maps_line, stack9::process::parse_maps_line;
using paths = std::vector<std::string>;

bool
is_elf(const std::string &path)
{
	unique_fd f;
	char magic[EI_NIDENT];
	return open_regular(path.c_str(), f) == 0 &&
	    pread(f.get(), magic, sizeof magic, 0) == sizeof magic &&
	    std::memcmp(magic, ELFMAG, SELFMAG) == 0 &&
	    magic[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32);
}

bool
is_same(const std::string &a, const std::string &b)
{
	struct stat x, y;
	return stat(a.c_str(), &x) == 0 && stat(b.c_str(), &y) == 0 &&
	    x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// True if a file named libNAME.so.VERSION, NAME.so or libNAME-VERSION.so is
// meant.
bool
is_library(std::string_view base, std::string_view wanted)
{
	if (base == wanted)
		return true;
	const std::size_t so = base.find(".so");
	if (so == base.npos)
		return false;
	if (base.substr(0, so + 3) == wanted)	// libc.so for libc.so.6
		return true;
	std::string_view stem = base.substr(0, so);
	if (!wanted.starts_with("lib") && stem.starts_with("lib"))
		stem.remove_prefix(3);
	if (!stem.starts_with(wanted))
		return false;
	stem.remove_prefix(wanted.size());
	return stem.empty() || (stem.size() > 1 && stem[0] == '-' &&
	    stem.find_first_not_of("0123456789.", 1) == stem.npos);
}

paths
expand(const std::string &pattern)
{
	paths found;
	glob_t g;
	if (glob(pattern.c_str(), 0, nullptr, &g) == 0)
		found.assign(g.gl_pathv, g.gl_pathv + g.gl_pathc);
	globfree(&g);
	return found;
}

// The folders of /etc/ld.so.conf and what that includes.
void
read_conf(const std::string &file, int depth, paths &dirs)
{
	std::ifstream in(file);
	for (std::string line; std::getline(in, line);) {
		line.resize(std::min(line.find('#'), line.size()));
		std::istringstream words(line);
		std::string word;
		if (!(words >> word))
			continue;
		if (word == "include") {
			while (depth > 0 && words >> word)
				for (const std::string &f : expand(
				    word[0] == '/' ? word : "/etc/" + word))
					read_conf(f, depth - 1, dirs);
		} else if (word[0] == '/')
			dirs.push_back(word);
	}
}

void
split_path(const char *list, paths &dirs)
{
	std::istringstream in(list != nullptr ? list : "");
	for (std::string dir; std::getline(in, dir, ':');)
		dirs.push_back(dir.empty() ? "." : dir);
}

paths
library_dirs()
{
	paths dirs;
	split_path(std::getenv("LD_LIBRARY_PATH"), dirs);
	read_conf("/etc/ld.so.conf", 4, dirs);
	for (const char *dir : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"})
		dirs.emplace_back(dir);
	return dirs;
}

// Finds the newest version.  If that has several names, the shortest of them
// with a version is returned: libc.so.6.
std::string
library_in(const std::string &dir, const std::string &name)
{
	if (const std::string path = dir + "/" + name; is_elf(path))
		return path;
	paths all;
	const unique_dir files = open_dir(dir.c_str());
	while (const dirent *const file = files == nullptr ? nullptr :
	    readdir(files.get()))
		if (is_library(file->d_name, name) &&
		    is_elf(dir + "/" + file->d_name))
			all.push_back(dir + "/" + file->d_name);
	if (all.empty())
		return {};
	const std::string newest = *std::max_element(all.begin(), all.end(),
	    [](const std::string &a, const std::string &b) {
		return strverscmp(a.c_str(), b.c_str()) < 0; });
	std::string best = newest;
	for (const std::string &path : all)
		if (path.size() < best.size() && is_same(path, newest) &&
		    path.find(".so.") != path.npos)
			best = path;
	return best;
}

bool
find_library(const std::string &name, std::string &path)
{
	for (const std::string &dir : library_dirs())
		if (path = library_in(dir, name); !path.empty())
			return true;
	return false;
}

bool
find_command(const std::string &name, std::string &path)
{
	paths dirs;
	split_path(std::getenv("PATH"), dirs);
	for (const std::string &dir : dirs)
		if (path = dir + "/" + name;
		    access(path.c_str(), X_OK) == 0 && is_elf(path))
			return true;
	return false;
}

// The path as the process sees it; it leads through the process's root if that
// is another one.
std::string
in_root_of(pid_t pid, const std::string &path)
{
	const std::string there = "/proc/" + std::to_string(pid) + "/root" +
	    path;
	return is_same(path, there) ? path : there;
}

// The path of one line of maps, whose file may be deleted.
std::string
mapped_path(pid_t pid, const std::string &range, std::string path)
{
	constexpr std::string_view gone = " (deleted)";
	if (!path.ends_with(gone))
		return in_root_of(pid, path);
	return "/proc/" + std::to_string(pid) + "/map_files/" + range;
}

int
find_mapped(const std::string &name, pid_t pid, std::string &path,
    std::string &why)
{
	const std::string proc = "/proc/" + std::to_string(pid);
	proc_file maps;
	if (const int error = maps.open(AT_FDCWD, (proc + "/maps").c_str());
	    error != 0) {
		why = proc + "/maps: " + std::strerror(error);
		return error;
	}
	std::ifstream in(proc + "/maps");
	for (std::string line; std::getline(in, line);) {
		maps_line m;
		if (!parse_maps_line(line, m) || !m.executable ||
		    !m.path.starts_with('/'))
			continue;
		const std::string file(m.path);
		const std::string base = file.substr(file.rfind('/') + 1);
		if (!is_library(base.substr(0, base.find(' ')), name))
			continue;
		path = mapped_path(pid, line.substr(0, line.find(' ')), file);
		return 0;
	}
	return ENOENT;
}

int
not_found(const std::string &file, pid_t pid, std::string &why)
{
	if (file.find('/') != file.npos)
		why = file + ": " + std::strerror(ENOENT);
	else
		why = "no file " + file + ": " + (pid != 0 ?
		    "the process has not mapped it, and " : "") +
		    "neither $PATH nor /etc/ld.so.conf's folders have a "
		    "program or library of that name; give its path";
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
find_program_file(const std::string &file, pid_t pid, std::string &path,
    std::string &why)
{
	if (file.empty() && pid == 0) {
		why = "FILE is missing: u:FILE:NAME; only with -p it can be "
		    "left out, and is that process's program";
		return EINVAL;
	}
	if (file.empty()) {
		path = "/proc/" + std::to_string(pid) + "/exe";
		char name[4096];
		const ssize_t n = readlink(path.c_str(), name, sizeof name);
		if (n > 0)
			if (const std::string real(name,
			    static_cast<std::size_t>(n)); is_same(real, path))
				path = real;
	} else if (file.find('/') != file.npos) {
		path = file;
		if (pid != 0 && file[0] == '/' && access(in_root_of(pid,
		    file).c_str(), F_OK) == 0)
			path = in_root_of(pid, file);
		else if (file[0] != '/')
			path = fs::absolute(file).lexically_normal();
	} else {
		if (file.find_first_of("*?[") != file.npos) {
			why = file + ": FILE is not a pattern; name one file";
			return EINVAL;
		}
		const int error = pid == 0 ? ENOENT :
		    find_mapped(file, pid, path, why);
		const bool library = file.starts_with("lib") ||
		    file.find(".so") != file.npos;
		if (error != 0 && error != ENOENT)
			return error;
		if (error != 0 && !(library && find_library(file, path)) &&
		    !find_command(file, path) &&
		    !(!library && find_library(file, path)))
			path = fs::absolute(file).lexically_normal();
	}
	return access(path.c_str(), F_OK) == 0 ? 0 : not_found(file, pid, why);
}

bool
is_program_file(const std::string &file, pid_t pid)
{
	std::string path, unused;
	return !file.empty() && find_program_file(file, pid, path, unused) ==
	    0 && is_elf(path);
}

} // namespace stack9::events
