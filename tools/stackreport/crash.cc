// Names the frames of a file that a crash or stack9_write_text(3) has left:
// on another machine, and when the programs are gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "crash.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "options.h"
#include "tools/lib/command_line.h"
#include "tools/lib/say.h"
#include "tools/lib/text.h"

namespace stackreport {
namespace {

constexpr std::size_t text_most = 64 << 20;

void
complain(const std::string &text)
{
	tools::say("stackreport", text);
}

// 0, or an errno.
int
read_text(const std::string &name, std::string &to)
{
	const bool is_input = name == "-";
	std::FILE *const in = is_input ? stdin : std::fopen(name.c_str(),
	    "re");
	if (in == nullptr)
		return errno;
	char part[65536];
	std::size_t n;
	while ((n = std::fread(part, 1, sizeof part, in)) != 0 &&
	    to.size() < text_most)
		to.append(part, n);
	const int error = std::ferror(in) != 0 ? EIO : n != 0 ? EFBIG : 0;
	if (!is_input)
		std::fclose(in);
	return error;
}

// Where debuginfod's clients keep what they have fetched.
std::string
fetched_files()
{
	const auto of = [](const char *name) {
		const char *const value = std::getenv(name);
		return std::string(value != nullptr ? value : "");
	};
	if (const std::string own = of("DEBUGINFOD_CACHE_PATH"); !own.empty())
		return own;
	const std::string cache = of("XDG_CACHE_HOME");
	return (cache.empty() ? of("HOME") + "/.cache" : cache) +
	    "/debuginfod_client";
}

struct closer {
	void operator()(stack9_space *s) const { stack9_space_close(s); }
	void operator()(stack9_sample *s) const { stack9_sample_close(s); }
};
using unique_space = std::unique_ptr<stack9_space, closer>;

// The directories that were named come first: a file may be stripped.
unique_space
files_for(const options &o, std::string_view text)
{
	std::vector<std::string> all = o.debug_dirs;
	all.push_back("/usr/lib/debug");
	all.push_back(fetched_files());
	for (std::string &path : paths_of(text))
		all.push_back(std::move(path));
	std::vector<const char *> paths;
	for (const std::string &each : all)
		paths.push_back(each.c_str());
	stack9_space *opened = nullptr;
	if (stack9_space_open_build_ids(paths.data(),
	    static_cast<std::uint32_t>(paths.size()), &opened) != 0)
		throw std::bad_alloc();
	return unique_space(opened);
}

void
print(std::string_view text)
{
	std::fwrite(text.data(), 1, text.size(), stdout);
}

// Returns true if a report of a crash begins in the line.
bool
begins_report(std::string_view line)
{
	return line.starts_with("stack9: ") &&
	    line.find(" in process ") != line.npos;
}

// A file may have several reports, and what other programs have written before
// and between them.
std::size_t
print_reports(std::string_view text, stack9_space &files, unsigned int flags)
{
	std::size_t count = 0, begin = 0, at = 0;
	bool inside = false;
	const auto end_at = [&](std::size_t end) {
		const std::string_view part = text.substr(begin, end - begin);
		if (inside)
			print(crash_report(part, files, flags).named());
		count += inside;
		begin = end;
	};
	each_line(text, [&](std::string_view line) {
		if (begins_report(line)) {
			end_at(at);
			inside = true;
		}
		at += line.size() + 1;
	});
	end_at(text.size());
	return count;
}

void
print_text(void *, const char *text, std::size_t size)
{
	print({text, size});
}

std::size_t
print_stacks(std::string_view text, stack9_space &files, unsigned int flags,
    bool &good)
{
	std::size_t count = 0, used = 0;
	stack9_sample *read = nullptr;
	int error;
	while ((error = stack9_read_text(&files, text.data(), text.size(),
	    &used, &read)) == 0) {
		const std::unique_ptr<stack9_sample, closer> sample(read);
		stack9_print(sample.get(), flags, print_text, nullptr);
		text.remove_prefix(used);
		count++;
	}
	good = error == ENOENT;
	if (!good)
		complain(fmt::format("stack {}: {}", count + 1,
		    tools::printable(stack9_reason())));
	return count;
}

bool
has_stacks(std::string_view text)
{
	return text.starts_with("stack9 1\n") ||
	    text.find("\nstack9 1\n") != text.npos;
}

} // namespace

int
name_crash(const options &o)
{
	std::string text;
	if (const int error = read_text(o.crash, text); error != 0) {
		complain(fmt::format("{}: {}", tools::printable(o.crash),
		    std::strerror(error)));
		return tools::exit_none;
	}
	// The files that it names may be anybody's.
	if (stack9_read_apart(STACK9_APART_NAMES) != 0) {
		complain(stack9_reason());
		return tools::exit_none;
	}
	const unique_space files = files_for(o, text);
	const unsigned int flags = STACK9_FRAMES_LINES | (o.raw_names ?
	    STACK9_FRAMES_LINKAGE : 0);
	bool good = true;
	const std::size_t count = has_stacks(text) ? print_stacks(text, *files,
	    flags, good) : print_reports(text, *files, flags);
	if (count == 0) {
		complain(fmt::format("{}: neither the report of a crash nor "
		    "stacks of stack9_write_text(3)",
		    tools::printable(o.crash)));
		return tools::exit_none;
	}
	if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
		if (errno != EPIPE)
			complain(fmt::format("standard output: {}",
			    std::strerror(errno)));
		return tools::exit_output;
	}
	return good ? int{tools::exit_complete} : int{tools::exit_partial};
}

} // namespace stackreport
