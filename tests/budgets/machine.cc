// A machine full of hostile files: stackprint -a -l -I takes little more time
// and memory than with honest ones, and says what it left out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <alloca.h>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <require.h>

#include "cfi_section.h"
#include "debug_bombs.h"
#include "elf_builder.h"

#ifdef __x86_64__

using boost::unit_test::description;
using made::bytes;

namespace {

constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
// pause(2), for ever.
constexpr char waits[] = "\xb8\x22\0\0\0\x0f\x05\xeb\xf7\x90\x90\x90\x90";
const std::string code(waits, sizeof waits - 1);
constexpr std::uint64_t at = made::function;

elf_builder
program()
{
	elf_builder e;
	e.add({".text", SHT_PROGBITS, code + std::string(64, '\x90'), at});
	return e.segment(PT_LOAD, ".text");
}

std::string
frame_program(const bytes &program)
{
	made::section s(true);
	made::cie c;
	c.letters = "";
	c.augmentation = {};
	s.add(s.add(c), program, 0x04, at, 1 << 20);
	return {reinterpret_cast<const char *>(s.all.data()), s.all.size()};
}

elf_builder
with(const std::string &name, const std::string &text, std::uint64_t size = 0,
    std::uint64_t flags = 0)
{
	return program().function("named", at).add({name, SHT_PROGBITS, text,
	    0, size, flags});
}

elf_builder
symbols(std::uint64_t table, std::uint64_t names)
{
	elf_builder e = program();
	e.add({".symtab", SHT_SYMTAB, std::string(48, '\1'), 0, table, 0,
	    ".strtab", 24});
	return e.add({".strtab", SHT_STRTAB, std::string("\0x\0", 3), 0,
	    names});
}

elf_builder
claims(std::uint64_t sections, std::uint64_t segments, std::uint64_t names)
{
	elf_builder e = program().function("named", at);
	e.sections = sections;
	e.segments = segments;
	e.names_size = names;
	e.file_size = 8 * GiB;
	return e;
}

// A unit with that text behind its header.
std::string
unit(const std::string &text)
{
	blob b;
	b.number(static_cast<std::uint32_t>(7 + text.size()));
	b.number<std::uint16_t>(4).number<std::uint32_t>(0);
	return b + '\x08' + text;
}

elf_builder
lines(const std::string &info, std::uint64_t size, std::uint64_t flags)
{
	return with(".debug_info", info, size, flags).add({".debug_abbrev",
	    SHT_PROGBITS, std::string("\x01\x11\x00\0\0\0", 6)});
}

std::string
functions_of_go(std::uint64_t functions, std::uint64_t where)
{
	blob b;
	b.number<std::uint32_t>(0xfffffff1).number<std::uint32_t>(0x08010000);
	b.number(functions).number<std::uint64_t>(0).number(at);
	for (int n = 0; n < 4; n++)
		b.number<std::uint64_t>(16);
	return b.number(where);
}

constexpr int maps = 8;		// perf maps
const std::string fifo = "fifo";

std::vector<elf_builder>
hostile_files()
{
	bytes states(30, 0x0a);
	states.add(bytes(1 << 20, 0x2d));
	std::string frames = frame_program({0x41, 0x0e, 16});
	frames.resize(64 * MiB);
	std::vector<elf_builder> all = {
	    symbols(3 * GiB, 0), symbols(0, 6 * GiB),
	    with(".debug_frame", frame_program(bytes(8 * MiB, 0x2d))),
	    with(".debug_frame", frame_program(states)),
	    with(".debug_frame", frame_program({0x41}), 2 * GiB),
	    with(".debug_frame", packed(frames), 0, SHF_COMPRESSED),
	    lines(unit(std::string(24, '\1')), 5 * GiB, 0),
	    lines(packed(unit(std::string(64 * MiB, '\1'))), 0,
		SHF_COMPRESSED),
	    lines(unit(std::string(24, '\1')), 0, 0).add({".gnu_debugaltlink",
		SHT_PROGBITS, blob().text(fifo) + std::string(20, '\x77')}),
	    with(".gnu_debuglink", blob().text(fifo).pad(4)
		.number<std::uint32_t>(1)),
	    claims(1 << 26, 0, 0), claims(5, 0x7fffffff, 0),
	    claims(0, 0, 3 * GiB),
	    with(".gopclntab", functions_of_go(4'000'000, 4 * KiB), GiB),
	    with(".gopclntab", functions_of_go(1ull << 40, 0))};
	for (const auto &sections : debug_bombs(at)) {
		elf_builder e = program().function("named", at);
		for (const made_section &s : sections)
			e.add(s);
		all.push_back(e);
	}
	return all;
}

// The files are written by a child.  stackprint is said to have used at least
// the memory of the process that starts it, so this process stays small.
void
in_child(const std::function<void()> &body)
{
	const pid_t pid = fork();
	if (pid == 0) {
		body();
		_exit(0);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	BOOST_REQUIRE(status == 0);
}

[[noreturn]] void
run_code(void *there)
{
	reinterpret_cast<void (*)()>(there)();
	_exit(1);
}

// Runs the code of a file, where it is mapped.
void
run_file(const std::string &name)
{
	std::ifstream in(name, std::ios::binary);
	std::string begin(64 * KiB, '\0');
	in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
	const std::size_t where = begin.find(code);
	const int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
	const std::size_t page = where & ~std::size_t{4095};
	char *const p = static_cast<char *>(mmap(nullptr, 8192,
	    PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
	    static_cast<off_t>(page)));
	if (where == begin.npos || p == MAP_FAILED)
		_exit(1);
	run_code(p + (where - page));
}

// Runs code of no file.  Its map is in a /tmp of the process's own.
void
run_made(bool hostile)
{
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/tmp", "tmpfs", 0, nullptr) != 0)
		_exit(1);
	if (hostile) {
		const std::string map = "/tmp/perf-" +
		    std::to_string(getpid()) + ".map";
		std::ofstream(map) << "1000 10 x\n";
		if (truncate(map.c_str(), 256 * MiB) != 0)
			_exit(1);
	}
	void *const p = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	std::memcpy(p, code.data(), code.size());
	run_code(p);
}

[[gnu::noinline]] void
go_down(int left)
{
	volatile char *const here =
	    static_cast<volatile char *>(alloca(256 * KiB));
	here[0] = 1;
	left > 0 ? go_down(left - 1) : static_cast<void>(pause());
	here[1] = 1;
}

void
run_deep(bool hostile)
{
	pthread_attr_t how;
	pthread_attr_init(&how);
	pthread_attr_setstacksize(&how, 300 * MiB);
	pthread_t t;
	const auto body = [](void *deep) -> void * {
		go_down(deep != nullptr ? 1000 : 1);
		return nullptr;
	};
	pthread_create(&t, &how, body, hostile ? &how : nullptr);
	pause();
}

// Debug information in a .dwo file.
void
run_split(const std::string &program)
{
	execl(program.c_str(), program.c_str(), nullptr);
	_exit(1);
}

pid_t
start(const std::function<void()> &body)
{
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		body();
		_exit(1);
	}
	return pid;
}

// Waits until so many threads of the process wait for a signal.
bool
are_waiting(pid_t pid, std::size_t threads)
{
	const std::filesystem::path tasks =
	    "/proc/" + std::to_string(pid) + "/task";
	for (int tries = 0; tries < 20000; tries++) {
		std::size_t waiting = 0;
		for (const auto &t :
		    std::filesystem::directory_iterator(tasks)) {
			std::ifstream in(t.path() / "syscall");
			int call = -1;
			waiting += in >> call && call == 34;
		}
		if (waiting == threads)
			return true;
		usleep(1000);
	}
	return false;
}

struct spent {
	double		cpu = 0, wall = 0;
	double		mib = 0;
	std::string	last;		// line of the output
};

double
seconds(const timeval &t)
{
	return static_cast<double>(t.tv_sec) +
	    static_cast<double>(t.tv_usec) / 1e6;
}

// Runs stackprint as init of a pid namespace, where nobody else is.
[[noreturn]] void
look(bool hostile, std::size_t files, int to)
{
	std::vector<pid_t> all;
	for (std::size_t i = 0; i < files; i++)
		all.push_back(start([=] {
			run_file((hostile ? "hostile" : "honest") +
			    std::to_string(i));
		}));
	for (int i = 0; i < maps; i++)
		all.push_back(start([=] { run_made(hostile); }));
	all.push_back(start([=] { run_split(hostile ? "./split" :
	    "./whole"); }));
	const pid_t deep = start([=] { run_deep(hostile); });
	for (const pid_t pid : all)
		if (!are_waiting(pid, 1))
			_exit(2);
	if (!are_waiting(deep, 2))
		_exit(2);
	timespec begin, end;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	const pid_t pid = fork();
	if (pid == 0) {
		const int out = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);
		dup2(out, 1);
		execl(STACKPRINT, STACKPRINT, "-a", "-l", "-I", nullptr);
		_exit(127);
	}
	int status = 0;
	rusage used{};
	wait4(pid, &status, 0, &used);
	clock_gettime(CLOCK_MONOTONIC, &end);
	std::ostringstream text;
	text << seconds(used.ru_utime) + seconds(used.ru_stime) << ' ' <<
	    static_cast<double>(end.tv_sec - begin.tv_sec) +
	    static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9 << ' ' <<
	    static_cast<double>(used.ru_maxrss) / 1024 << '\n';
	std::ifstream in("out");
	std::string line, last;
	while (std::getline(in, line))
		last = line;
	text << last << '\n';
	const std::string all_text = text.str();
	(void)!write(to, all_text.data(), all_text.size());
	_exit(!WIFEXITED(status) || WEXITSTATUS(status) > 1);
}

