// Asks the reader, if there is one, to search a file.  Its answer holds names
// and numbers, nothing else.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_search.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "core/seam/reader.h"
#include "os/strangers_file.h"

#include "name_test.h"
#include "program_file.h"

namespace stack9::events {
namespace {

// Texts and numbers as texts, each with its NUL.
void
put(std::string &to, std::string_view text)
{
	to.append(text.substr(0, text.find('\0')));
	to.push_back('\0');
}

std::string
take_text(std::string_view &from)
{
	const std::size_t end = from.find('\0');
	if (end == from.npos) {
		from = {};
		return {};
	}
	const std::string text(from.substr(0, end));
	from.remove_prefix(end + 1);
	return text;
}

std::uint64_t
take_number(std::string_view &from)
{
	const std::string text = take_text(from);
	std::uint64_t n = 0;
	std::from_chars(text.data(), text.data() + text.size(), n);
	return n;
}

search_fn *
search_of(probe_kind kind) noexcept
{
	return kind == probe_kind::usdt ? search_probes : search_functions;
}

std::string
question_of(const event_text &e, bool regex, const std::string &path)
{
	std::string q;
	put(q, e.kind == probe_kind::usdt ? "usdt" : "u");
	put(q, e.provider);
	put(q, e.name);
	put(q, std::to_string(e.offset));
	put(q, regex ? "1" : "0");
	put(q, path);
	return q;
}

// Runs in the process without rights.
void
answer_question(unique_fd file, std::string_view q, std::string &answer)
{
	event_text e;
	std::vector<probe> probes;
	std::string why;
	e.kind = take_text(q) == "usdt" ? probe_kind::usdt : probe_kind::user;
	e.provider = take_text(q);
	e.name = take_text(q);
	e.offset = take_number(q);
	const bool regex = take_number(q) != 0;
	const std::string path = take_text(q);
	const int error = search_of(e.kind)(e, regex, std::move(file), path,
	    probes, why);
	put(answer, std::to_string(error));
	put(answer, why);
	for (const probe &p : probes) {
		put(answer, p.provider);
		put(answer, p.name);
		put(answer, std::to_string(p.offset));
		put(answer, std::to_string(p.semaphore));
	}
}

int
take_answer(std::string_view from, probe_kind kind, std::vector<probe> &probes,
    std::string &why)
{
	const auto error = static_cast<int>(take_number(from));
	why = take_text(from);
	while (!from.empty()) {
		probe p;
		p.kind = kind;
		p.provider = take_text(from);
		p.name = take_text(from);
		p.offset = take_number(from);
		p.semaphore = take_number(from);
		probes.push_back(std::move(p));
	}
	return error == 0 && probes.empty() ? ENOENT : error;
}

int
open_file(const std::string &path, unique_fd &file, std::string &why)
{
	const int error = open_regular(path.c_str(), file);
	if (error != 0)
		why = path + (error == EINVAL ? " is not a regular file" :
		    std::string(": ") + std::strerror(error));
	return error == EACCES ? EPERM : error;
}

int
search(const event_text &e, bool regex, unique_fd file,
    const std::string &path, std::vector<probe> &probes, std::string &why)
{
	auto *const r = the_unwinder();
	if (r == nullptr)
		return search_of(e.kind)(e, regex, std::move(file), path,
		    probes, why);
	std::string answer;
	if (r->run(answer_question, file.get(), question_of(e, regex, path),
	    answer) && !answer.empty())
		return take_answer(answer, e.kind, probes, why);
	why = path + " could not be read: the process that reads files has "
	    "ended";
	return EIO;
}

} // namespace

int
search_file(const event_text &e, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
{
	std::string path;
	unique_fd file;
	int error = find_program_file(e.path, pid, path, why);
	if (error == 0)
		error = open_file(path, file, why);
	if (error == 0)
		error = search(e, regex, std::move(file), path, probes, why);
	for (probe &p : probes) {
		p.path = path;
		p.label = (p.kind == probe_kind::usdt ? "usdt:" : "u:") +
		    escaped(path) + ":" + (p.provider.empty() ? "" :
		    p.provider + ":") + p.name;
	}
	return error;
}

} // namespace stack9::events
