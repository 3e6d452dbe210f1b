// Describes the options of a program, reads its command line with CLI11, and
// names the exit statuses.  CLI11 is compiled in one file only, for it costs
// more than any of ours.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
class Option;
}

namespace tools {

struct option_row;

// They are eu-stack's, and those of sysexits.h where eu-stack has none.
enum {
	exit_complete = 0,
	exit_partial = 1,
	exit_none = 2,
	exit_usage = 64,	// EX_USAGE
	exit_output = 74,	// EX_IOERR
};

// Checks the text of a value.  It returns "" or the error.
using text_check = std::string (*)(const std::string &);

// Store the text of a value.  The result is false if it is not such a value.
inline bool
store(const std::string &text, std::string &to)
{
	to = text;
	return true;
}

template <class Number>
std::enable_if_t<std::is_arithmetic_v<Number>, bool>
store(const std::string &text, Number &to)
{
	const char *const end = text.data() + text.size();
	const auto [at, error] = std::from_chars(text.data(), end, to);
	return error == std::errc() && at == end;
}

template <class Value>
bool
store(const std::string &text, std::optional<Value> &to)
{
	return store(text, to.emplace());
}

template <class Value>
bool
store(const std::string &text, std::vector<Value> &to)
{
	return store(text, to.emplace_back());
}

// Holds the options of one program.  A name is the long one, as "--pid";
// option_table.h has the rest.  more: what this program adds to the text.
class command_line {
public:
	// The texts are kept as pointers.
	command_line(const char *program, const char *purpose,
	    const char *usage);
	~command_line();

	void	flag(const char *name, bool &, const std::string &more = "");

	// Adds a line to what --version prints.
	void	version_line(const std::string &line) { lines += line + "\n"; }

	// A flag may have a value after "=".  Without one it is no_value.
	static constexpr const char *no_value = "true";
	void	flag(const char *name, std::string &, text_check);

	template <class Value>
	void
	value(const char *name, Value &to, text_check check = nullptr,
	    const std::string &more = "")
	{
		add(name, more, check, [&to](const std::string &s) {
			return store(s, to);
		});
	}
	// Takes lists, as 1,2,3, and the option again.
	template <class Value>
	void
	values(const char *name, std::vector<Value> &to,
	    text_check check = nullptr, const std::string &more = "")
	{
		add(name, more, check, [&to](const std::string &s) {
			return store(s, to);
		}, many);
	}
	// Takes a number of bytes with a unit, as "64M".
	void	bytes(const char *name, std::size_t &);
	// Takes a number of seconds, or of another unit: 90, 1.5, 10m, 12h.
	// More than 0, and a year at most.
	void	seconds(const char *name, double &);

	// A word that follows no option, and any number of such words.
	void	argument(const char *name, std::string &to, const char *text);
	template <class Value>
	void
	arguments(const char *name, std::vector<Value> &to, const char *text,
	    text_check check = nullptr)
	{
		many(add_now(name, text, "", check, [&to](const std::string
		    &s) { return store(s, to); }));
	}

	// Reads the command line.  The result is an exit status if nothing is
	// left to do: after -h, after -V, and after an error that has been
	// printed.
	std::optional<int>	read(int argc, char **argv);

	// Reports an error of the command line.  The result is the exit status.
	int	wrong(const char *what) const;

private:
	using storing = std::function<bool(const std::string &)>;

	// An option that CLI11 gets if the command line has it: it compares
	// each one with all others, which takes a tenth of a short run.
	struct known {
		const option_row		*row;
		std::function<void()>		 add;
	};

	// then: what is done to the option.
	void		 add(const char *name, const std::string &more,
			    text_check, storing,
			    void (*then)(CLI::Option *) = nullptr);
	CLI::Option	*add_now(const char *names, const std::string &text,
			    const char *type, text_check, const storing &);
	static void	 many(CLI::Option *);
	void		 add_named(int argc, char **argv);
	std::string	 unknown(int argc, char **argv) const;

	const char	*program, *usage;
	std::string	 lines;		// of --version
	std::unique_ptr<CLI::App> app;
	std::vector<known> options;	// but --help and --version
};

} // namespace tools
