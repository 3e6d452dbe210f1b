// Times dumps by whole programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_tool.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

namespace {

std::string
command_line(user_target &t, const user_tool &tool, const std::string &output)
{
	std::string line = fmt::format("exec '{}' {} {}", beside("timed"),
	    t.page_fd(), output);
	for (const std::string &word : tool.command)
		line += fmt::format(" '{}'", word == "PID" ?
		    std::to_string(t.pid()) : word);
	return line + " 2>&1";
}

void
add_gaps(const clock_page &page, user_runs &runs)
{
	const std::uint64_t *const end = page.gap_ns + page.slices;
	runs.slice_ns.insert(runs.slice_ns.end(), page.gap_ns, end);
	runs.largest_ns.push_back(static_cast<double>(page.slices == 0 ? 0 :
	    *std::max_element(page.gap_ns, end)));
}

// False: it could not be run at all.
bool
run_once(user_target &t, const user_tool &tool, const std::string &output,
    user_runs &runs)
{
	FILE *const in = popen(command_line(t, tool, output).c_str(), "r");
	if (in == nullptr)
		return false;
	double wall = 0, cpu = 0;
	long rss = 0;
	const bool told = std::fscanf(in, "%lf %lf %ld %d", &wall, &cpu, &rss,
	    &runs.status) == 4;
	if (pclose(in) != 0 || !told)
		return false;
	runs.wall_us.push_back(wall);
	runs.cpu_us.push_back(cpu);
	runs.rss_kib = std::max(runs.rss_kib, rss);
	add_gaps(t.page(), runs);
	return true;
}

// The first run is for what it prints: a program that found nothing is quick.
void
look_at_output(user_target &t, const user_tool &tool, user_runs &runs)
{
	const std::string file = fmt::format("{}/stack9-bench.{}",
	    std::filesystem::temp_directory_path().string(), getpid());
	user_runs first;
	runs.status = run_once(t, tool, file, first) ? first.status : -1;
	std::ifstream in(file);
	for (std::string line; std::getline(in, line);)
		runs.named += line.find("bench_level") != line.npos;
	std::filesystem::remove(file);
}

// A status of its own is a program's way to say that a stack was not whole.
bool
of_use(const user_tool &tool, const user_runs &runs)
{
	return tool.command.back() == "PID" ? runs.named > 0 :
	    runs.status == 0;
}

} // namespace

double
user_runs::spent_us() const
{
	return std::accumulate(wall_us.begin(), wall_us.end(), 0.0);
}

std::vector<user_runs>
run_in_turns(user_target &t, const std::vector<user_tool> &tools,
    const patience &p)
{
	std::vector<user_runs> all(tools.size());
	for (std::size_t i = 0; i < tools.size(); i++)
		look_at_output(t, tools[i], all[i]);
	for (unsigned round = 0; round < p.most; round++)
		for (std::size_t i = 0; i < tools.size(); i++)
			if (of_use(tools[i], all[i]) && (round < p.least ||
			    all[i].spent_us() < p.us))
				run_once(t, tools[i], "/dev/null", all[i]);
	return all;
}
