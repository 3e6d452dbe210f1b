// Runs programs of others that get their stacks from the library's, and keeps
// the samples that come in either way.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <bpf/libbpf.h>
#include <stack9_rules.h>

#include "caller.h"
#include "watching.h"

// Skips a case unless such programs load, with the reason.
boost::unit_test::decorator::precondition lends();

struct rules_closer {
	void operator()(stack9_rules *r) const noexcept
	    { stack9_rules_close(r); }
};
using rules = std::unique_ptr<stack9_rules, rules_closer>;
// Requires that they open.
rules open_rules(const stack9_rules_options * = nullptr);

// An object of caller.bpf.c.
class caller {
public:
	// program: the one that is loaded.  by: NULL: it is not attached to
	// rules.
	explicit caller(const char *program, stack9_rules *by);
	caller(const caller &) = delete;
	~caller();

	bpf_map *map(const char *name) const;
	bpf_program *program() const { return program_; }
	int	load();				// 0, or an errno
	// The calls are for this process from then on.
	void	ask(pid_t, std::uint64_t cookie = 1, bool send = false);
	void	attach();			// raw tracepoints
	void	attach(bpf_link *);		// any other
	answers	answered() const;
	// Gives what is stored to the function, as samples.
	void	drain(stack9_rules *, stack9_sample_fn *, void *arg);

private:
	bpf_object	*object_;
	bpf_program	*program_;
	std::vector<bpf_link *> links_;
	ring_buffer	*ring_ = nullptr;
	stack9_rules	*by_ = nullptr;
	stack9_sample_fn *fn_ = nullptr;
	void		*arg_ = nullptr;

	static int take(void *arg, void *stack, std::size_t);
};

// Keeps the samples that come.
struct taken {
	std::vector<kept_sample> samples;
	std::vector<std::uint64_t> cookies;

	static int add(void *arg, const stack9_sample *);
	// Reads both ways until the program is done, and then all.
	void	until_done(staged &, stack9_rules *,
		    const std::vector<caller *> &);
	// Reads both ways once.
	void	read(stack9_rules *, const std::vector<caller *> &,
		    int timeout_ms);
};
