// Takes copies by a backend's routes themselves.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "take.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

std::string
words(const taken &t)
{
	return fmt::format("{}: {} {} {}", t.rec.thread.tid,
	    std::strerror(t.error), static_cast<int>(t.rec.why),
	    t.rec.reason != nullptr ? t.rec.reason : "");
}

namespace {

template <class Route>
taken
take_by(Route &r, pid_t tid)
{
	taken t;
	stack9::lead unused;
	const stack9_thread td{tid, tid, 0};
	t.rec.side = STACK9_USER;
	stack9::sides s{nullptr, t.rec, t.copy};
	t.error = r.copy(td, s, unused);
	return t;
}

} // namespace

bool
is_late(const taken &t)
{
	return t.error == EAGAIN && (t.rec.why == STACK9_WHY_LATE ||
	    t.rec.why == STACK9_WHY_SILENT);
}

taken
take(stack9::user_route &r, pid_t tid)
{
	return take_by(r, tid);
}

taken
take(stack9::user_running_route &r, pid_t tid)
{
	return take_by(r, tid);
}

int
take_more(stack9::copying_route &r, taken &t, std::uintptr_t wanted)
{
	return r.extend_copy(t.rec.thread, t.copy, wanted);
}

int
take_more_in_time(stack9::copying_route &r, taken &t, std::uintptr_t wanted)
{
	int error = EAGAIN;
	for (int i = 0; i < tries_in_time && error == EAGAIN; i++)
		error = take_more(r, t, wanted);
	return error;
}

std::map<pid_t, std::unique_ptr<taken>>
take_all(stack9::user_pass_route &r, pid_t pid, int &error)
{
	std::map<pid_t, std::unique_ptr<taken>> all;
	error = r.each_copy(pid, false, [](void *arg, stack9::sides &s)
	    noexcept -> int {
		auto &to = *static_cast<decltype(all) *>(arg);
		BOOST_TEST(to.count(s.user.thread.tid) == 0u);
		auto t = std::make_unique<taken>();
		t->error = s.user.error;
		t->rec = s.user;
		t->copy.what = s.copy.what;
		t->copy.value = s.copy.value;
		t->copy.known = s.copy.known;
		t->copy.mark = s.copy.mark;
		t->copy.stack.at = s.copy.stack.at;
		t->copy.stack.more = s.copy.stack.more;
		t->copy.stack.bytes.resize(s.copy.stack.bytes.size());
		std::copy_n(s.copy.stack.bytes.data(),
		    s.copy.stack.bytes.size(), t->copy.stack.bytes.data());
		to[s.user.thread.tid] = std::move(t);
		return 0;
	}, &all);
	return all;
}

std::map<pid_t, std::unique_ptr<taken>>
take_all_in_time(stack9::user_pass_route &r, pid_t pid, int &error,
    pid_t silent)
{
	for (int i = 1; i < tries_in_time; i++) {
		auto all = take_all(r, pid, error);
		if (error != EAGAIN && std::none_of(all.begin(), all.end(),
		    [=](const auto &t) {
			return t.first != silent && is_late(*t.second);
		    }))
			return all;
	}
	return take_all(r, pid, error);
}

std::size_t
open_files()
{
	std::size_t n = 0;
	for ([[maybe_unused]] const auto &f :
	    std::filesystem::directory_iterator("/proc/self/fd"))
		n++;
	return n;
}
