// Tests stacks whose memory is not there when it is wanted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/seam/record.h"
#include "deep.h"
#include "get_stack.h"

BOOST_AUTO_TEST_SUITE(async_paged_out)

namespace {

constexpr std::size_t page = 4096, room = 512 * 1024;
constexpr std::uint64_t frames = 60;	// and so 15 pages and more

// A file without a name, where files are not memory; or -1.
int
file_on_disk()
{
	namespace fs = std::filesystem;
	for (const fs::path &dir : {fs::temp_directory_path(),
	    fs::path("/var/tmp"), fs::current_path()}) {
		struct statfs where;
		if (statfs(dir.c_str(), &where) != 0 ||
		    where.f_type == TMPFS_MAGIC || where.f_type == RAMFS_MAGIC)
			continue;
		std::string name = dir / "stack9XXXXXX";
		const int fd = mkostemp(name.data(), O_CLOEXEC);
		if (fd < 0)
			continue;
		unlink(name.c_str());
		if (ftruncate(fd, room) == 0)
			return fd;
		close(fd);
	}
	return -1;
}

// Memory that is a file's, for a stack.  Here it is mapped, but never touched:
// what two processes have touched is not pushed out.
struct file_memory {
	file_memory()
	    : fd(file_on_disk()),
	      at(static_cast<char *>(mmap(nullptr, room, PROT_READ | PROT_WRITE,
		  MAP_SHARED, fd, 0)))
	{
		// Page by page, so that one in use does not keep another.
		madvise(at, room, MADV_RANDOM);
	}
	file_memory(const file_memory &) = delete;
	~file_memory()
	{
		munmap(at, room);
		close(fd);
	}

	// The number of those pages that are in memory.
	long
	there(const char *from, const char *to) const
	{
		unsigned char in[room / page];
		mincore(at, room, in);
		return std::count_if(in + (from - at) / page, in + (to - at) /
		    page, [](unsigned char c) { return (c & 1) != 0; });
	}
	// That process's.  Pages that a CPU has only just brought in cannot be
	// pushed out yet: posix_fadvise(2) ends that.
	bool
	push_out(pid_t pid) const
	{
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		const int process = static_cast<int>(syscall(SYS_pidfd_open,
		    pid, 0));
		const iovec all{at, room};
		const bool done = fsync(fd) == 0 && syscall(SYS_process_madvise,
		    process, &all, 1, MADV_PAGEOUT, 0) >= 0;
		close(process);
		return done;
	}

	const int	fd;
	char		*const at;
};

std::string
pushing_out_missing()
{
	const file_memory m;
	if (m.fd < 0)
		return "no file system but in memory";
	std::memset(m.at, 1, room);
	if (!m.push_out(getpid()))
		return fmt::format("MADV_PAGEOUT: {}", std::strerror(errno));
	return m.there(m.at, m.at + room) == 0 ? "" :
	    "pages that nobody wants stay in memory";
}

// A process with a thread that is far down its stack.  The stack is a file's.
class paged {
public:
	explicit paged(bool spins)
	    : child_([=, this] {
		    told_->strings.word[2] = frames;
		    told_->strings.word[3] = spins;
		    pthread_attr_t attr;
		    pthread_attr_init(&attr);
		    pthread_attr_setstack(&attr, memory_.at, room);
		    pthread_t t;
		    if (pthread_create(&t, &attr, begin, &*told_) != 0)
			    _exit(1);
	    })
	{
		outermost_ = reinterpret_cast<char *>(told(told_->outermost));
		if (spins)
			told(told_->strings.word[1]);
		else
			wait_for_state(tid(), 'S');
	}

	pid_t pid() const { return child_.pid(); }
	pid_t tid() const { return told_->strings.tid; }
	// The pages of its frames only.  The kernel writes to the page above
	// when the thread changes its CPU (rseq).
	long
	there() const
	{
		const auto to = outermost_ - (outermost_ - memory_.at) %
		    static_cast<long>(page);
		return memory_.there(to - (frames - 5) * deep::bytes, to);
	}
	// False: they are in use.
	bool
	push_out() const
	{
		for (int i = 0; i < 1000 && there() != 0; i++)
			memory_.push_out(pid());
		return there() == 0;
	}

private:
	struct page_of_both {
		puppets::strings		strings;
		std::atomic<std::uint64_t>	outermost;
	};
	static void *
	begin(void *to)
	{
		auto &both = *static_cast<page_of_both *>(to);
		both.strings.tid = gettid();
		both.outermost = reinterpret_cast<std::uint64_t>(
		    __builtin_frame_address(0));
		deep::down(both.strings);
		return nullptr;
	}

