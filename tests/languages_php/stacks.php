<?php
// Builds stacks of many kinds of calls, and prints what PHP says of each.
//
// A line "SEED DEPTH" asks for a stack of generated calls, "KIND" for one of this
// kind.  The lines that are printed are those of languages_asked/asked.h.
//
// SPDX-License-Identifier: BSD-2-Clause
error_reporting(E_ALL & ~E_DEPRECATED);

function name_in_trace($f)
{
	$class = strtok(($f['class'] ?? '') . "\0", "\0");
	return ($class === false ? '' : $class) . ($f['type'] ?? '') .
	    $f['function'];
}

// PHP has one place for the line of all functions that an exception leaves: those
// of the others have the line of the last one.  0 in the place of such a line.
function line_in_trace($f, $name, $caller)
{
	global $by;
	$line = $f['line'] ?? 0;
	$its = null;
	if (strncmp($caller, 'by_', 3) === 0)
		$its = new ReflectionFunction($by[substr($caller, 3)]);
	else if ($name === 'thrower' || $name === 'with_finally')
		$its = new ReflectionFunction($name);
	return $its !== null && ($f['file'] ?? '') === __FILE__ &&
	    ($line < $its->getStartLine() || $line > $its->getEndLine()) ? 0 :
	    $line;
}

// PHP says where a function was called: the line of the one before.
function dump()
{
	$trace = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
	$text = "fgets\t\t0\ndump\t" . __FILE__ . "\t" . (__LINE__ + 11) . "\n";
	foreach ($trace as $i => $f) {
		$name = isset($trace[$i + 1]) ? name_in_trace($trace[$i + 1]) :
		    '{main}';
		$text .= $name . "\t" . ($f['file'] ?? '') . "\t" .
		    line_in_trace($f, $name,
		    $trace[$i + 2]['function'] ?? '') . "\n";
	}
	fwrite(STDOUT, $text . "end\n");
	fflush(STDOUT);
	global $next;
	$next = fgets(STDIN);
	return 1;
}

function go($n)
{
	global $kinds, $only;
	if ($n <= 0)
		return dump();
	$kind = $only ?? $kinds[mt_rand(0, count($kinds) - 1)];
	$kind($n - 1);
	return 1;
}

// Goes on where neither a fiber may be started nor output be kept.
function go_apart($n)
{
	global $apart;
	$apart++;
	go($n);
	$apart--;
}

trait Counting
{
	function counted($n) { return go($n); }
}

abstract class Base
{
	function above($n) { return go($n); }
}

class Shop extends Base implements ArrayAccess, Countable, JsonSerializable,
    IteratorAggregate
{
	use Counting;

	public $n;

	function __construct($n) { $this->n = $n; }
	function reserve($n) { return go($n); }
	static function find($n) { return go($n); }
	function above($n) { return parent::above($n); }
	function __call($name, $args) { return go($args[0]); }
	static function __callStatic($name, $args) { return go($args[0]); }
	function __get($name) { return go($this->n); }
	function __invoke($n) { return go($n); }
	function __toString() { return (string)go($this->n); }
	function __clone() { go($this->n); }
	function __debugInfo() { return [go($this->n)]; }
	#[ReturnTypeWillChange]
	function offsetGet($at) { return go($this->n); }
	#[ReturnTypeWillChange]
	function offsetSet($at, $v) { go($this->n); }
	#[ReturnTypeWillChange]
	function offsetExists($at) { return (bool)go($this->n); }
	#[ReturnTypeWillChange]
	function offsetUnset($at) { go($this->n); }
	#[ReturnTypeWillChange]
	function count() { return go($this->n); }
	#[ReturnTypeWillChange]
	function jsonSerialize() { return go($this->n); }
	#[ReturnTypeWillChange]
	function getIterator() { yield go($this->n); }
	function closure()
	{
		return function ($n) { return go($n) + ($this->n ? 0 : 1); };
	}
	static function static_closure()
	{
		return static function ($n) { return go($n); };
	}
}

class Ending
{
	public $n, $other;

	function __construct($n, $other = null)
	{
		$this->n = $n;
		$this->other = $other;
	}
	function __destruct()
	{
		if ($this->n !== null)
			go_apart($this->n);
	}
}

class Heap extends SplMinHeap
{
	static $n;

	#[ReturnTypeWillChange]
	protected function compare($a, $b) { return go(self::$n); }
}

class Steps implements Iterator
{
	public $n, $at = 0;

