// Opens each file once and remembers it by the device and inode that fstat(2)
// gives.  If maps shows the same device and inode, that is enough to find it.
// On btrfs and overlayfs maps shows another device, so a file is opened before
// it is found to be open already.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "files.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include <pthread.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "budgets/environment.h"
#include "budgets/left_out.h"
#include "core/seam/reader.h"
#include "os/forked_lock.h"

#include "file_cache.h"
#include "file_id.h"
#include "open_mapped.h"
#include "tables.h"

namespace stack9::process {

constinit unwind::rule_table file_rules;

void
forget_rules() noexcept
{
	file_rules.forget();
}

namespace {

constinit file_ids ids;

struct file_closer {
	void
	operator()(file *f) const noexcept
	{
		const std::uint16_t id = f->id();
		delete f;
		if (id != 0)
			ids.give_back(id);
	}
};

// The lock is never held while a file is opened or read, or its lock taken.
constinit std::mutex lock;
constinit file_cache *cache;		// made at first use, never freed

// Threads that the child does not have may have held the locks.  A cache that
// was being changed is left alone; descriptors and tables stay valid.
void
in_child() noexcept
{
	if (free_in_child(lock))
		cache = nullptr;
	if (cache != nullptr)
		cache->each([](file &f) noexcept { f.leave_in_child(); });
}

const int at_fork = pthread_atfork(nullptr, nullptr, in_child);

file_cache &
made()
{
	if (cache == nullptr) {
		budgets::take_environment();
		cache = new file_cache;
	}
	return *cache;
}

template <class... T>
std::shared_ptr<file>
make(T &&...of)
{
	std::uint16_t id;
	{
		const std::lock_guard hold(lock);
		id = ids.take(forget_rules);
	}
	std::shared_ptr<file> f;
	try {
		f.reset(new file(id, std::forward<T>(of)...,
		    the_unwinder() != nullptr), file_closer());
	} catch (...) {
		if (id != 0)
			ids.give_back(id);
		throw;
	}
	f->cfi = std::make_unique<tables>();
	return f;
}

bool
close_unused() noexcept
{
	const std::lock_guard hold(lock);
	return cache != nullptr && cache->drop_unused(0);
}

int
open_somehow(const owner &of, const mapping &m, unique_fd &fd, struct stat &st)
    noexcept
{
	int error = open_mapped(of.task, m, fd, st);
	if ((error == EMFILE || error == ENFILE) && close_unused())
		error = open_mapped(of.task, m, fd, st);
	if (error == EMFILE || error == ENFILE)
		leave_out(budgets::left_out::descriptors);
	return error;
}

template <class... T>
std::shared_ptr<file>
find(const T &...what)
{
	const std::lock_guard hold(lock);
	return made().find(what...);
}

// Adds the file, or gives the one that another thread has added meanwhile.
template <class K>
std::shared_ptr<file>
add(std::shared_ptr<file> f, const K &key)
{
	const std::lock_guard hold(lock);
	if (auto other = made().find(key))
		return other;
	made().add(key, f);
	return f;
}

std::shared_ptr<file>
find_or_open(const owner &of, const mapping &m, bool &refused)
{
	if (auto f = find(identity(makedev(m.major, m.minor), m.inode)))
		return f;
	unique_fd fd;
	struct stat st;
	if (const int error = open_somehow(of, m, fd, st); error != 0) {
		refused = error == ENOENT;
		return nullptr;
	}
	const identity who(st.st_dev, st.st_ino);
	if (auto f = find(who))
		return f;
	auto f = make(fd.get(), m.path);
	fd.release();
	f->note_opened(state_of(st));
	return add(std::move(f), who);
}

} // namespace

std::shared_ptr<file>
file_of(unique_fd fd, const std::string &path, const file_state &opened)
{
	auto f = make(fd.get(), path);
	fd.release();
	f->note_opened(opened);
	return f;
}

std::shared_ptr<file>
file_of(std::vector<std::byte> image, const std::string &path)
{
	return make(std::move(image), path);
}

std::shared_ptr<file>
file_behind(const owner &of, const mapping &m, bool &refused) noexcept
try {
	return m.inode == 0 ? nullptr : find_or_open(of, m, refused);
} catch (const std::bad_alloc &) {
	return nullptr;
}

std::shared_ptr<file>
vdso_behind(const owner &of, const mapping &m) noexcept
try {
	std::vector<std::byte> bytes;
	if (!read_vdso(of.tid, m, bytes))
		return nullptr;
	auto f = find(bytes);
	return f ? f : add(make(bytes, m.path), bytes);
} catch (const std::bad_alloc &) {
	return nullptr;
}

} // namespace stack9::process
