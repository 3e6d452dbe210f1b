// Hands the options of a program to CLI11, as functions that take text.
// Options of several types of value would have CLI11 compiled for each type, a
// second or more each time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "command_line.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#if __has_include(<CLI/ExtraValidators.hpp>)	// since 2.6 apart from App.hpp
#include <CLI/ExtraValidators.hpp>
#endif
#include <CLI/Formatter.hpp>

#include "habits.h"
#include "option_table.h"
#include "program.h"
#include "time_text.h"
#include "version.h"

namespace tools {

command_line::command_line(const char *name, const char *purpose,
    const char *short_help)
	: program(name), usage(short_help),
	  app(std::make_unique<CLI::App>(purpose, called(name)))
{
}

command_line::~command_line() = default;

void
command_line::flag(const char *name, bool &to, const std::string &more)
{
	const option_row &row = option_of(program, name);
	options.push_back({&row, [=, this, &row, &to] {
		app->add_flag(row.names, to, row.text + more);
	}});
}

void
command_line::flag(const char *name, std::string &to, text_check check)
{
	const option_row &row = option_of(program, name);
	options.push_back({&row, [=, this, &row, &to] {
		app->add_flag(row.names, to, std::string("[") + row.argument +
		    "]: " + row.text)->check(check);
	}});
}

void
command_line::add(const char *name, const std::string &more, text_check check,
    storing store_one, void (*then)(CLI::Option *))
{
	const option_row &row = option_of(program, name);
	options.push_back({&row, [=, this, &row] {
		CLI::Option *const option = add_now(row.names,
		    row.text + more, row.argument, check, store_one);
		if (then != nullptr)
			then(option);
	}});
}

CLI::Option *
command_line::add_now(const char *names, const std::string &text,
    const char *type, text_check check, const storing &store_one)
{
	const auto store_all = [store_one](const CLI::results_t &texts) {
		return std::all_of(texts.begin(), texts.end(), store_one);
	};
	CLI::Option *const option = app->add_option(names, store_all, text);
	if (check != nullptr)
		option->check(check);
	return option->type_name(type);
}

void
command_line::argument(const char *name, std::string &to, const char *text)
{
	add_now(name, text, "", nullptr, [&to](const std::string &s) {
		return store(s, to);
	});
}

void
command_line::many(CLI::Option *option)
{
	option->expected(1, -1)		// -1: as many as there are
	    ->delimiter(',')->allow_extra_args(option->get_positional());
}

void
command_line::bytes(const char *name, std::size_t &to)
{
	add(name, "", nullptr, [&to](const std::string &s) {
		return store(s, to);
	}, [](CLI::Option *option) {
		option->transform(CLI::AsSizeValue(false).description(""));
	});
}

static std::string
seconds_error(const std::string &s)
{
	constexpr double longest = 86400 * 365.0;
	double value = 0;
	return read_seconds(s, value) && value > 0 && value <= longest ?
	    std::string() : "not a number of seconds, as 90, 1.5 or 10m: " + s;
}

void
command_line::seconds(const char *name, double &to)
{
	add(name, "", seconds_error, [&to](const std::string &s) {
		return read_seconds(s, to);
	});
}

static bool
has_option(std::string_view word, const option_row &row)
{
	if (word.size() < 2 || word[0] != '-')
		return false;
	if (word[1] == '-')
		return word.substr(0, word.find('=')) == long_name_of(row);
	const char letter = letter_of(row);
	return letter != '\0' && word.find(letter) != word.npos;
}

// Letters may be in one word.  --help prints all.
void
command_line::add_named(int argc, char **argv)
{
	const std::span words(argv + 1, argv + std::max(argc, 1));
	const bool wants_help = std::any_of(words.begin(), words.end(),
	    [](std::string_view w) {
		return w == "--help" || (w.size() > 1 && w[0] == '-' &&
		    w[1] != '-' && w.find('h') != w.npos);
	});
	for (const known &o : options)
		if (wants_help || std::any_of(words.begin(), words.end(),
		    [&](const char *w) { return has_option(w, *o.row); }))
			o.add();
}

// Gives the first word that looks like an option and is not one.  CLI11 would
// complain about the value after it.
std::string
command_line::unknown(int argc, char **argv) const
{
	for (int i = 1; i < argc; i++) {
		const std::string word = argv[i];
		if (word.size() < 2 || word[0] != '-')
			continue;
		const bool is_long = word[1] == '-';
		const std::string name = is_long ?
		    word.substr(0, word.find('=')) : word.substr(0, 2);
		const CLI::Option *const option =
		    app->get_option_no_throw(name);
		if (option == nullptr)
			return name;
		const bool has_value = is_long ? word.size() > name.size() :
		    word.size() > 2;
		i += option->get_items_expected_min() > 0 && !has_value;
	}
	return "";
}

std::optional<int>
command_line::read(int argc, char **argv)
{
	const std::string version = version_of(called(program).c_str());
	app->set_version_flag("-V,--version", version, "print the version");
	const std::string better = habit(program, argc, argv);
	if (!better.empty())
		return wrong(better.c_str());
	add_named(argc, argv);
	const std::string no_option = unknown(argc, argv);
	if (!no_option.empty())
		return wrong(("there is no option " + no_option).c_str());
	try {
		app->parse(argc, argv);
	} catch (const CLI::CallForVersion &) {
		std::puts(version.c_str());
		std::fputs(lines.c_str(), stdout);
		return exit_complete;
	} catch (const CLI::CallForHelp &) {
		std::fputs(app->help().c_str(), stdout);
		return exit_complete;
	} catch (const CLI::ParseError &e) {
		return wrong(e.what());
	}
	return std::nullopt;
}

int
command_line::wrong(const char *what) const
{
	const std::string name = called(program);
	std::string text = usage;
	for (std::size_t at = 0; (at = text.find(program, at)) != text.npos;
	    at += name.size())
		text.replace(at, std::strlen(program), name);
	std::fprintf(stderr, "%s: %s\n%s", name.c_str(), what, text.c_str());
	return exit_usage;
}

} // namespace tools
