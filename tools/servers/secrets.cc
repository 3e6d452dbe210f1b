// Reads the environment and small files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "secrets.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "tools/lib/text.h"

namespace servers {
namespace {

constexpr std::size_t longest = 16384;

std::string
read_one(const char *variable, const char *file_variable, std::string &to)
{
	const char *const text = std::getenv(variable);
	const char *const file = std::getenv(file_variable);
	if (text != nullptr && *text != '\0')
		to = text;
	if (!to.empty() || file == nullptr || *file == '\0')
		return {};
	std::ifstream in(file);
	if (!in)
		return tools::printable(file) + ": " +
		    std::strerror(errno);
	to.resize(longest);
	in.read(to.data(), longest);
	to.resize(static_cast<std::size_t>(in.gcount()));
	to.resize(to.find_last_not_of(" \t\r\n") + 1);
	// The rest of a header would be another header.
	return to.empty() || to.find_first_of("\r\n") != to.npos ?
	    tools::printable(file) + ": it has no secret of one line" :
	    "";
}

// Nobody but the machine hears what it says to itself.
bool
is_this_machine(std::string_view host)
{
	return host.starts_with("127.") || host.starts_with("localhost:") ||
	    host.starts_with("[::1]");
}

} // namespace

std::string
read_secrets(secrets &to)
{
	const std::string why = read_one("STACK9_TOKEN", "STACK9_TOKEN_FILE",
	    to.token);
	return !why.empty() ? why : read_one("STACK9_PASSWORD",
	    "STACK9_PASSWORD_FILE", to.password);
}

std::string
exposed_secrets(const address &to)
{
	secrets s;
	std::string text;
	read_secrets(s);
	const bool in_url = !to.password.empty() ||
	    to.path.find("password=") != to.path.npos;
	if (in_url)
		text = "the password is in the list of processes, where "
		    "everybody may read it; what helps: STACK9_PASSWORD_FILE";
	const bool any = !s.token.empty() || !s.password.empty() ||
	    in_url;
	if (any && !to.tls && !is_this_machine(to.host))
		text += std::string(text.empty() ? "" : "; ") + "the " +
		    (s.token.empty() ? "password" : "token") + " goes over "
		    "plain HTTP, where others may read it; what helps: a URL "
		    "that begins with " + to.text().substr(0,
		    to.text().find(':')) + "s://";
	return text;
}

} // namespace servers
