# Compares what stackrecord saw of tests/record/schedule.c with what that program
# says it did.
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
pairs = (("asleep_in_first", "asleep_in_second"), ("at_work", "at_rest"))

# Both come before what else the machine does, the recorder first: else the
# program would wait for a CPU where it says that it sleeps.
program = subprocess.Popen(["chrt", "-f", "1", schedule, str(seconds)],
                           stdout=subprocess.PIPE, text=True)
recorder = subprocess.Popen(
    ["chrt", "-f", "2", stackrecord, "-q", "-F", str(hz), "-e", "offcpu",
     "-p", str(program.pid), "-o", directory])
lines = [line.split() for line in program.communicate()[0].splitlines()]
if recorder.wait() != 0 or program.returncode != 0:
    print("not ok the schedule is recorded: exit status %d" %
          recorder.returncode)
    sys.exit(1)
spans = [(place, int(begin), int(end)) for place, begin, end in lines]
first = min(begin for _, begin, _ in spans)
first += -first % 10**9


def ask(*options):
    """The weight of each place in the answer."""
    answer = subprocess.run([stackreport, "-f", "folded", *options, directory],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True).stdout
    found = {}
    for line in answer.splitlines():
        frames, n = line.rsplit(" ", 1)
        for pair in pairs:
            for place in pair:
                if ";%s;" % place in frames + ";":
                    found[place] = found.get(place, 0) + int(n)
    return found


def moment(ns):
    return "@%d.%09d" % divmod(ns, 10**9)


def inside(place, begin, end):
    return sum(max(0, min(end, e) - max(begin, b))
               for p, b, e in spans if p == place)


wrong, compared, busy, worst = [], 0, 0, 0.0
for begin in range(first, first + seconds * 10**9, 10**9):
    found = ask("--from", moment(begin), "--to", moment(begin + 10**9 - 1))
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

# A time off the CPU counts when it ends.
times, why = ask("-e", "offcpu"), []
for place in ("asleep_in_first", "asleep_in_second", "at_rest"):
    is_so = sum(e - b for p, b, e in spans if p == place) / 1e3
    seen = times.get(place, 0)
    if abs(seen - is_so) > most * is_so:
        why.append("%s: %d us, seen %d us" % (place, is_so, seen))
result("times of offcpu are within 2 % of what the program did",
       "; ".join(why))
sys.exit(failed)