	file_memory		memory_;
	shared<page_of_both>	told_;
	child			child_;
	char			*outermost_;
};

// It is captured in an interrupt that cannot wait.  If the thread has just
// been preempted the capture waits, and the pages are back: then again.
void
short_at_once(const paged &p, answer &a)
{
	const auto routes = no_stop_routes(running_job);
	for (int i = 0; i < 1000; i++) {
		BOOST_REQUIRE(p.push_out());
		const int error = a.user.save(p.tid());
		const stack9::stack_record &rec = a.user.rec;
		if (rec.route == nullptr || p.there() != 0 ||
		    std::count(routes.begin(), routes.end(), rec.route) == 0)
			continue;
		BOOST_TEST((error != 0 || rec.why != STACK9_WHY_NONE));
		BOOST_TEST_MESSAGE(rec.route << ": error " << error << ", " <<
		    rec.depth << " frames: " << stack9_why_text(rec.why));
		return;
	}
	BOOST_ERROR("never sampled on a CPU");
}

// Others may have the CPUs; while it spins it touches none of its frames.
int
on_a_cpu(const get_stack &helper, const paged &p)
{
	int n = -1;
	for (int i = 0; n < 0 && i < 100000; i++) {
		n = helper.user_frames(p.pid(), p.tid());
		if (n < 0)
			sched_yield();
	}
	return n;
}

// A program that follows frame pointers at that moment, in an interrupt.
// Frames that it saw while all pages were out; whether it saw all of them while
// they were in, before.
int
seen_by_get_stack(const paged &p, bool &whole_before)
{
	const get_stack helper;
	BOOST_REQUIRE(helper.loaded());
	for (int i = 0; i < 1000; i++) {
		const int all = on_a_cpu(helper, p);
		whole_before = whole_before || all > static_cast<int>(frames);
		BOOST_REQUIRE(p.push_out());
		const int n = on_a_cpu(helper, p);
		if (n >= 0 && p.there() == 0)
			return n;
	}
	BOOST_ERROR("never sampled on a CPU");
	return -1;
}

void
is_whole(const paged &p, answer &a, const char *in)
{
	BOOST_TEST(a.fault({in, "step_down"}) == "");
	BOOST_TEST(deep::frames_in(a) == frames);
	BOOST_TEST(p.there() > 0);
}

} // namespace

BOOST_AUTO_TEST_CASE(of_a_running_thread, *needs("root") * needs("bpf")
    * needs_task_work() * needs("pageout", pushing_out_missing)
    * boost::unit_test::description("The thread itself captures its user side "
    "when it next returns to user space, where it may wait for its memory"))
{
	const paged p(true);
	answer a(p.pid());
	for (int i = 0; i < 5; i++) {
		short_at_once(p, a);
		BOOST_TEST(p.there() == 0);
		const submission s(p.tid());
		BOOST_TEST(a.outcome(s.id) == 0);
		is_whole(p, a, "spin");
	}
}

BOOST_AUTO_TEST_CASE(where_bpf_get_stack_is_short, *needs("root")
    * needs("bpf") * needs_task_work() * needs("pageout", pushing_out_missing)
    * boost::unit_test::description("complete where a synchronous "
    "bpf_get_stack() of the same moment is short"))
{
	const paged p(true);
	answer a(p.pid());
	bool whole_before = false;
	for (int i = 0; i < 5; i++) {
		const int n = seen_by_get_stack(p, whole_before);
		BOOST_TEST(n < static_cast<int>(frames) / 2);
		BOOST_TEST_MESSAGE("bpf_get_stack(): " << n << " frames");
		const submission s(p.tid());
		BOOST_TEST(a.outcome(s.id) == 0);
		is_whole(p, a, "spin");
	}
	BOOST_TEST(whole_before);	// it is not short otherwise
}

BOOST_AUTO_TEST_CASE(of_a_sleeping_thread, *needs("root") * needs("bpf")
    * needs_task_work() * needs("pageout", pushing_out_missing)
    * boost::unit_test::description("The thread itself captures its user side "
    "when it next returns to user space, where it may wait for its memory"))
{
	const paged p(false);
	answer a(p.pid());
	BOOST_REQUIRE(p.push_out());
	const submission one(p.tid());
	BOOST_TEST(a.collect(one.id) == EAGAIN);
	BOOST_TEST(p.there() == 0);
	const submission now(p.tid(), STACK9_BOTH, STACK9_ASYNC_WAKE);
	BOOST_TEST(a.outcome(now.id) == 0);
	is_whole(p, a, "syscall");
	BOOST_TEST(a.outcome(one.id) == 0);
	is_whole(p, a, "syscall");
}

BOOST_AUTO_TEST_SUITE_END()
