// Compares the owners of Java's locks with those that the machine itself gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_waits.h>

#include "java_program.h"
#include "languages_asked/waits_of.h"
#include "lib/process.h"
#include "lib/programs.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

struct wait {
	pid_t		owner = 0;	// 0: it waits for nobody
	std::string	object = "-";
	bool operator==(const wait &) const = default;
};
std::ostream &
operator<<(std::ostream &to, const wait &w)
{
	return to << w.object << " of " << w.owner;
}
using waits = std::map<pid_t, wait>;

class locks_program {
public:
	locks_program(const std::string &java, const std::string &option,
	    int collections = 0)
	{
		const lib::piped p = lib::start_piped({java,
		    "-XX:+IgnoreUnrecognizedVMOptions",
		    "-XX:+UnlockExperimentalVMOptions", option,
		    "-XX:+ZGenerational",
		    fmt::format("-Dcollections={}", collections), "-cp",
		    CLASSES, "Locks"});
		BOOST_REQUIRE(p.pid > 0);
		pid_ = p.pid;
		input_ = p.input;
		const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
		    fdopen(p.output, "r"), std::fclose);
		char line[512], object[400];
		int tid, owner;
		while (std::fgets(line, sizeof line, file.get()) != nullptr &&
		    std::sscanf(line, "wait %d %d %399s", &tid, &owner,
		    object) == 3)
			said_[tid] = {owner, object};
		BOOST_REQUIRE(std::string(line) == "end\n");
	}
	locks_program(const locks_program &) = delete;
	locks_program &operator=(const locks_program &) = delete;
	~locks_program()
	{
		close(input_);
		lib::kill_and_reap(pid_);
	}

	pid_t pid() const { return pid_; }
	const waits &said() const { return said_; }

private:
	pid_t	pid_ = -1;
	int	input_ = -1;
	waits	said_;
};

int
note(void *to, const stack9_wait *w)
{
	if ((w->flags & (STACK9_WAIT_MOVED | STACK9_WAIT_CHANGING)) != 0)
		return 0;
	wait &its = (*static_cast<waits *>(to))[w->sample->thread.tid];
	its = {};
	if (w->kind != STACK9_WAIT_MONITOR && (w->kind !=
	    STACK9_WAIT_CONDITION || w->object[0] == '\0'))
		return 0;
	its.object = w->object;
	if (w->holders == 1 && w->holder[0].role == STACK9_ROLE_OWNER)
		its.owner = w->holder[0].thread.tid;
	return 0;
}

bool
has_all(const waits &seen, const waits &said)
{
	return std::all_of(said.begin(), said.end(), [&](const auto &one) {
		return seen.contains(one.first);
	});
}

// One of those that wait for a monitor looks now and then whether it is free,
// so that it may have moved.
waits
seen_of(const locks_program &p)
{
	waits seen;
	for (int looks = 0; looks < 100 && !has_all(seen, p.said()); looks++)
		waits_of(p.pid(), note, &seen);
	return seen;
}

// An owner that is not known is better than a wrong one, and so is a class.
bool
is_not_wrong(const wait &said, const wait &seen)
{
	return (seen.owner == 0 || seen.owner == said.owner) &&
	    (seen.object == "-" || seen.object.empty() ||
	    seen.object == said.object);
}

bool
is_known(const wait &said, const wait &seen)
{
	return seen == said || (seen.object == said.object &&
	    seen.owner == 0 && !said.object.starts_with("java.util"));
}

} // namespace

BOOST_AUTO_TEST_CASE(who_has_a_lock_is_said, *has_java() * needs("bpf") * SAYS(
    "KINDS: MONITOR: the thread that has a monitor or a lock of "
    "java.util.concurrent, is the one that Java names"))
{
	for (const std::string &java : javas())
		for (const char *const option : {"-Xint", "-XX:+UseG1GC",
		    "-XX:-UseCompressedOops", "-XX:+UseSerialGC"}) {
			const locks_program p(java, option);
			const waits seen = seen_of(p);
			std::size_t owned = 0;
			BOOST_TEST(p.said().size() == 30u);
			for (const auto &[tid, said] : p.said()) {
				owned += said.owner != 0;
				BOOST_TEST_CONTEXT(java << ' ' << option <<
				    " tid " << tid)
				BOOST_TEST((seen.contains(tid) &&
				    seen.at(tid) == said));
			}
			BOOST_TEST(owned == 24u);
		}
}

// The owner of a monitor may be in a list of the owner's own.  This collector
// changes that list when the thread runs next.  After a collection words still
// lead to where objects were.
BOOST_AUTO_TEST_CASE(zgc_hides_and_does_not_mislead, *has_java() *
    needs("bpf") * SAYS("LANGUAGES: with ZGC locks are known until a "
    "collection, but for owners of monitors, and never wrongly"))
{
	for (const std::string &java : javas())
		for (const int collections : {0, 1, 4}) {
			const locks_program p(java, "-XX:+UseZGC", collections);
			const waits seen = seen_of(p);
			for (const auto &[tid, said] : p.said()) {
				BOOST_TEST_CONTEXT(java << ' ' << collections <<
				    " collections, tid " << tid << ": " << said)
				BOOST_TEST((seen.contains(tid) &&
				    (collections == 0 ? is_known(said,
				    seen.at(tid)) : is_not_wrong(said,
				    seen.at(tid)))));
			}
		}
}

BOOST_AUTO_TEST_CASE(a_deadlock_of_java_is_said, *has_java() * needs("bpf") *
    SAYS("WAITS: a circle of threads that wait for each other's monitors or "
    "locks is a deadlock"))
{
	const locks_program p(javas().front(), "-Xint");
	const std::string text = lib::output_of(fmt::format(STACKPRINT
	    " --why -p {} 2>/dev/null", p.pid()));
	std::size_t deadlocks = 0;
	for (std::size_t at = 0; (at = text.find("deadlock of ", at)) !=
	    text.npos; at++)
		deadlocks++;
	BOOST_TEST(deadlocks == 4u);
	BOOST_TEST_INFO(text);
	BOOST_TEST(text.find("monitor: Locks$Guarded") != text.npos);
	BOOST_TEST(text.find("monitor: java.util.concurrent.locks."
	    "ReentrantLock$NonfairSync") != text.npos);
}
