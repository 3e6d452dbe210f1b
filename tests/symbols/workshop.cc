// Makes files by tools in a temporary directory, and runs them as processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "workshop.h"

#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include "core/seam/space.h"

#include "symbols/debug_file.h"

bool
workshop::run(const std::string &command) const
{
	return std::system(fmt::format("cd '{}' && {{ {}; }} >>log 2>&1",
	    dir / ".", command).c_str()) == 0;
}

void
workshop::must(const std::string &command) const
{
	if (run(command))
		return;
	for (const std::string &line : lines_of("cat " + dir / "log"))
		BOOST_TEST_MESSAGE(line);
	BOOST_REQUIRE_MESSAGE(false, command);
}

std::vector<std::string>
lines_of(const std::string &command)
{
	std::vector<std::string> lines;
	FILE *const f = popen(command.c_str(), "r");
	BOOST_REQUIRE(f != nullptr);
	char *text = nullptr;
	std::size_t room = 0;
	for (ssize_t n; (n = getline(&text, &room, f)) > 0;)
		lines.emplace_back(text, text + n - (text[n - 1] == '\n'));
	free(text);
	pclose(f);
	return lines;
}

boost::unit_test::decorator::precondition
builds(const char *compiler)
{
	return boost::unit_test::decorator::precondition(
	    [command = std::string(compiler)](boost::unit_test::test_unit_id id)
	    -> boost::test_tools::assertion_result {
		    const workshop w;
		    if (w.run("echo 'int main() {}' >t.cc && " + command +
			" -o t t.cc"))
			    return true;
		    std::fprintf(stderr, "skipped: %s: needs %s\n",
			boost::unit_test::framework::get(id,
			    boost::unit_test::TUT_ANY).p_name->c_str(),
			command.c_str());
		    boost::test_tools::assertion_result no(false);
		    no.message() << "needs " << command;
		    return no;
	    });
}

std::unique_ptr<stack9::process::file>
open_file(const std::string &path)
{
	const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
	BOOST_REQUIRE_MESSAGE(fd >= 0, path);
	return std::make_unique<stack9::process::file>(1, fd, path);
}

std::uint64_t
address_in(const std::string &path, const std::string &symbol)
{
	for (const std::string &line : lines_of("nm -f posix " + path))
		if (line.starts_with(symbol + " "))
			return std::stoull(line.substr(symbol.size() + 3),
			    nullptr, 16);
	return 0;
}

held::held(const std::string &program)
{
	int in[2], out[2];
	BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	pid_ = fork();
	if (pid_ == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(program.c_str(), program.c_str(), nullptr);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	to_ = in[1];
	from_ = out[0];
	FILE *const f = fdopen(dup(from_), "r");
	char name[64];
	void *at;
	while (fscanf(f, "%63s %p", name, &at) == 2 && strcmp(name, "end") != 0)
		at_[name] = reinterpret_cast<std::uintptr_t>(at);
	fclose(f);
	BOOST_REQUIRE_MESSAGE(!at_.empty(), program);
}

held::~held()
{
	end();
	close(to_);
	close(from_);
}

std::uintptr_t
held::at(const std::string &thing) const
{
	const auto found = at_.find(thing);
	BOOST_REQUIRE_MESSAGE(found != at_.end(), thing);
	return found->second;
}

void
held::end()
{
	if (pid_ <= 0)
		return;
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
	pid_ = -1;
}

opened_space::opened_space(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	BOOST_REQUIRE(stack9::space_open(td, space) == 0);
}

opened_space::~opened_space()
{
	stack9::space_drop(space);
}

std::string
opened_space::name(std::uintptr_t pc, bool return_address) const
{
	stack9::symbol_name s;
	const int error = stack9::space_find(*space, pc, return_address, s);
	return error != 0 ? fmt::format("errno {}", error) :
	    fmt::format("{}+{:#x} {}", s.name, s.offset, s.module);
}

debug_files_below::debug_files_below(std::string p)
    : was(stack9::debug_root), path(std::move(p))
{
	stack9::debug_root = path.c_str();
}

debug_files_below::~debug_files_below()
{
	stack9::debug_root = was;
}