	#[ReturnTypeWillChange]
	function current() { return go($this->n); }
	#[ReturnTypeWillChange]
	function key() { return $this->at; }
	#[ReturnTypeWillChange]
	function next() { $this->at++; }
	#[ReturnTypeWillChange]
	function rewind() { }
	#[ReturnTypeWillChange]
	function valid() { return $this->at < 1; }
}

function recursion($n, $times = 5)
{
	return $times > 0 ? recursion($n, $times - 1) : go($n);
}

function numbers($n)
{
	yield 1;
	yield go($n);
}

function outer_numbers($n)
{
	yield 0;
	yield from numbers($n);
}

function outermost_numbers($n)
{
	$got = yield from outer_numbers($n);
	yield $got;
}

function thrower($n)
{
	$local = new Ending($n);
	throw new RuntimeException("in flight");
}

function with_finally($n)
{
	try {
		throw new RuntimeException("in flight");
	} finally {
		go($n);
	}
}

function leave_local($n)
{
	$local = new Ending($n);
	return 1;
}

// Its end is the end of another one that a local variable has.
class Chained
{
	public $n;

	function __construct($n) { $this->n = $n; }
	function __destruct() { $local = new Ending($this->n); }
}

spl_autoload_register(function ($name) {
	if (strncmp($name, 'Absent', 6) === 0)
		go((int)strtok(substr($name, 6), '_'));
});

