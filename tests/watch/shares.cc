// Profiles real programs, and compares how many stacks are copied with how many
// there are, and each walk with a copy.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_shares)

namespace {

// A program that works until this is gone, and its children.
class busy {
public:
	explicit busy(std::vector<const char *> words) : pid_(fork())
	{
		words.push_back(nullptr);
		if (pid_ != 0) {
			setpgid(pid_, pid_);
			return;
		}
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const int null = open("/dev/null", O_RDWR);
		for (const int fd : {0, 1, 2})
			dup2(null, fd);
		execvp(words[0], const_cast<char *const *>(words.data()));
		_exit(127);
	}
	busy(const busy &) = delete;
	~busy()
	{
		kill(-pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}

	pid_t pid() const { return pid_; }

private:
	const pid_t	pid_;
};

constexpr const char *python[] = {"python3", "-c",
	"import json, re, random, zlib\n"
	"def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
	"while True:\n"
	"    d = [{'a': random.random(), 'b': str(i)} for i in range(999)]\n"
	"    s = json.dumps(d)\n"
	"    json.loads(s), re.findall(r'(\\d+)\\.(\\d+)', s), fib(15)\n"
	"    sorted(d, key=lambda x: x['a']), zlib.compress(s.encode())\n"};
constexpr const char *compiler[] = {"sh", "-c", "while :; do "
	"echo '#include <regex>\n#include <map>\n#include <iostream>\n"
	"int main() { std::map<std::string, std::regex> m; "
	"std::cout << std::regex_match(\"a\", m[\"b\"]); }' | "
	"c++ -O2 -x c++ -c -o /dev/null -; done"};

// "": the program is here, and there is time.
std::string
no_profiles(const char *program)
{
	if (getenv("STACK9_LONG") == nullptr)
		return "it takes a minute; STACK9_LONG is not set";
	return std::system((std::string("command -v ") + program +
	    " > /dev/null").c_str()) == 0 ? no_walks_in_interrupts() :
	    std::string(program) + " is not installed";
}

auto
with(const char *program)
{
	return unless([program] { return no_profiles(program); });
}

stack9::watch_totals
profile(const stack9::watch_filter &f)
{
	using std::chrono::steady_clock;
	watching w("cpu-clock:997", f, counted(STACK9_USER));
	const auto end = steady_clock::now() + std::chrono::seconds(20);
	while (steady_clock::now() < end)
		w.read(100);
	w.end();
	return w.tally();
}

// At most one stack in twenty is copied, and no walk is wrong.
void
check_profiles(const stack9::watch_filter &f)
{
	const stack9::watch_totals t = profile(f);
	BOOST_TEST_MESSAGE(t.events << " events, " << t.walked << " walked, " <<
	    t.copied << " copied");
	if ((t.flags & STACK9_TALLY_NO_WALK) != 0)
		return;
	BOOST_TEST(t.events > 1000u);
	BOOST_TEST(20 * t.copied <= t.events);
	setenv("STACK9_WALK", "compare", 1);
	const stack9::watch_totals both = profile(f);
	unsetenv("STACK9_WALK");
	BOOST_TEST(both.walked > both.events / 2);
	BOOST_TEST(both.differing == 0u);
}

} // namespace

BOOST_AUTO_TEST_CASE(of_python, *needs("bpf") * with("python3"))
{
	const busy p({std::begin(python), std::end(python)});
	check_profiles(only(p.pid()));
}

BOOST_AUTO_TEST_CASE(of_a_compiler, *needs("bpf") * with("c++"))
{
	const busy p({std::begin(compiler), std::end(compiler)});
	stack9::watch_filter f{};
	f.comm = "cc1plus";
	check_profiles(f);
}

BOOST_AUTO_TEST_SUITE_END()
