// Answers the requests of linux/fuse.h that execve(2) makes of a file system,
// until the silence begins.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_server.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <grp.h>
#include <linux/fuse.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/text.h"
#include "mounts.h"

using lib::contents;

namespace {

constexpr std::uint64_t root_node = FUSE_ROOT_ID, program_node = 2;

class server {
public:
	server(int fd, std::string bytes, file_server::silence what, int begins)
	    : fd_(fd), bytes_(std::move(bytes)), what_(what), begins_(begins) {}

	// Until the file system is unmounted, or nobody uses it.
	void
	run()
	{
		std::vector<char> all(FUSE_MIN_READ_BUFFER + 131072);
		for (;;) {
			const ssize_t n = read(fd_, all.data(), all.size());
			if (n < 0 && errno == EINTR)
				continue;
			if (n < 0)
				_exit(0);
			fuse_in_header h;
			std::memcpy(&h, all.data(), sizeof h);
			if (!is_silent(h.opcode))
				answer(h, all.data() + sizeof h);
		}
	}

private:
	// The pipe's other end is closed when the silence shall begin.
	bool
	is_silent(std::uint32_t what)
	{
		char c;
		if (!silent_ && what_ != file_server::silence::none &&
		    read(begins_, &c, 1) == 0)
			silent_ = true;
		return silent_ && (what == FUSE_READ ||
		    what_ == file_server::silence::opening);
	}

	void
	reply(const fuse_in_header &h, int error, const void *body = nullptr,
	    std::size_t size = 0)
	{
		fuse_out_header out{};
		out.len = static_cast<std::uint32_t>(sizeof out + size);
		out.error = -error;
		out.unique = h.unique;
		std::string all(reinterpret_cast<const char *>(&out),
		    sizeof out);
		all.append(static_cast<const char *>(body), size);
		(void)!write(fd_, all.data(), all.size());
	}
	template <class T>
	void
	reply(const fuse_in_header &h, const T &body)
	{
		reply(h, 0, &body, sizeof body);
	}

	fuse_attr
	attributes(std::uint64_t node) const
	{
		fuse_attr a{};
		a.ino = node;
		a.mode = node == root_node ? S_IFDIR | 0755 : S_IFREG | 0755;
		a.size = node == root_node ? 0 : bytes_.size();
		a.nlink = 1;
		return a;
	}

	// Attributes are valid for no time, as on many a file system.
	void
	answer(const fuse_in_header &h, const char *body)
	{
		switch (h.opcode) {
		case FUSE_INIT: {
			fuse_init_out out{};
			out.major = FUSE_KERNEL_VERSION;
			out.minor = 31;
			out.max_readahead = 4096;
			out.max_write = 4096;
			return reply(h, out);
		}
		case FUSE_LOOKUP: {
			fuse_entry_out out{};
			if (std::strcmp(body, "program") != 0)
				return reply(h, ENOENT);
			out.nodeid = program_node;
			out.attr = attributes(program_node);
			return reply(h, out);
		}
		case FUSE_GETATTR: {
			fuse_attr_out out{};
			out.attr = attributes(h.nodeid);
			return reply(h, out);
		}
		case FUSE_OPEN:
			return reply(h, fuse_open_out{});
		case FUSE_READ: {
			fuse_read_in in;
			std::memcpy(&in, body, sizeof in);
			const std::string part = in.offset > bytes_.size() ?
			    "" : bytes_.substr(in.offset, in.size);
			return reply(h, 0, part.data(), part.size());
		}
		case FUSE_FORGET:
		case FUSE_BATCH_FORGET:
		case FUSE_INTERRUPT:
			return;
		case FUSE_FLUSH:
		case FUSE_RELEASE:
			return reply(h, 0);
		default:
			return reply(h, ENOSYS);
		}
	}

	const int	fd_;
	const std::string bytes_;
	const file_server::silence what_;
	const int	begins_;
	bool		silent_ = false;
};

// Each test process has mounts of its own from then on.
bool
mount_at(const std::string &dir, int fd, bool of_another)
{
	const std::string how = "fd=" + std::to_string(fd) +
	    ",rootmode=40000" + (of_another ? ",user_id=65534,group_id=65534" :
	    ",user_id=0,group_id=0,allow_other");
	return own_mounts() &&
	    mount("test", dir.c_str(), "fuse", 0, how.c_str()) == 0;
}

pid_t
start(const auto &body)
{
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		body();
		_exit(1);
	}
	return pid;
}

void
wait_until_it_pauses(pid_t pid)
{
	const std::string name = "/proc/" + std::to_string(pid) + "/wchan";
	while (contents(name).find("pause") == std::string::npos &&
	    kill(pid, 0) == 0)
		usleep(1000);
}

} // namespace

file_server::file_server(const std::string &program, silence what,
    bool of_another)
{
	int begins[2];
	const int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0 || !mount_at(dir_.path(), fd, of_another))
		return;
	BOOST_REQUIRE(pipe2(begins, O_CLOEXEC | O_NONBLOCK) == 0);
	server_ = start([&] {
		close(begins[1]);
		server(fd, contents(program), what, begins[0]).run();
	});
	close(fd);
	program_ = start([&] {
		const std::string name = dir_ / "program";
		if (of_another && (setgroups(0, nullptr) != 0 ||
		    setgid(65534) != 0 || setuid(65534) != 0))
			return;
		execl(name.c_str(), name.c_str(), nullptr);
	});
	wait_until_it_pauses(program_);
	close(begins[0]);
	close(begins[1]);
}

// The server's end ends all waits for it.
file_server::~file_server()
{
	for (pid_t *const pid : {&server_, &program_})
		lib::kill_and_reap(*pid);
	umount2(dir_.path().c_str(), MNT_DETACH);
}
