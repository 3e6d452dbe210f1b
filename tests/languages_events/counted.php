<?php
// Makes system calls in functions of many kinds, and counts them by the stacks
// that PHP says.
//
// It reads lines: "warm" makes some calls, "run N" makes N of each kind and
// prints "count<tab>name|file|line|name|..." for each stack, innermost first.
// "fresh N" does so in N functions that are gone at once.  It answers each line
// with "end".
//
// SPDX-License-Identifier: BSD-2-Clause
$said = [];

// PHP says where a function was called: the line of the one before.  The call
// of note() and the system call are in one line.
function note()
{
	global $said;
	$trace = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
	$words = ['posix_getsid', '', 0];
	foreach ($trace as $i => $f) {
		$caller = $trace[$i + 1] ?? ['function' => '{main}'];
		$words[] = ($caller['class'] ?? '') . ($caller['type'] ?? '') .
		    $caller['function'];
		$words[] = $f['file'] ?? '';
		$words[] = $f['line'] ?? 0;
	}
	$key = implode('|', $words);
	$said[$key] = ($said[$key] ?? 0) + 1;
}

function ask() { note(); posix_getsid(0); }

function recurse($depth)
{
	if ($depth == 0)
		return ask();
	return recurse($depth - 1);
}

function made($n)
{
	for ($i = 0; $i < $n; $i++) {
		ask();
		yield $i;
	}
}

function delegating($n)
{
	yield from delegating_further($n);
}

function delegating_further($n)
{
	yield from made($n);
}

function by_sort()
{
	$a = [2, 1];
	usort($a, function ($x, $y) { ask(); return $x - $y; });
}

function by_map()
{
	return array_map(fn($x) => ask(), ['a', 'b']);
}

class Thing
{
	public function method()
	{
		ask();
	}

	public static function of_class()
	{
		ask();
	}

	public function closure()
	{
		return function () { ask(); };
	}

	public function __get($name)
	{
		ask();
		return 1;
	}

	public function __toString()
	{
		ask();
		return 'x';
	}

	public function __destruct()
	{
		ask();
	}
}

function handled()
{
	try {
		throw new Exception('x');
	} catch (Exception $e) {
		ask();
	} finally {
		ask();
	}
}

function in_fiber()
{
	$f = new Fiber(function () {
		ask();
		Fiber::suspend();
		ask();
	});
	$f->start();
	ask();
	$f->resume();
}

function каждый()
{
	ask();
}

function all_kinds()
{
	recurse(0);
	recurse(7);
	recurse(60);
	foreach (made(2) as $i)
		continue;
	foreach (delegating(2) as $i)
		continue;
	by_sort();
	by_map();
	$thing = new Thing();
	$thing->method();
	Thing::of_class();
	($thing->closure())();
	$thing->absent;
	strlen("$thing");
	unset($thing);
	handled();
	if (class_exists('Fiber'))
		in_fiber();
	каждый();
}

// The code is gone with the closure.
function fresh($n)
{
	$f = eval(str_repeat("\n", $n % 7) . "return function () { ask(); };");
	$f();
}

function all_fresh($n)
{
	for ($i = 0; $i < $n; $i++)
		fresh($i);
}

function warm()
{
	for ($i = 0; $i < 50; $i++)
		posix_getsid(0);
}

function answer()
{
	global $said;
	foreach ($said as $stack => $count)
		echo "$count\t$stack\n";
	$said = [];
}

while (($line = fgets(STDIN)) !== false) {
	$words = explode(' ', trim($line));
	if ($words[0] === 'warm') {
		warm();
	} else if ($words[0] === 'fresh') {
		all_fresh((int)$words[1]);
		answer();
	} else {
		for ($i = 0; $i < (int)$words[1]; $i++)
			all_kinds();
		answer();
	}
	echo "end\n";
	fflush(STDOUT);
}
