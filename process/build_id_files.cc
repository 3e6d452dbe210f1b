// Looks for files at the places that their build-ids name, and reads those of
// plain files once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "build_id_files.h"

#include <cerrno>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>

#include "core/seam/reader.h"
#include "os/strangers_file.h"

#include "files.h"

namespace stack9::process {
namespace {

// Runs where the file may be read.  That may be another process.
void
give_build_id(unique_fd fd, std::string_view, std::string &answer)
{
	const auto f = file_of(std::move(fd), std::string());
	const auto &id = f->build_id();
	answer.assign(id.begin(), id.end());
}

// Empty: it has none, or is no ELF file.
build_id_bytes
id_of(int fd)
{
	std::string id;
	if (reader *const r = the_reader.load())
		r->run(give_build_id, fd, {}, id);
	else
		give_build_id(unique_fd(fcntl(fd, F_DUPFD_CLOEXEC, 0)), {}, id);
	return {id.begin(), id.end()};
}

std::shared_ptr<file>
open_with(const std::string &path, const build_id_bytes &id)
{
	unique_fd fd;
	return open_regular(path.c_str(), fd) != 0 || id_of(fd.get()) != id ?
	    nullptr : file_of(std::move(fd), path);
}

std::string
hex_of(const build_id_bytes &id)
{
	std::string text;
	for (const unsigned char b : id) {
		text += "0123456789abcdef"[b >> 4];
		text += "0123456789abcdef"[b & 15];
	}
	return text;
}

} // namespace

// A debug file comes first: it has the symbols and lines that its program may
// have lost.
std::shared_ptr<file>
build_id_files::find(const build_id_bytes &id)
{
	if (id.size() < 2)
		return nullptr;
	const std::string hex = hex_of(id), by_id = "/.build-id/" +
	    hex.substr(0, 2) + '/' + hex.substr(2);
	for (const std::string &dir : paths_)
		for (const std::string &at : {dir + by_id + ".debug",
		    dir + by_id, dir + '/' + hex + "/debuginfo",
		    dir + '/' + hex + "/executable"})
			if (auto f = open_with(at, id))
				return f;
	if (!indexed_)
		index();
	const auto plain = by_id_.find(id);
	return plain == by_id_.end() ? nullptr : open_with(plain->second, id);
}

std::shared_ptr<file>
build_id_files::find_program(const build_id_bytes &id)
{
	if (id.size() < 2)
		return nullptr;
	const std::string hex = hex_of(id);
	for (const std::string &dir : paths_)
		for (const std::string &at : {dir + "/.build-id/" +
		    hex.substr(0, 2) + '/' + hex.substr(2),
		    dir + '/' + hex + "/executable"})
			if (auto f = open_with(at, id))
				return f;
	if (!indexed_)
		index();
	const auto plain = by_id_.find(id);
	return plain == by_id_.end() ? nullptr : open_with(plain->second, id);
}

void
build_id_files::index()
{
	indexed_ = true;
	for (const std::string &path : paths_) {
		add(path);
		add_directory(path);
	}
}

// The first file of a build-id is the one.
void
build_id_files::add(const std::string &path)
{
	if (looked_at_++ >= most_files)
		return;
	unique_fd fd;
	if (open_regular(path.c_str(), fd) != 0)
		return;
	if (build_id_bytes id = id_of(fd.get()); !id.empty())
		by_id_.emplace(std::move(id), path);
}

void
build_id_files::add_directory(const std::string &path)
{
	const std::unique_ptr<DIR, int (*)(DIR *)> dir(opendir(path.c_str()),
	    closedir);
	if (dir == nullptr)
		return;
	while (const dirent *const e = readdir(dir.get()))
		if (e->d_type != DT_DIR)
			add(path + '/' + e->d_name);
}

} // namespace stack9::process
