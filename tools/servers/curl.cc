// Looks up the functions of libcurl by their names, and calls them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "curl.h"

#include <algorithm>
#include <initializer_list>
#include <new>

#include <curl/curl.h>
#include <dlfcn.h>

#include "tools/lib/version.h"

namespace servers {
namespace {

constexpr long connect_ms = 5'000, whole_ms = request_ms;
constexpr std::size_t most_of_headers = std::size_t{256} << 10;

template <class Function>
bool
look_up(void *library, const char *name, Function *&to)
{
	to = reinterpret_cast<Function *>(dlsym(library, name));
	return to != nullptr;
}

// A server may send for ever.  The answer ends where enough is there.
std::size_t
keep(char *bytes, std::size_t, std::size_t size, void *to) noexcept
{
	std::string &body = *static_cast<std::string *>(to);
	try {
		body.append(bytes, std::min(size, most_body - body.size()));
	} catch (const std::bad_alloc &) {
		return 0;
	}
	return body.size() < most_body ? size : 0;
}

// The same holds for headers: libcurl drops them one by one.
std::size_t
count(char *, std::size_t, std::size_t size, void *left) noexcept
{
	std::size_t &n = *static_cast<std::size_t *>(left);
	if (size > n)
		return 0;
	n -= size;
	return size;
}

} // namespace

struct curl::connection {
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
	void	prepare(const question &);
	answer	ask(curl_slist *headers);
};

// Both libraries have the same functions.  Nothing closes a library: its TLS
// may have handlers that run at the end of the program.
std::string
curl::connection::open()
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
curl::connection::prepare(const question &q)
{
	const std::string agent = "stack9/" + tools::version_number();
	set(handle, CURLOPT_URL, q.url.c_str());
	set(handle, CURLOPT_USERAGENT, agent.c_str());
	const bool has_user = !q.user.empty() || !q.password.empty();
	set(handle, CURLOPT_USERNAME, has_user ? q.user.c_str() : nullptr);
	set(handle, CURLOPT_PASSWORD, has_user ? q.password.c_str() : nullptr);
	set(handle, CURLOPT_NOSIGNAL, 1L);
	set(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
	set(handle, CURLOPT_TIMEOUT_MS, whole_ms);
	set(handle, CURLOPT_POST, 1L);
	set(handle, CURLOPT_POSTFIELDS, q.body.data());
	set(handle, CURLOPT_POSTFIELDSIZE_LARGE,
	    static_cast<curl_off_t>(q.body.size()));
}

answer
curl::connection::ask(curl_slist *headers)
{
	answer a;
	char why[CURL_ERROR_SIZE] = "";
	std::size_t headers_left = most_of_headers;
	set(handle, CURLOPT_HTTPHEADER, headers);
	set(handle, CURLOPT_ERRORBUFFER, why);
	set(handle, CURLOPT_WRITEFUNCTION, keep);
	set(handle, CURLOPT_WRITEDATA, &a.body);
	set(handle, CURLOPT_HEADERFUNCTION, count);
	set(handle, CURLOPT_HEADERDATA, &headers_left);
	const CURLcode code = perform(handle);
	set(handle, CURLOPT_ERRORBUFFER, nullptr);
	long status = 0;
	curl_off_t seconds = 0;
	info(handle, CURLINFO_RESPONSE_CODE, &status);
	info(handle, CURLINFO_RETRY_AFTER, &seconds);
	if (code == CURLE_OK || a.body.size() == most_body)
		a.status = static_cast<int>(status);
	else
		a.error = code == CURLE_WRITE_ERROR ? "its answer is too long" :
		    why[0] != '\0' ? why : error(code);
	if (seconds > 0)
		a.retry_after = static_cast<unsigned int>(
		    std::min<curl_off_t>(seconds, 3600));
	return a;
}

curl::curl() = default;

curl::~curl()
{
	if (connection_ != nullptr && connection_->handle != nullptr)
		connection_->cleanup(connection_->handle);
}

std::string
curl::open()
{
	auto c = std::make_unique<connection>();
	std::string why = c->open();
	if (why.empty())
		connection_ = std::move(c);
	return why;
}

answer
curl::post(const question &q)
{
	connection &c = *connection_;
	curl_slist *list = nullptr;
	for (const std::string &each : q.headers)
		list = c.append(list, each.c_str());
	c.prepare(q);
	answer a = c.ask(list);
	c.set(c.handle, CURLOPT_HTTPHEADER, nullptr);
	c.free_all(list);
	return a;
}

} // namespace servers
