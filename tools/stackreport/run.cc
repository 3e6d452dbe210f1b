// Reads the records, and writes the answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "episodes.h"
#include "heat.h"
#include "listing.h"
#include "sums.h"
#include "text.h"
#include "tools/lib/command_line.h"
#include "tools/lib/say.h"
#include "tools/lib/text.h"
#include "tools/profiles/difference.h"
#include "tools/profiles/formats.h"
#include "tools/record/named_later.h"
#include "tools/record/records.h"

namespace stackreport {
namespace {

constexpr std::size_t usual_lines = 40;	// of a difference
constexpr std::uint64_t usual_top = 20;

template <typename... T>
void
say(fmt::format_string<T...> text, T &&...args)
{
	tools::say("stackreport", fmt::format(text, std::forward<T>(args)...));
}

class report {
public:
	explicit report(const options &o) : opt_(o), names_(o.debug_dirs)
	{
		recording::name_later(reading_, names_);
	}

	int	answer();

private:
	bool	read(const interval &, recording::visitor &);
	bool	sum(std::string &);
	bool	compare(std::string &);
	int	write(std::string);
	template <class Visitor>
	bool
	read_for(std::string &text)
	{
		Visitor v(opt_);
		const bool good = read(opt_.when, v);
		text = v.text();
		return good;
	}

	const options		&opt_;
	tools::later_names	 names_;
	recording::reading	 reading_;
};

bool
report::read(const interval &when, recording::visitor &v)
{
	return recording::read_records(opt_.records, when, v, reading_);
}

bool
report::sum(std::string &text)
{
	sums all(opt_, opt_.when);
	const bool good = read(opt_.when, all);
	const bool is_text = opt_.format == "text";
	const profiles::profile &p = all.finish(opt_.top == 0 && is_text ?
	    usual_top : opt_.top);
	if (p.stacks.empty()) {
		say("no sample passes: {} ticks of {} segments were read",
		    reading_.ticks, reading_.segments);
		return false;
	}
	text = is_text ? top_text(p, all.all()) :
	    profiles::formatted(opt_.format, p);
	return good;
}

bool
report::compare(std::string &text)
{
	sums before(opt_, *opt_.before), after(opt_, opt_.when);
	const bool good = read(*opt_.before, before) & read(opt_.when, after);
	const profiles::profile &a = before.finish(), &b = after.finish();
	if (a.stacks.empty() || b.stacks.empty()) {
		say("no sample passes in {} interval", a.stacks.empty() ?
		    "the other" : "the");
		return false;
	}
	profiles::profile p = profiles::difference(a, b);
	p.command = opt_.line;
	text = opt_.format == "text" ? profiles::difference_text(p,
	    opt_.top != 0 ? opt_.top : usual_lines) :
	    opt_.format == "folded" ? profiles::difference_folded(p) :
	    profiles::formatted(opt_.format, p);
	return good;
}

int
report::write(std::string text)
{
	text = profiles::for_file(opt_.file, std::move(text));
	std::FILE *const out = opt_.file.empty() ? stdout :
	    std::fopen(opt_.file.c_str(), "we");
	bool good = out != nullptr;
	errno = good ? 0 : errno;
	if (good)
		good = std::fwrite(text.data(), 1, text.size(), out) ==
		    text.size();
	if (out != nullptr)
		good = (out == stdout ? std::fflush(out) : std::fclose(out)) ==
		    0 && good;
	if (good)
		return tools::exit_complete;
	if (errno != EPIPE)
		say("{}: {}", opt_.file.empty() ? "standard output" :
		    tools::printable(opt_.file), std::strerror(errno));
	return tools::exit_output;
}

int
report::answer()
{
	std::string text;
	const bool good = opt_.history ? read_for<history>(text) :
	    opt_.longest ? read_for<stuck>(text) :
	    opt_.segments ? read_for<listing>(text) :
	    opt_.heat ? read_for<heat>(text) :
	    opt_.before.has_value() ? compare(text) : sum(text);
	for (const std::string &each : reading_.complaints)
		say("{}", tools::printable(each));
	if (text.empty())
		return tools::exit_none;
	const int status = write(std::move(text));
	return status != 0 ? status : good && reading_.complaints.empty() ?
	    tools::exit_complete : int{tools::exit_partial};
}

} // namespace

int
run(const options &o)
{
	if (profiles::is_for_files(o.format) && o.file.empty() && isatty(1)) {
		say("-f {} is not for a terminal; give -o FILE", o.format);
		return tools::exit_usage;
	}
	return report(o).answer();
}

} // namespace stackreport
