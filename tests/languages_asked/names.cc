// Asks stack9 and stackprint for the names of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <cstdlib>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <stack9.h>

#include "lib/programs.h"

namespace {

// A sample that is kept has its own copy.
int
take(void *arg, const stack9_sample *s)
{
	stack9_sample *const own = stack9_sample_hold(s);
	BOOST_REQUIRE(own != nullptr);
	BOOST_TEST((own->user->error != 0 || own->user->thread_name !=
	    s->user->thread_name));
	(*static_cast<thread_names *>(arg))[own->thread.tid] =
	    own->user->thread_name;
	stack9_sample_close(own);
	return 0;
}

bool
has_line(const std::string &text, const std::string &begin,
    const std::string &part)
{
	for (std::size_t at = 0; (at = text.find(begin, at)) != text.npos;
	    at++) {
		const std::string line = text.substr(at, text.find('\n', at) -
		    at);
		if ((at == 0 || text[at - 1] == '\n') &&
		    line.find(part) != line.npos)
			return true;
	}
	return false;
}

} // namespace

thread_names
names_in(const std::vector<std::string> &said)
{
	thread_names all;
	for (const std::string &line : said) {
		char *name;
		if (!line.starts_with("name "))
			continue;
		const long tid = std::strtol(line.c_str() + 5, &name, 10);
		all[static_cast<pid_t>(tid)] = *name == ' ' ? name + 1 : name;
	}
	return all;
}

thread_names
names_of(pid_t pid)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{pid, pid, 0};
	thread_names all;
	BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_USER, &o, take, &all), 0);
	return all;
}

void
compare_names(const thread_names &said, const thread_names &found)
{
	BOOST_TEST(said.size() > 0u);
	for (const auto &[tid, name] : said) {
		const auto at = found.find(tid);
		BOOST_TEST_CONTEXT("tid " << tid)
		BOOST_TEST((at == found.end() ? "(no thread)" : at->second) ==
		    name);
	}
}

void
check_stackprint(const std::string &stackprint, pid_t pid, pid_t tid,
    const std::string &text)
{
	const std::string json = "\"thread_name\":\"" + text + '"';
	const auto print = [&](const std::string &how) {
		return lib::output_of(fmt::format("{} {} 2>&1", stackprint,
		    how));
	};
	BOOST_TEST(print(fmt::format("{}", tid)).find(fmt::format(
	    " \"{}\"  pid {}  tid {}  ", text, pid, tid)) !=
	    std::string::npos);
	BOOST_TEST(has_line(print(fmt::format("--json -p {}", pid)),
	    fmt::format("{{\"schema\":1,\"tid\":{},", tid), json));
	BOOST_TEST(print(fmt::format("--group --json -p {}", pid)).find(json) !=
	    std::string::npos);
	BOOST_TEST(print(fmt::format("--native {}", tid)).find(text) ==
	    std::string::npos);
}

void
check_core(const std::string &stackprint, pid_t pid, const std::string &text)
{
	const std::string core = fmt::format("/tmp/stack9-names-{}", pid);
	lib::output_of(fmt::format("{} --dump {} {} 2>&1", stackprint, core,
	    pid));
	const std::string all = lib::output_of(fmt::format(
	    "{} --core {} 2>&1; rm -f {}", stackprint, core, core));
	BOOST_TEST(all.find(" \"" + text + "\"  pid ") != std::string::npos);
}
