// Declares bpftrace and our programs, run as they are from a shell.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

// A program that traces until it is asked to end.
class tracer {
public:
	// output: a file.  Where tracefs is not mounted it is for the tracer.
	tracer(const std::vector<std::string> &words,
	    const std::string &output);
	tracer(const tracer &) = delete;
	~tracer();

	// Waits until the file is there; false: it ended instead.
	bool	wait_for(const std::string &file);
	bool	runs();
	void	interrupt() const;
	void	end();			// interrupts, and waits
	bool	wait();			// for its own end
	double	end_of_cpu();		// the same as end(): seconds of CPU,
					// its children's too

private:
	pid_t	pid_ = -1;
};

// The words that run a script in this bpftrace; it makes file when attached.
std::vector<std::string> bpftrace(const std::string &program,
    const std::string &script, const std::string &file);

// A directory that goes with what is in it.
struct scratch {
	scratch();
	~scratch();
	std::string operator/(const std::string &name) const;

	std::string	path;
};

// Lines of a file that have the word.
std::size_t lines_with(const std::string &file, const std::string &word);
// The sum of the numbers that follow the word, one a line.
long sum_behind(const std::string &file, const std::string &word);
