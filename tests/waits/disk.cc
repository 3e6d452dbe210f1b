// Tests a chain from a mutex of the C library through a lock of the kernel to a
// disk: a file whose filesystem is frozen.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "check.h"
#include "mounts.h"
#include "require.h"
#include "scene.h"

namespace {

bool
does(const std::string &command)
{
	return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

class disk {
public:
	disk()
	{
		mkdir(dir.c_str(), 0700);
		is = does("truncate -s 16M " + file + " && mkfs.ext4 -q " +
		    file + " && unshare -m " + mount_it());
	}
	~disk()
	{
		unlink(file.c_str());
		rmdir(dir.c_str());
	}
	disk(const disk &) = delete;

	std::string
	mount_it() const
	{
		return "mount -o loop " + file + " " + dir;
	}

	const std::string dir = "/tmp/stack9-disk-" + std::to_string(getpid()),
	    file = dir + ".image";
	bool	is = false;	// it can be mounted
};

// A thread that sleeps in a frozen filesystem cannot be killed.
class thawing {
public:
	thawing(pid_t pid, const std::string &dir)
	    : fd_(open(("/proc/" + std::to_string(pid) + "/root" + dir).c_str(),
	    O_RDONLY | O_CLOEXEC)) {}
	~thawing()
	{
		ioctl(fd_, FITHAW, 0);
		close(fd_);
	}
	thawing(const thawing &) = delete;

private:
	const int	fd_;
};

std::string
no_disk()
{
	if (!does("command -v mkfs.ext4"))
		return "no mkfs.ext4";
	return disk().is ? "" : "no ext4 in a file can be mounted";
}

pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;
int descriptor;

void
write_one()
{
	(void)!write(descriptor, "x", 1);
}

// The position of the file has a mutex.  The first writer has it while it waits
// for the disk.
void
write_to_disk(stage &s, const disk &d)
{
	const bool knows = reports_locks();
	if (!own_mounts() || !does(d.mount_it()))
		_exit(1);
	descriptor = open((d.dir + "/ledger").c_str(),
	    O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	ioctl(descriptor, FIFREEZE, 0);
	note(s, 0, STACK9_WAIT_SIGNAL, -1);
	act(s, 1, STACK9_WAIT_DESCRIPTOR, -1, write_one);
	wait_for_disk_sleep(s.actors[1].tid, SYS_write);
	act(s, 2, knows ? STACK9_WAIT_KERNEL_MUTEX : -1, knows ? 1 : -1, [] {
		pthread_mutex_lock(&ledger);
		write_one();
	});
	wait_for_disk_sleep(s.actors[2].tid, SYS_write);
	act(s, 3, STACK9_WAIT_MUTEX, 2, [] { pthread_mutex_lock(&ledger); });
}

} // namespace

BOOST_AUTO_TEST_CASE(from_a_mutex_to_a_disk, *needs("mounts") * needs("bpf") *
    needs("disk", no_disk))
{
	const disk d;
	BOOST_REQUIRE(d.is);
	scene of([&](stage &s) { write_to_disk(s, d); });
	const thawing at_the_end(of.pid(), d.dir);
	const all_found all = check_scene(of);
	BOOST_TEST(all.at(of.get().actors[1].tid).object.ends_with("/ledger"));
}