$by = [
'function' => function ($n) { return recursion($n); },
'method' => function ($n) { return (new Shop($n))->reserve($n); },
'static' => function ($n) { return Shop::find($n); },
'parent' => function ($n) { return (new Shop($n))->above($n); },
'trait' => function ($n) { return (new Shop($n))->counted($n); },
'call' => function ($n) { return (new Shop($n))->absent($n); },
'callStatic' => function ($n) { return Shop::absent_too($n); },
'get' => function ($n) { return (new Shop($n))->absent; },
'invoke' => function ($n) { $s = new Shop($n); return $s($n); },
'text' => function ($n) { return "" . new Shop($n); },
'text_in_c' => function ($n) { return str_replace('a', 'b', new Shop($n)); },
'clone' => function ($n) { return clone (new Shop($n)); },
'debug' => function ($n) { return print_r(new Shop($n), true); },
'offset' => function ($n) { return (new Shop($n))[1]; },
'offset_set' => function ($n) { $s = new Shop($n); $s[1] = 2; },
'offset_isset' => function ($n) { return isset((new Shop($n))[1]); },
'offset_unset' => function ($n) { $s = new Shop($n); unset($s[1]); },
'count' => function ($n) { return count(new Shop($n)); },
'json' => function ($n) { return json_encode(new Shop($n)); },
'iterate' => function ($n) { foreach (new Shop($n) as $v); },
'iterator' => function ($n) { $s = new Steps; $s->n = $n; foreach ($s as $v); },
'iterator_in_c' => function ($n) {
	$s = new Steps;
	$s->n = $n;
	return iterator_to_array($s);
},
'closure' => function ($n) { return (new Shop($n))->closure()($n); },
'static_closure' => function ($n) { return Shop::static_closure()($n); },
'arrow' => function ($n) { return (fn($m) => go($m))($n); },
'map' => function ($n) { return array_map('go', [$n]); },
'map_method' => function ($n) {
	return array_map([new Shop($n), 'reserve'], [$n]);
},
'map_of_map' => function ($n) {
	return array_map('array_map', ['go'], [[$n]]);
},
'sort' => function ($n) {
	$a = [2, 1];
	usort($a, function ($x, $y) use ($n) { return go($n); });
},
'walk' => function ($n) {
	$a = [$n];
	array_walk($a, function (&$v, $k) { go($v); });
},
'filter' => function ($n) { return array_filter([$n + 1], fn($m) => go($m - 1)); },
'reduce' => function ($n) {
	return array_reduce([$n], function ($sum, $m) { return go($m); }, 0);
},
'user_func' => function ($n) { return call_user_func('Shop::find', $n); },
'user_func_array' => function ($n) {
	return call_user_func_array([new Shop($n), 'any'], [$n]);
},
'replace' => function ($n) {
	return preg_replace_callback('/a/', function ($m) use ($n) {
		return go($n);
	}, 'a');
},
'generator' => function ($n) { foreach (numbers($n) as $v); },
'generator_in_c' => function ($n) { return iterator_to_array(numbers($n)); },
'generator_next' => function ($n) { $g = numbers($n); $g->current(); $g->next(); },
'generator_from' => function ($n) { foreach (outer_numbers($n) as $v); },
'generator_from_from' => function ($n) {
	foreach (outermost_numbers($n) as $v);
},
'generator_from_object' => function ($n) {
	$g = (function () use ($n) { yield from new Shop($n); })();
	foreach ($g as $v);
},
'eval' => function ($n) { return eval("\n\nreturn go(\$n);"); },
'include' => function ($n) { return include __DIR__ . '/included.php'; },
'require' => function ($n) { return require __DIR__ . '/included.php'; },
'destroy' => function ($n) { $e = new Ending($n); unset($e); },
'destroy_local' => function ($n) { return leave_local($n); },
'destroy_chained' => function ($n) { $e = new Chained($n); $e = null; },
'destroy_in_c' => function ($n) { $a = [new Ending($n)]; array_pop($a); },
'destroy_inner' => function ($n) {
	$e = new Ending(null, new Ending($n));
	$e = null;
},
'throw' => function ($n) {
	try { thrower($n); } catch (RuntimeException $e) { }
},
'finally' => function ($n) {
	try { with_finally($n); } catch (RuntimeException $e) { }
},
'catch' => function ($n) {
	try {
		throw new LogicException("caught");
	} catch (LogicException $e) {
		return go($n);
	}
},
'error' => function ($n) {
	set_error_handler(function () use ($n) {
		restore_error_handler();
		go($n);
		return true;
	});
	trigger_error("handled", E_USER_WARNING);
},
'autoload' => function ($n) {
	static $times = 0;
	return class_exists("Absent{$n}_" . ++$times);
},
'output' => function ($n) {
	global $apart;
	if ($apart > 0)
		return go($n);
	ob_start(function ($text) use ($n) { go_apart($n); return ''; });
	echo "text";
	ob_end_flush();
},
'reflection' => function ($n) {
	return (new ReflectionMethod('Shop', 'reserve'))->invoke(new Shop($n), $n);
},
'reflection_function' => function ($n) {
	return (new ReflectionFunction('recursion'))->invokeArgs([$n, 1]);
},
'from_callable' => function ($n) {
	return Closure::fromCallable([new Shop($n), 'reserve'])($n);
},
'bound' => function ($n) {
	return Closure::bind(function ($m) { return go($m) + $this->n; },
	    new Shop($n), 'Shop')($n);
},
'anonymous' => function ($n) {
	return (new class { function go($n) { return go($n); } })->go($n);
},
'heap' => function ($n) {
	Heap::$n = $n;
	$h = new Heap;
	$h->insert(1);
	$h->insert(2);
},
'lines' => function ($n) {
	return min(1,
	    go(
		$n
	    ),
	    2);
},
];
if (class_exists('Fiber')) {
	$by['fiber'] = function ($n) {
		global $apart;
		if ($apart > 0)
			return go($n);
		(new Fiber(function () use ($n) { go($n); }))->start();
	};
	$by['fiber_resumed'] = function ($n) {
		global $apart;
		if ($apart > 0)
			return go($n);
		$f = new Fiber(function () use ($n) {
			Fiber::suspend(1);
			recursion($n, 2);
		});
		$f->start();
		$f->resume();
	};
	$by['fiber_of_generator'] = function ($n) {
		global $apart;
		if ($apart > 0)
			return go($n);
		$g = numbers($n);
		$f = new Fiber(function () use ($g) { foreach ($g as $v); });
		$f->start();
	};
}
// Each kind is a function with a name, so that a trace shows which it was.
foreach ($by as $kind => $its)
	eval("function by_$kind(\$n) { global \$by; " .
	    "return \$by['$kind'](\$n); }");
foreach ([__DIR__ . '/more.php'] as $more)
	if (is_file($more))
		require $more;
$kinds = array_map(fn($kind) => "by_$kind", array_keys($by));

$apart = 0;
$next = fgets(STDIN);
while ($next !== false) {
	$words = explode(' ', trim($next));
	if ($words[0] === 'kinds') {
		fwrite(STDOUT, implode("\n", array_keys($by)) . "\nend\n");
		$next = fgets(STDIN);
		continue;
	}
	if ($words[0] === 'quit')
		break;
	$only = null;
	if (isset($by[$words[0]]))
		$only = "by_$words[0]";
	else
		mt_srand((int)$words[0]);
	// The line that is read on top of the stack is the next one.
	go((int)($words[1] ?? 1));
}