spent
looked(const std::string &dir, bool hostile, std::size_t files)
{
	int ends[2];
	BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	const pid_t pid = start([&] {
		if (chdir(dir.c_str()) != 0 ||
		    unshare(CLONE_NEWPID | CLONE_NEWNS) != 0)
			_exit(1);
		const pid_t init = start([&] {
			if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE,
			    nullptr) != 0 || mount("proc", "/proc", "proc", 0,
			    nullptr) != 0)
				_exit(1);
			look(hostile, files, ends[1]);
		});
		int status = 1;
		waitpid(init, &status, 0);
		_exit(status != 0);
	});
	close(ends[1]);
	std::string text;
	char some[4096];
	for (ssize_t n; (n = read(ends[0], some, sizeof some)) > 0;)
		text.append(some, static_cast<std::size_t>(n));
	close(ends[0]);
	int status = 1;
	waitpid(pid, &status, 0);
	BOOST_TEST(status == 0);
	spent s;
	std::istringstream in(text);
	in >> s.cpu >> s.wall >> s.mib;
	in.ignore();
	std::getline(in, s.last);
	return s;
}

// Writes all files; returns how many have code to run.
std::size_t
write_all(const std::string &dir)
{
	const auto files = hostile_files();
	for (std::size_t i = 0; i < files.size(); i++) {
		files[i].write(dir + "/hostile" + std::to_string(i));
		program().function("named", at).write(dir + "/honest" +
		    std::to_string(i));
	}
	mkfifo((dir + "/" + fifo).c_str(), 0600);
	const std::string build = "cd '" + dir + "' && echo 'int pause(void); "
	    "int main(void) { return pause(); }' > p.c && " CC
	    " -g -o whole p.c && " CC " -g -gsplit-dwarf -o split p.c && "
	    "for f in *.dwo; do rm $f; mkfifo $f; done";
	if (std::system(build.c_str()) != 0)
		_exit(1);
	return files.size();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_machine_full_of_hostile_files, *needs("bpf")
    * boost::unit_test::timeout(300) * description("--limits: All that is "
    "beyond a limit is left out, and the last line says so."))
{
	char path[] = "/var/tmp/stack9XXXXXX";
	BOOST_REQUIRE(mkdtemp(path) != nullptr);
	const std::string dir(path);
	std::size_t files = 0;
	in_child([&] { write_all(dir); });
	while (std::filesystem::exists(dir + "/hostile" +
	    std::to_string(files)))
		files++;
	const spent honest = looked(dir, false, files);
	const spent hostile = looked(dir, true, files);
	std::filesystem::remove_all(dir);
	BOOST_TEST_MESSAGE("honest: " << honest.cpu << " s of CPU, " <<
	    honest.wall << " s, " << honest.mib << " MiB\nhostile: " <<
	    hostile.cpu << " s of CPU, " << hostile.wall << " s, " <<
	    hostile.mib << " MiB\n" << hostile.last);
	BOOST_TEST(files >= 25u);
	BOOST_TEST(honest.last.find("left out") == std::string::npos);
#ifndef __SANITIZE_ADDRESS__	// it keeps freed memory
	BOOST_TEST(hostile.cpu - honest.cpu < 2);
	BOOST_TEST(hostile.mib - honest.mib < 64);
#endif
	for (const char *kind : {"symbols are", "unwind information is",
	     "debug information is", "ELF headers are", "no regular files",
	     "only a part was copied", "tables of Go",
	     "; --limits reads more"})
		BOOST_TEST(hostile.last.find(kind) != std::string::npos,
		    kind << ": " << hostile.last);
}

#endif // __x86_64__
