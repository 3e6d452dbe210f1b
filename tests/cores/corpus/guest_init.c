/*
 * Runs programs in a guest that has nothing else, and prints the cores that the
 * kernel makes of them, without pages full of zeros.
 *
 * /list has a line of each: a name, and the words of its command.  The program
 * ends what it says by "end", and is then ended by SIGABRT.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { page = 4096, most_words = 7 };
#define	CORE	"/tmp/core"

static char said[1 << 16];

static void
set_to(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

static void
print_core(void)
{
	static unsigned char bytes[page];
	const int fd = open(CORE, O_RDONLY);
	long at = 0;
	ssize_t n;

	while ((n = read(fd, bytes, sizeof bytes)) > 0) {
		int is_zero = 1;

		for (ssize_t i = 0; i < n; i++)
			is_zero &= bytes[i] == 0;
		if (!is_zero) {
			printf("@page %lx ", at);
			for (ssize_t i = 0; i < n; i++)
				printf("%02x", bytes[i]);
			putchar('\n');
		}
		at += n;
	}
	printf("@size %lx\n", at);
	close(fd);
	unlink(CORE);
}

static void
run(const char *name, char **words)
{
	int in[2], out[2];
	size_t have = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(in) != 0 || pipe(out) != 0 || (pid = fork()) < 0)
		return;
	if (pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		execv(words[0], words);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	said[0] = '\0';
	while (strstr(said, "end\n") == NULL &&
	    (n = read(out[0], said + have, sizeof said - 1 - have)) > 0) {
		have += (size_t)n;
		said[have] = '\0';
	}
	sleep(1);	/* until it waits for its input */
	kill(pid, SIGABRT);
	waitpid(pid, NULL, 0);
	close(in[1]);
	close(out[0]);
	printf("@said %s\n%s", name, said);
	print_core();
	fflush(stdout);
}

int
main(void)
{
	static const char *const folders[] = {"/proc", "/dev", "/tmp"};
	const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	char line[256];
	FILE *list;

	for (int i = 0; i < 3; i++)
		mkdir(folders[i], 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	for (int fd = open("/dev/console", O_RDWR), to = 0; to < 3; to++)
		dup2(fd, to);
	set_to("/proc/sys/kernel/core_pattern", CORE);
	set_to("/proc/sys/kernel/printk", "1");
	setrlimit(RLIMIT_CORE, &all);
	list = fopen("/list", "r");
	while (list != NULL && fgets(line, sizeof line, list) != NULL) {
		char *words[most_words + 1] = {0};
		char *word = strtok(line, " \n");

		for (int n = 0; word != NULL && n < most_words; n++) {
			words[n] = word;
			word = strtok(NULL, " \n");
		}
		if (words[0] != NULL)
			run(words[0], words + 1);
	}
	printf("@done\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return (0);
}
