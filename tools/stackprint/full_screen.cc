// Draws on the whole terminal and reads its keys.
//
// Rejected: ncurses.  Every start of the program would map it, and it would be
// a package to depend on, for four sequences.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "full_screen.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/lib/interruption.h"

namespace stackprint {
namespace {

constexpr const char *enter_screen = "\033[?1049h\033[?25l",
    *leave_screen = "\033[?25h\033[?1049l";

void
on_size(int)
{
}

// The signal of a new size comes only while ppoll(2) waits, so that none is
// missed.
void
handle_sizes()
{
	struct sigaction action = {};
	sigset_t sizes;
	action.sa_handler = on_size;
	sigaction(SIGWINCH, &action, nullptr);
	sigemptyset(&sizes);
	sigaddset(&sizes, SIGWINCH);
	sigprocmask(SIG_BLOCK, &sizes, nullptr);
}

void
write_all(const std::string &text)
{
	std::size_t at = 0;
	while (at < text.size()) {
		const ssize_t n = write(STDOUT_FILENO, text.data() + at,
		    text.size() - at);
		if (n > 0)
			at += static_cast<std::size_t>(n);
		else if (errno != EINTR)
			return;
	}
}

winsize
size_of_terminal()
{
	winsize size{};
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col == 0 || size.ws_row == 0) {
		size.ws_col = 80;
		size.ws_row = 24;
	}
	return size;
}

} // namespace

// The keys that make signals still make them, except the one that stops: the
// shell's line would come into the drawing.
bool
full_screen::open()
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetattr(STDIN_FILENO, &before_) != 0)
		return false;
	termios raw = before_;
	raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
	raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0)
		return false;
	is_open_ = true;
	handle_sizes();
	write_all(enter_screen);
	return true;
}

full_screen::~full_screen()
{
	if (!is_open_)
		return;
	write_all(leave_screen);
	tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

int
full_screen::columns() const
{
	return size_of_terminal().ws_col;
}

int
full_screen::rows() const
{
	return size_of_terminal().ws_row;
}

void
full_screen::draw(const std::vector<screen_line> &lines)
{
	const winsize size = size_of_terminal();
	std::string text = "\033[H";
	for (std::size_t i = 0; i < size.ws_row; i++) {
		const bool reversed = i < lines.size() && lines[i].reversed;
		std::string line = i < lines.size() ?
		    lines[i].text.substr(0, size.ws_col) : std::string();
		if (reversed)
			line.resize(size.ws_col, ' ');
		text += (reversed ? "\033[7m" : "") + line +
		    (reversed ? "\033[0m" : "");
		// After a full line it would erase its last column.
		if (line.size() < size.ws_col)
			text += "\033[K";
		if (i + 1 < size.ws_row)
			text += "\r\n";
	}
	if (text != drawn_)
		write_all(text);
	drawn_ = text;
}

keystroke
full_screen::escaped(const std::string &code)
{
	static constexpr struct {
		const char	*code;
		key		 what;
	} keys[] = {{"[A", key::up}, {"OA", key::up}, {"[B", key::down},
	    {"OB", key::down}, {"[5~", key::page_up}, {"[6~", key::page_down},
	    {"[H", key::home}, {"OH", key::home}, {"[1~", key::home},
	    {"[F", key::end}, {"OF", key::end}, {"[4~", key::end},
	    {"[C", key::enter}, {"OC", key::enter}, {"[D", key::back},
	    {"OD", key::back}};
	for (const auto &k : keys)
		if (code.starts_with(k.code)) {
			typed_.erase(0, 1 + std::string(k.code).size());
			return {k.what};
		}
	// A code that is not known is dropped; the key Escape has none.
	if (code.empty() || (code[0] != '[' && code[0] != 'O'))
		typed_.erase(0, 1);
	else
		typed_.clear();
	return {code.empty() ? key::back : key::nothing};
}

keystroke
full_screen::take()
{
	const char c = typed_.front();
	if (c == '\033')
		return escaped(typed_.substr(1));
	typed_.erase(0, 1);
	if (c == '\r' || c == '\n')
		return {key::enter};
	if (c == '\177' || c == '\b')
		return {key::back, c};
	return {key::letter, c};
}

keystroke
full_screen::wait(double seconds)
{
	if (!typed_.empty())
		return take();
	pollfd p[] = {{STDIN_FILENO, POLLIN, 0},
	    {catch_interruption(), POLLIN, 0}};
	timespec left{};
	sigset_t none;
	seconds = std::max(seconds, 0.0);
	left.tv_sec = static_cast<time_t>(seconds);
	left.tv_nsec = static_cast<long>(
	    (seconds - static_cast<double>(left.tv_sec)) * 1e9);
	sigprocmask(SIG_BLOCK, nullptr, &none);
	sigdelset(&none, SIGWINCH);
	const int n = ppoll(p, 2, &left, &none);
	if (interruption() != 0)
		return {key::hangup};
	if (n <= 0 || p[0].revents == 0)
		return {};
	char text[64];
	const ssize_t got = read(STDIN_FILENO, text, sizeof text);
	if (got <= 0)
		return {got < 0 && errno == EINTR ? key::nothing :
		    key::hangup};
	typed_.assign(text, static_cast<std::size_t>(got));
	return take();
}

} // namespace stackprint
