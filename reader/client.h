// Declares the reader that is another process, as this process sees it.
//
// Its state has owners: child.h the process, connection.h the questions and
// answers, begun_walks.h and asked_names.h those that go on for longer than one
// question.  The client has the lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "core/seam/reader.h"

#include "asked_names.h"
#include "begun_walks.h"
#include "connection.h"
#include "fetch.h"

namespace stack9::sandbox {

class client final : public reader {
public:
	client(starter s, bool only) noexcept
	    : reader(only), by_(std::move(s)), names_(by_),
	      walks_(by_.reader().shared(), by_, names_)
	{
		by_.answer_first(walks_);
	}

	// Has the first reader started.  0, or an errno.
	int begin() noexcept { return by_.reader().begin(); }
	// Ends the reader.
	void end() noexcept;
	// This process is a fork of the reader's.
	void leave() noexcept { by_.reader().leave(); }

	pid_t pid() noexcept override;
	space_walk walk(stack9_space &, const user_copy &, stack_record &,
	    std::uint64_t &wanted) noexcept override;
	written_search written(stack9_space &, const user_copy &,
	    const written_question &, stack_record &, written_stack &)
	    noexcept override;
	written_search tasks(stack9_space &, written_tasks &) noexcept override;
	bool rules(stack9_space &, const std::uintptr_t *pcs, std::uint32_t n,
	    std::uint32_t *rules) noexcept override;
	bool code_rules(stack9_space &, std::uintptr_t from, std::uint32_t size,
	    std::vector<rule_run> &) override;
	void module(stack9_space &, std::uintptr_t pc, mapped_module &)
	    noexcept override;
	int function(stack9_space &, std::uintptr_t pc, bool return_address,
	    std::string &name, std::uintptr_t &offset, std::uintptr_t &size)
	    override;
	int lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
	    source_line_fn *, void *arg) noexcept override;
	int demangle(const char *, char *, std::size_t) noexcept override;
	bool run(file_task *, int fd, const std::string &question,
	    std::string &answer) override;
	unique_fd
	fetch(std::span<const unsigned char> id, file_kind kind) noexcept
	    override
	{
		return fetch_apart(id, kind);
	}
	void
	forget(const stack9_space &s) noexcept override
	{
		if (by_.reader().is_ours())
			by_.known().forget(s);
	}

	bool claim_walks() noexcept override { return walks_.claim(); }
	void release_walks() noexcept override;
	walk_begun begin_walk(stack9_space &, const user_copy &,
	    const stack_record &, const written_question &) noexcept override;
	space_walk end_walk(stack_record &, std::uint64_t &wanted,
	    written_search &) noexcept override;

private:
	// Calls f with the lock held.  otherwise: its result where there is no
	// memory, or where the mutex fails.
	template <typename T, typename F>
	T
	locked(T otherwise, F f) noexcept
	try {
		const std::lock_guard hold(lock_);
		return f();
	} catch (const std::bad_alloc &) {
		return otherwise;
	} catch (const std::system_error &) {
		return otherwise;
	}

	std::mutex	lock_;
	connection	by_;
	asked_names	names_;
	begun_walks	walks_;
};

} // namespace stack9::sandbox
