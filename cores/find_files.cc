// Finds the files that a core was mapped from: where they were, and by their
// build-ids.  A file that has another build-id is refused.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "images.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/seam/fetch_file.h"
#include "core/seam/reader.h"
#include "process/far_files.h"
#include "process/files.h"

namespace stack9::cores {
namespace {

enum : char { is_program = 'p', is_only_debug = 'd', is_no_elf = 'n' };

// A debug file has the sections of its program without their bytes.
char
kind_of(const process::file &f)
{
	GElf_Shdr h;
	if (!f.is_elf())
		return is_no_elf;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(f.elf(), s)) != nullptr;)
		if (gelf_getshdr(s, &h) != nullptr &&
		    (h.sh_flags & SHF_EXECINSTR) != 0 &&
		    h.sh_type == SHT_NOBITS)
			return is_only_debug;
	return is_program;
}

// Runs where the file may be read.
void
identify_there(unique_fd fd, std::string_view, std::string &answer)
{
	const auto f = process::file_of(std::move(fd), std::string());
	answer.assign(1, kind_of(*f));
	answer.append(f->build_id().begin(), f->build_id().end());
}

struct identity {
	char		kind = is_no_elf;
	build_id_bytes	id;
};

identity
identify(const unique_fd &fd)
{
	std::string answer;
	if (reader *const r = the_reader.load())
		r->run(identify_there, fd.get(), {}, answer);
	else
		identify_there(unique_fd(fcntl(fd.get(), F_DUPFD_CLOEXEC, 0)),
		    {}, answer);
	if (answer.empty())
		return {};
	return {answer[0], {answer.begin() + 1, answer.end()}};
}

// Files without build-ids are compared by their headers.
bool
has_headers(const unique_fd &fd, const image &i)
{
	std::string there(i.headers.size(), '\0');
	return pread(fd.get(), there.data(), there.size(), 0) ==
	    static_cast<ssize_t>(there.size()) && there == i.headers;
}

} // namespace

bool
file_finder::open_there(const std::string &path, unique_fd &fd,
    std::string &as) const
{
	struct stat st;
	if (path.empty() || path[0] != '/')
		return false;
	as = places_.sysroot + path;
	if (places_.sysroot.empty())
		return process::open_wherever(AT_FDCWD, {path.c_str()}, fd,
		    st) == 0;
	const unique_fd root(open(places_.sysroot.c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
	return root && process::open_wherever(root.get(), {path.c_str() + 1, 0,
	    0, RESOLVE_IN_ROOT}, fd, st) == 0;
}

bool
file_finder::find_where_it_was(const std::string &path, const image &i,
    found_file &to) const
{
	unique_fd fd;
	std::string as;
	if (!open_there(path, fd, as)) {
		to.note = path + ": it is not here";
		return false;
	}
	const identity its = identify(fd);
	if (its.kind == is_no_elf) {
		if (i.is_read)
			to.note = path + ": what is there now is not an ELF "
			    "file";
		return false;
	}
	const bool sure = i.is_read && (!i.build_id.empty() || i.may_lack_id);
	if (sure && its.id != i.build_id) {
		to.note = path + ": another file is there now, whose build-id "
		    "is " + (its.id.empty() ? "missing" : hex_of(its.id)) +
		    "; it is not read";
		return false;
	}
	if (sure && its.id.empty() && !has_headers(fd, i)) {
		to.note = path + ": another file is there now, as its headers "
		    "say; it is not read";
		return false;
	}
	if (!sure)
		to.note = path + ": the core does not say its build-id, so "
		    "the file that is there now may be another one";
	to.is_debug_file = its.kind == is_only_debug;
	to.what = process::file_of(std::move(fd), as);
	return true;
}

// Gives no file that has another build-id.
unique_fd
file_finder::find_by_id(const build_id_bytes &id)
{
	if (id.empty())
		return unique_fd();
	auto f = by_id_.find_program(id);
	if (f == nullptr && places_.fetches) {
		reader *const r = the_reader.load();
		unique_fd fd = r != nullptr ? r->fetch(id, file_kind::program) :
		    fetch_by_id(id, file_kind::program);
		if (fd && identify(fd).id == id)
			return fd;
	}
	if (f == nullptr)
		f = by_id_.find(id);
	return f == nullptr ? unique_fd() : unique_fd(fcntl(f->fd(),
	    F_DUPFD_CLOEXEC, 0));
}

found_file
file_finder::find(const std::string &path, bool deleted, const image &i)
{
	found_file to;
	if (find_where_it_was(path, i, to))
		return to;
	const std::string wanted = i.build_id.empty() ? "" :
	    "; the core's build-id is " + hex_of(i.build_id);
	if (unique_fd fd = find_by_id(i.build_id)) {
		to.is_debug_file = identify(fd).kind == is_only_debug;
		// Runtimes say their version in the file's name.
		to.what = process::file_of(std::move(fd), path);
		to.note = to.is_debug_file ? path + ": only its debug file was "
		    "found, so its frames are passed by guesses" : "";
		return to;
	}
	if (deleted)
		to.note = path + ": it was deleted";
	to.note += wanted;
	return to;
}

} // namespace stack9::cores
