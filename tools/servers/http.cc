// Looks up the functions of libcurl by their names, and calls them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "http.h"

#include <cstdlib>
#include <initializer_list>

#include <curl/curl.h>
#include <dlfcn.h>

#include "tools/lib/version.h"

namespace servers {
namespace {

constexpr long connect_ms = 5'000, whole_ms = 60'000;
constexpr std::size_t most_of_answer = 65'536;

template <class Function>
bool
look_up(void *library, const char *name, Function *&to)
{
	to = reinterpret_cast<Function *>(dlsym(library, name));
	return to != nullptr;
}

std::size_t
keep(char *bytes, std::size_t, std::size_t size, void *to) noexcept
{
	std::string &body = *static_cast<std::string *>(to);
	try {
		body.append(bytes, std::min(size,
		    most_of_answer - body.size()));
	} catch (const std::bad_alloc &) {
		return 0;
	}
	return size;
}

} // namespace

struct http::connection {
	decltype(&curl_easy_init)	init;
	decltype(&curl_easy_cleanup)	cleanup;
	decltype(&curl_easy_setopt)	set;
	decltype(&curl_easy_perform)	perform;
	decltype(&curl_easy_getinfo)	info;
	decltype(&curl_easy_strerror)	error;
	decltype(&curl_slist_append)	append;
	decltype(&curl_slist_free_all)	free_all;
	CURL		*handle = nullptr;

	std::string	open();
	void	prepare(const address &, const std::string &path,
		    std::string_view body);
	answer	ask(curl_slist *headers);
};

// Both libraries have the same functions.  Nothing closes a library: its TLS
// may have handlers that run at the end of the program.
std::string
http::connection::open()
{
	void *lib = nullptr;
	for (const char *name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
		if (lib == nullptr)
			lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (lib == nullptr)
		return "libcurl.so.4 is not installed; what helps: apt install "
		    "libcurl4";
	if (!look_up(lib, "curl_easy_init", init) ||
	    !look_up(lib, "curl_easy_cleanup", cleanup) ||
	    !look_up(lib, "curl_easy_setopt", set) ||
	    !look_up(lib, "curl_easy_perform", perform) ||
	    !look_up(lib, "curl_easy_getinfo", info) ||
	    !look_up(lib, "curl_easy_strerror", error) ||
	    !look_up(lib, "curl_slist_append", append) ||
	    !look_up(lib, "curl_slist_free_all", free_all))
		return "libcurl.so.4 lacks a function";
	handle = init();
	return handle == nullptr ? "libcurl cannot begin" : "";
}

void
http::connection::prepare(const address &to, const std::string &path,
    std::string_view body)
{
	const std::string url = to.server() + path;
	const std::string agent = "stack9/" + stackprint::version_number();
	set(handle, CURLOPT_URL, url.c_str());
	set(handle, CURLOPT_USERAGENT, agent.c_str());
	const bool has_user = !to.user.empty() || !to.password.empty();
	set(handle, CURLOPT_USERNAME, has_user ? to.user.c_str() : nullptr);
	set(handle, CURLOPT_PASSWORD, has_user ? to.password.c_str() :
	    nullptr);
	set(handle, CURLOPT_NOSIGNAL, 1L);
	set(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
	set(handle, CURLOPT_TIMEOUT_MS, whole_ms);
	set(handle, CURLOPT_POST, 1L);
	set(handle, CURLOPT_POSTFIELDS, body.data());
	set(handle, CURLOPT_POSTFIELDSIZE_LARGE,
	    static_cast<curl_off_t>(body.size()));
}

answer
http::connection::ask(curl_slist *headers)
{
	answer a;
	char why[CURL_ERROR_SIZE] = "";
	set(handle, CURLOPT_HTTPHEADER, headers);
	set(handle, CURLOPT_ERRORBUFFER, why);
	set(handle, CURLOPT_WRITEFUNCTION, keep);
	set(handle, CURLOPT_WRITEDATA, &a.body);
	const CURLcode code = perform(handle);
	set(handle, CURLOPT_ERRORBUFFER, nullptr);
	long status = 0;
	curl_off_t seconds = 0;
	info(handle, CURLINFO_RESPONSE_CODE, &status);
	info(handle, CURLINFO_RETRY_AFTER, &seconds);
	if (code == CURLE_OK)
		a.status = static_cast<int>(status);
	else
		a.error = why[0] != '\0' ? why : error(code);
	if (seconds > 0)
		a.retry_after = static_cast<unsigned int>(
		    std::min<curl_off_t>(seconds, 3600));
	return a;
}

http::http() = default;

http::~http()
{
	if (connection_ != nullptr && connection_->handle != nullptr)
		connection_->cleanup(connection_->handle);
}

std::string
http::open()
{
	if (connection_ != nullptr)
		return {};
	auto c = std::make_unique<connection>();
	std::string why = c->open();
	if (why.empty())
		connection_ = std::move(c);
	return why;
}

answer
http::post(const address &to, const std::string &path,
    const std::vector<std::string> &headers, std::string_view body)
{
	answer none;
	none.error = open();
	if (!none.error.empty())
		return none;
	connection &c = *connection_;
	std::vector<std::string> all = headers;
	all.emplace_back("Expect:");	// no round trip before the body
	// A secret is better there than among the arguments of a process.
	if (const char *token = std::getenv("STACK9_TOKEN"))
		all.push_back(std::string("Authorization: Bearer ") + token);
	curl_slist *list = nullptr;
	for (const std::string &each : all)
		list = c.append(list, each.c_str());
	c.prepare(to, path, body);
	answer a = c.ask(list);
	c.set(c.handle, CURLOPT_HTTPHEADER, nullptr);
	c.free_all(list);
	return a;
}

} // namespace servers
