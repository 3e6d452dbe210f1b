// Runs chromium without a network: the script is put into the file, and what it
// says into the document.  The browser prints that.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "chromium.h"

#include "programs.h"

namespace {

constexpr unsigned int patience = 600;	// seconds; some 2 are usual

const char *const tools = R"js(
const all = () => [...document.querySelectorAll('[data-f]')];
const name_of = g => g.querySelector('title').textContent.split('\n')[0];
const at = name => all().find(g => name_of(g) === name);
const said = [];
const say = (...words) => said.push(words.join(' '));
const visible = g => getComputedStyle(g).display !== 'none';
function see(name) {
	const g = at(name);
	if (!visible(g))
		return name + ': hidden';
	const box = g.querySelector('rect').getBoundingClientRect();
	const text = g.querySelector('text');
	return name + ': ' + Math.round(box.x) + '+' + Math.round(box.width) +
	    ' "' + (text ? text.textContent : '') + '"' +
	    (g.classList.contains('hit') ? ' hit' : '') +
	    (g.classList.contains('current') ? ' current' : '');
}
const find = kind => document.querySelector('.flames ' + kind);
const click = e => e.dispatchEvent(new MouseEvent('click', {bubbles: true}));
const press = (key, more) => (document.activeElement || find('')).dispatchEvent(
    new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true,
    ...more}));
const type = text => {
	find('input').value = text;
	find('input').dispatchEvent(new Event('input', {bubbles: true}));
};
const percents = () => find('.matched').textContent;
)js";

std::string
with_script(const std::string &text, const std::string &script)
{
	const auto end = text.rfind("</svg>");
	BOOST_REQUIRE(end != text.npos);
	return text.substr(0, end) + "<desc class=\"said\">nothing</desc>"
	    "<script><![CDATA[(() => {" + tools + "try {" + script +
	    "} catch (e) { say('failed:', e); }"
	    "document.querySelector('.said').textContent = "
	    "'[[' + said.join('\\n') + ']]';})();]]></script>" +
	    text.substr(end);
}

said
chromium(const scratch &home, const std::string &file)
{
	return run_within(patience, home, {path_of("chromium"), "--headless",
		"--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-extensions", "--incognito",
		"--disable-background-networking", "--hide-scrollbars",
		"--window-size=1200,800", "--force-device-scale-factor=1",
		"--virtual-time-budget=10000",
		"--user-data-dir=" + home.path() + "/user",
		"--dump-dom", "file://" + file});
}

// Quotation marks and the like, as a document is printed.
std::string
unescaped(std::string text)
{
	const std::pair<const char *, const char *> all[] = {{"&lt;", "<"},
		{"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
	for (const auto &[from, to] : all)
		for (auto i = text.find(from); i != text.npos;
		     i = text.find(from, i + 1))
			text.replace(i, std::char_traits<char>::length(from),
			    to);
	return text;
}

std::string
result_of(const std::string &name, const std::string &text)
{
	const scratch home;
	const said s = chromium(home, home.file(name, text));
	const auto mark = s.out.rfind("class=\"said\">[[");
	BOOST_REQUIRE_MESSAGE(s.status == 0 && mark != s.out.npos,
	    "chromium: " << s.status << ", " << s.out.size() << " bytes\n" <<
	    s.err);
	const auto begin = s.out.find("[[", mark) + 2;
	return unescaped(s.out.substr(begin, s.out.find("]]<", begin) - begin));
}

} // namespace

std::string
browsed(const std::string &name, const std::string &text,
    const std::string &script)
{
	return result_of(name, with_script(text, script));
}

std::string
browsed_page(const std::string &text, const std::string &script)
{
	return result_of("page.html", text + "<pre class=\"said\">nothing</pre>"
	    "<script>(async () => { const said = [];"
	    "const say = (...words) => said.push(words.join(' '));"
	    "try {" + script + "} catch (e) { say('failed:', e); }"
	    "document.querySelector('.said').textContent = "
	    "'[[' + said.join('\\n') + ']]';})();</script>");
}
