// Declares the reader that is another process, as this process sees it.
//
// It may end at any time: a file crashes it, or somebody kills or stops it.
// The questions that it has not answered have no answer then, and the next
// question has another reader started, as far as starts.h allows that.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

#include "budgets/left_out.h"
#include "core/seam/reader.h"
#include "os/near_cpu.h"

#include "channel.h"
#include "descriptions.h"
#include "file_places.h"
#include "starter.h"
#include "starts.h"
#include "tray.h"
#include "twins.h"

namespace stack9::apart {

class services;

class client final : public reader {
public:
	client(starter s, bool only) noexcept
	    : reader(only), starter_(std::move(s)),
	      halves_{half(starter_.shared()),
	      half(starter_.shared() + tray::size)} {}

	// Has the first reader started.  0, or an errno.
	int begin() noexcept;
	// Ends the reader.
	void end() noexcept;
	// This process is a fork of the reader's.
	void leave() noexcept { is_forked_ = true; }

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
	void
	forget(const stack9_space &s) noexcept override
	{
		if (owner_ == getpid())
			twins_.forget(s);
	}

	bool claim_walks() noexcept override
	    { return !claimed_.exchange(true); }
	void release_walks() noexcept override;
	walk_begun begin_walk(stack9_space &, const user_copy &,
	    const stack_record &) noexcept override;
	space_walk end_walk(stack_record &, std::uint64_t &wanted)
	    noexcept override;

private:
	struct begun_walk {
		stack9_thread	thread;
		std::uint64_t	snapshot, bytes;
		std::uint32_t	flags, max;
		const std::byte	*answer;
	};
	// Walks that are sent together.
	struct half {
		explicit half(std::byte *at) noexcept : lies_in(at) {}

		tray			lies_in;
		std::vector<begun_walk> all;
		std::size_t		ended = 0, answers = 0;
		std::uint64_t		bytes = 0;	// of the questions
		bool			sent = false, answered = false;
	};

	// Each function is called with the lock held.
	space_walk nothing(stack_record &) const noexcept;
	space_walk nothing(const stack9_space &, stack_record &) const noexcept;
	message &begin(kind, const stack9_space *);
	bool is_there() noexcept;
	// Returns true if it knows this process now.  Throws std::bad_alloc.
	bool is_there_for(stack9_space &);
	bool start() noexcept;
	bool greet() noexcept;
	bool is_well() noexcept;
	bool is_walking() const noexcept;
	void keep_walks_that_are_done() noexcept;
	// Returns true if the question that was lost is to be asked once more.
	bool once_more() noexcept { return std::exchange(was_killed_, false); }
	bool ask(const stack9_thread &whose, int fd = -1) noexcept;
	bool ask_readable(const char *name, std::size_t size);
	bool serve(services &) noexcept;
	void give_up() noexcept;
	void take_counts() noexcept;
	void take_notes() noexcept;
	bool send(const user_copy &);
	bool ask_rules(stack9_space &, const std::uintptr_t *pcs,
	    std::uint32_t n, std::uint32_t *rules);
	bool ask_code_rules(stack9_space &, std::uintptr_t from,
	    std::uint32_t size, std::vector<rule_run> &);
	bool describe(stack9_space &, const address &);
	// Whether last_ describes pc.
	bool is_last(const stack9_space &, std::uint64_t pc) const noexcept;
	bool ask_descriptions(stack9_space &, const address &);
	file_place place_of(stack9_space &, const address &) const noexcept;
	bool describe_by_file(stack9_space &, const address &);
	bool ask_lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
	    std::vector<line> &);
	bool try_walk(stack9_space &, const user_copy &, stack_record &,
	    space_walk &, std::uint64_t &wanted);
	bool take_walk(stack_record &, space_walk &, std::uint64_t &);
	bool take_written(stack_record &, written_stack &, written_search &);
	bool try_written(stack9_space &, const user_copy &,
	    const written_question &, stack_record &, written_stack &,
	    written_search &);
	bool try_tasks(stack9_space &, written_tasks &, written_search &);
	bool take_tasks(written_tasks &, written_search &);
	void expect_names(std::uint64_t snapshot, const stack_record &);
	walk_begun try_begin(stack9_space &, const user_copy &,
	    const stack_record &);
	bool put_walk(half &, stack9_space &, const user_copy &,
	    const stack_record &);
	void send_walks(half &);
	void await(half &) noexcept;
	void await_walks() noexcept;
	void empty(half &) noexcept;
	space_walk end_oldest(stack_record &, std::uint64_t &wanted);
	void forget_walks() noexcept;
	bool walk_alone(stack9_space &, const user_copy &, stack_record &,
	    space_walk &, std::uint64_t &wanted);
	bool take_walk(const begun_walk &, stack_record &, space_walk &,
	    std::uint64_t &) const;

	std::mutex	lock_;
	starter		starter_;
	channel		channel_{unique_fd()};
	std::atomic<pid_t> pid_{-1};
	near_cpu	near_;
	starts		starts_;
	const pid_t	owner_ = getpid();
	std::atomic<bool> is_forked_{false}, claimed_{false};
	half		halves_[tray::halves];
	std::size_t	oldest_ = 0, newest_ = 0;	// of the halves
	bool		first_ = true;		// the child is idle
	bool		asked_ = false, greeted_ = false, ended_ = true;
	bool		may_start_ = true, is_born_ = true;
	bool		was_killed_ = false;	// by nobody's file
	kind		asked_for_ = kind::answer; // what there is not
	pid_t		asked_about_ = 0;	// this process
	const char	*reason_ = nullptr;	// why it has ended
	message		out_, in_;
	twins		twins_;
	descriptions	described_;
	file_places	places_;
	// The last answer, and its address in its snapshot.
	description	last_;
	address		last_address_;
	std::uint64_t	last_snapshot_ = 0;
	// A program that asks for names or lines once asks for those of the
	// next stacks.
	bool		wants_names_ = false;
	bool		wants_lines_ = false;
	std::uint32_t	lines_flags_ = 0;
	std::uint64_t	counts_[std::size(budgets::left_out_kinds)]{};
};

// The same sentence, for good.  May throw std::bad_alloc.
const char *kept_sentence(std::string_view);

// The same sentence, for good; NULL if it is empty.  A reader that says more
// different sentences than the library has, or other characters, is not
// believed: its sentence is replaced.  Throws std::bad_alloc.
const char *sentence_of(std::string_view);

} // namespace stack9::apart
