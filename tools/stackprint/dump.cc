// Writes a small core, of a process that lives or of another core.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cores.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture.h"
#include "tools/lib/command_line.h"
#include "tools/lib/rights.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

// The memory of a process is nobody's business but its owner's.
class dump_file {
public:
	explicit dump_file(const std::string &name)
	    : name_(name), fd_(name == "-" ? STDOUT_FILENO :
	      open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
	      O_NOCTTY, 0600)) {}
	dump_file(const dump_file &) = delete;
	dump_file &operator=(const dump_file &) = delete;
	~dump_file()
	{
		if (fd_ > STDERR_FILENO)
			close(fd_);
	}

	int fd() const { return fd_; }
	std::uint64_t
	size() const
	{
		struct stat st;
		return fd_ >= 0 && fstat(fd_, &st) == 0 ?
		    static_cast<std::uint64_t>(st.st_size) : 0;
	}
	// A file that could not be written whole is not a dump.
	void
	drop() const
	{
		if (fd_ > STDERR_FILENO)
			unlink(name_.c_str());
	}

private:
	const std::string	name_;
	const int		fd_;
};

int
refuse(output &to, const std::string &what, const char *why)
{
	to.message("{}: {}", printable(what), why);
	return exit_none;
}

int
write_to(const options &o, stack9_core *core, output &to)
{
	const dump_file file(o.dump);
	if (file.fd() < 0)
		return refuse(to, o.dump, std::strerror(errno));
	if (const int error = stack9_core_dump(core, file.fd()); error != 0) {
		file.drop();
		return refuse(to, o.dump, error == EOPNOTSUPP ?
		    stack9_reason() : std::strerror(error));
	}
	const stack9_core_facts &f = *stack9_core_info(core);
	report_missing(o, core, to);
	if (file.fd() != STDOUT_FILENO)
		to.block(fmt::format("{}: {}, {} KiB\n", printable(o.dump),
		    amount(f.threads, "thread"), (file.size() + 1023) / 1024));
	return f.notes == 0 ? int{exit_complete} : int{exit_partial};
}

} // namespace

int
write_dump(const options &o)
{
	output to;
	if (o.dump == "-" && isatty(STDOUT_FILENO)) {
		to.message("a dump is not for a terminal; give --dump FILE");
		return exit_usage;
	}
	if (borrowed_rights() && (o.core.empty() || !give_up_rights())) {
		to.message("--dump is not for rights that a program's file "
		    "has: run it as root, or without them");
		return exit_none;
	}
	if (o.stop && !stop_threads()) {
		to.message("--stop: there is no route by ptrace here");
		return exit_none;
	}
	unique_core core;
	const int error = open_core(o, core);
	if (error == EOPNOTSUPP && o.core.empty() && !o.stop)
		to.message("what may help: --stop, or root");
	if (error != 0)
		return refuse(to, o.core.empty() ? "pid " + std::to_string(
		    o.tids[0]) : o.core, stack9_reason());
	return write_to(o, core.get(), to);
}

} // namespace stackprint
