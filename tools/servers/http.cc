// Starts the process that speaks with servers, and sends it requests.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "http.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "courier.h"
#include "os/passed_descriptor.h"
#include "question.h"

namespace servers {
namespace {

using stack9::unique_fd;

// The process may take so long beside the request itself.
constexpr int slack_ms = 10'000;

bool
is_ready(int socket, std::chrono::steady_clock::time_point until)
{
	for (;;) {
		const auto left = std::chrono::ceil<std::chrono::milliseconds>(
		    until - std::chrono::steady_clock::now()).count();
		pollfd p{socket, POLLIN, 0};
		const int n = poll(&p, 1, static_cast<int>(
		    std::max<decltype(left)>(left, 0)));
		if (n >= 0 || errno != EINTR)
			return n > 0;
	}
}

std::string
take_message(int socket, int flags)
{
	std::string bytes(most_answer, '\0');
	const ssize_t n = recv(socket, bytes.data(), bytes.size(), flags);
	bytes.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
	return bytes;
}

std::chrono::steady_clock::time_point
in_ms(int ms)
{
	return std::chrono::steady_clock::now() +
	    std::chrono::milliseconds(ms);
}

unique_fd
file_of(const std::string &bytes)
{
	unique_fd fd(memfd_create("request", MFD_CLOEXEC));
	std::size_t had = 0;
	while (fd && had < bytes.size()) {
		const ssize_t n = write(fd.get(), bytes.data() + had,
		    bytes.size() - had);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return unique_fd();
		had += static_cast<std::size_t>(n);
	}
	return fd;
}

bool
send_request(int socket, std::uint64_t number, int fd)
{
	iovec part{&number, sizeof number};
	msghdr all{};
	stack9::passed_descriptor with;
	all.msg_iov = &part;
	all.msg_iovlen = 1;
	with.attach(all, fd);
	ssize_t n;
	do
		n = sendmsg(socket, &all, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == sizeof number;
}

answer
no_answer(const std::string &why)
{
	answer a;
	a.error = why;
	return a;
}

} // namespace

// It ends when the socket does.
http::~http()
{
	socket_.reset();
	if (pid_ > 0 && kill(pid_, SIGKILL) == 0)
		while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR)
			;
}

std::string
http::open()
{
	if (socket_)
		return {};
	if (const std::string why = read_secrets(secret_); !why.empty())
		return why;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return std::strerror(errno);
	unique_fd here(ends[0]), there(ends[1]);
	pid_ = fork();
	if (pid_ == 0) {
		here.reset();
		be_courier(std::move(there));
	}
	if (pid_ < 0)
		return std::strerror(errno);
	there.reset();
	if (!is_ready(here.get(), in_ms(slack_ms)))
		return "the process that speaks with servers does not begin";
	std::string why = take_message(here.get(), 0);
	std::uint64_t of;
	if (why.starts_with('\0'))	// it was killed
		why = answer_in(why, of).error;
	if (why != " ")
		return why.empty() ? "the process that speaks with servers has "
		    "ended" : why;
	socket_ = std::move(here);
	return {};
}

answer
http::receive(std::uint64_t number)
{
	const auto until = in_ms(request_ms + slack_ms);
	while (is_ready(socket_.get(), until)) {
		std::uint64_t of = 0;
		const std::string bytes = take_message(socket_.get(), 0);
		if (bytes.empty())
			return no_answer("the process that speaks with servers "
			    "has ended");
		answer a = answer_in(bytes, of);
		if (of == number || of == 0)
			return a;
	}
	return no_answer("the process that speaks with servers does not "
	    "answer");
}

// Messages that came between two requests are about none.
answer
http::post(const address &to, const std::string &path,
    const std::vector<std::string> &headers, std::string_view body)
{
	if (const std::string why = open(); !why.empty())
		return no_answer(why);
	question q{to.server() + path, to.user, to.password, headers,
	    std::string(body)};
	q.headers.emplace_back("Expect:");	// no round trip before the body
	if (!secret_.token.empty())
		q.headers.push_back("Authorization: Bearer " + secret_.token);
	if (!secret_.password.empty())
		q.password = secret_.password;
	const unique_fd file = file_of(bytes_of(q));
	if (!file)
		return no_answer(std::strerror(errno));
	while (!take_message(socket_.get(), MSG_DONTWAIT).empty())
		;
	if (!send_request(socket_.get(), ++number_, file.get()))
		return no_answer("the process that speaks with servers has "
		    "ended");
	return receive(number_);
}

} // namespace servers
