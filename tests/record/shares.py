# Compares what stackrecord saw of tests/record/schedule.c with what that
# program says it did.
#
# usage: shares.py STACKRECORD STACKREPORT SCHEDULE DIRECTORY
#
# SPDX-License-Identifier: BSD-2-Clause
import os
import subprocess
import sys

stackrecord, stackreport, schedule, directory = sys.argv[1:]
seconds = int(os.environ.get("STACK9_SHARES_SECONDS", "4"))
hz = 100
most = 0.02
runs = 3
pairs = (("asleep_in_first", "asleep_in_second"), ("at_work", "at_rest"))


def report(where, *options):
    return subprocess.run([stackreport, *options, where],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True).stdout


def record(where):
    """What the program says that it did while it was recorded."""
    # Both come before the machine's other work, the recorder first: otherwise
    # the program would wait for a CPU where it says that it sleeps.
    program = subprocess.Popen(
        ["chrt", "-f", "1", schedule, str(seconds), "wait"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    recorder = subprocess.Popen(
        ["chrt", "-f", "2", stackrecord, "-q", "-F", str(hz), "-e", "offcpu",
         "-p", str(program.pid), "--record", where])
    # A tick comes after all that the recorder has to begin with.
    while recorder.poll() is None and " tick" not in report(where, "--segments"):
        pass
    lines = program.communicate("\n")[0].splitlines()
    if recorder.wait() != 0 or program.returncode != 0:
        print("not ok the schedule is recorded: exit status %d" %
              recorder.returncode)
        sys.exit(1)
    return [(place, int(begin), int(end))
            for place, begin, end in map(str.split, lines)]


def ask(where, *options):
    """The weight of each place in the answer."""
    found = {}
    for line in report(where, "-f", "folded", *options).splitlines():
        frames, n = line.rsplit(" ", 1)
        for pair in pairs:
            for place in pair:
                if ";%s;" % place in frames + ";":
                    found[place] = found.get(place, 0) + int(n)
    return found


def moment(ns):
    return "@%d.%09d" % divmod(ns, 10**9)


wrong, compared, busy, worst = [], 0, 0, 0.0


def compare_shares(spans, where):
    global compared, busy, worst

    def inside(place, begin, end):
        return sum(max(0, min(end, e) - max(begin, b))
                   for p, b, e in spans if p == place)

    first = min(begin for _, begin, _ in spans)
    first += -first % 10**9
    for begin in range(first, first + seconds * 10**9, 10**9):
        found = ask(where, "--since", moment(begin),
                    "--until", moment(begin + 10**9 - 1))
        for pair in pairs:
            samples = sum(found.get(place, 0) for place in pair)
            # A tick that came too late is missing where something happened.
            if samples < hz - 1:
                busy += 1
                continue
            compared += 1
            for place in pair:
                is_so = inside(place, begin, begin + 10**9) / 1e9
                seen = found.get(place, 0) / samples
                worst = max(worst, abs(seen - is_so))
                if abs(seen - is_so) > most:
                    wrong.append("%s: %.3f of a second, seen %.3f" % (
                        place, is_so, seen))


def compare_times(spans, where):
    """The times that are too long, and those that are too short."""
    # A time off the CPU counts when it ends.
    times, longer, shorter = ask(where, "-e", "offcpu"), [], []
    for place in ("asleep_in_first", "asleep_in_second", "at_rest"):
        is_so = sum(e - b for p, b, e in spans if p == place) / 1e3
        seen = times.get(place, 0)
        if abs(seen - is_so) > most * is_so:
            (longer if seen > is_so else shorter).append(
                "%s: %d us, seen %d us" % (place, is_so, seen))
    return longer, shorter


# The program looks at its clock before and after each time off the CPU.  A
# machine that is away in between makes that longer than the recorded time, and
# then it is done again.  Nothing makes it shorter.
for number in range(runs):
    where = "%s.%d" % (directory, number)
    spans = record(where)
    compare_shares(spans, where)
    longer, shorter = compare_times(spans, where)
    if longer or not shorter:
        break
print("# %d shares compared, %d of busy seconds not, at most %.2f %% apart" % (
    compared, busy, 100 * worst))
failed = False


def result(sentence, why):
    global failed
    failed = failed or bool(why)
    print("not ok %s: %s" % (sentence, why) if why else "ok " + sentence)


sentence = "shares of a second are within 2 % of what the program did"
if compared == 0:
    print("ok %s # SKIP the machine is too busy for %d Hz" % (sentence, hz))
else:
    result(sentence, "; ".join(wrong))
result("times of offcpu are within 2 % of what the program did",
       "; ".join(longer + shorter))
sys.exit(failed)
