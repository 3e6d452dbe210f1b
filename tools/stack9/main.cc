// Begins one of the programs by a word, or by the name of a link to this file:
// the program stack9.  It is linked to nothing: the program that it begins maps
// what that needs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <stack9.h>

#include "tools/lib/command_line.h"
#include "words.h"

namespace stack9_program {
namespace {

std::string
help()
{
	std::string text = "Show what the threads of a Linux machine are doing."
	    "\nusage: stack9 program [option ...] [argument ...]\n"
	    "       stack9 help [program]\n"
	    "       stack9 -V | -h\n\nPrograms:\n";
	constexpr std::size_t of_name = 8, of_what = 46;
	for (const word &w : words) {
		text.append("  ").append(w.name).append(of_name -
		    w.name.size(), ' ');
		const std::string_view what = w.what;
		text.append(what).append(of_what - what.size(), ' ');
		text.append(w.program).append("(1)\n");
	}
	return text + "\nA link to this file that has the name of a program, "
	    "as stackprint,\nis that program.\n";
}

std::string
version()
{
	return "stack9 " + std::to_string(STACK9_VERSION / 10000) + "." +
	    std::to_string(STACK9_VERSION / 100 % 100) + "." +
	    std::to_string(STACK9_VERSION % 100) + "\n";
}

std::string
name_of(const char *argv0, const word &w)
{
	return std::string(argv0).append(" ").append(w.name);
}

int
print(const std::string &text)
{
	const bool good = std::fputs(text.c_str(), stdout) >= 0 &&
	    std::fflush(stdout) == 0;
	return good ? tools::exit_complete : tools::exit_output;
}

// Both names are understood: people know the programs by their own.
const word *
find(std::string_view name)
{
	for (const word &w : words)
		if (name == w.name || name == w.program)
			return &w;
	return nullptr;
}

std::string_view
last_part(std::string_view path)
{
	return path.substr(path.rfind('/') + 1);
}

int
unknown(const char *name)
{
	std::fprintf(stderr, "stack9: %s: it is none of the programs print, "
	    "count, snoop, record and report; try: stack9 --help\n", name);
	return tools::exit_usage;
}

// The word is not an argument of the program, but a part of its name.
int
begin_by_word(const word &w, int argc, char **argv)
{
	std::string name = name_of(argv[0], w);
	std::vector<char *> rest{name.data()};
	rest.insert(rest.end(), argv + 2, argv + argc);
	rest.push_back(nullptr);
	return begin(w, argc - 1, rest.data());
}

int
help_of(const word &w, const char *argv0)
{
	std::string name = name_of(argv0, w);
	std::string option = "--help";
	char *words_of_it[] = {name.data(), option.data(), nullptr};
	return begin(w, 2, words_of_it);
}

int
start(int argc, char **argv)
{
	if (argc < 2) {
		std::fputs(help().c_str(), stderr);
		return tools::exit_usage;
	}
	const std::string_view first = argv[1];
	if (first == "-V" || first == "--version")
		return print(version());
	const bool wants_help = first == "help";
	if (first == "-h" || first == "--help" || (wants_help && argc == 2))
		return print(help());
	const char *const name = argv[wants_help ? 2 : 1];
	const word *const w = find(name);
	if (w == nullptr)
		return unknown(name);
	return wants_help ? help_of(*w, argv[0]) : begin_by_word(*w, argc,
	    argv);
}

} // namespace
} // namespace stack9_program

int
main(int argc, char **argv)
{
	using namespace stack9_program;
	try {
		const std::string_view called_as = argc > 0 ?
		    last_part(argv[0]) : "";
		for (const word &w : words)
			if (called_as == w.program)
				return begin(w, argc, argv);
		return start(argc, argv);
	} catch (const std::exception &e) {
		std::fprintf(stderr, "stack9: %s\n", e.what());
		return tools::exit_none;
	}
}
