# Builds stacks of many kinds of calls, and prints what caller() says of each.
#
# A line "SEED DEPTH" asks for a stack of generated calls, "KIND DEPTH" for one of
# this kind, "kinds" for their names.  languages_asked/asked.h has the lines that
# are printed.
#
# SPDX-License-Identifier: BSD-2-Clause
use strict;
use warnings;
no warnings qw(recursion once redefine);

our ($next, $only, %by, @kinds, $seed);
our $dumps = 0;
$| = 1;

# caller() says where a sub was called: the line of the one before.
sub dump_stack {
	$dumps++;
	my ($text, $name) = ('', 'main::dump_stack');
	my ($file, $line) = (__FILE__, __LINE__ + 10);
	for (my $i = 0; my @c = caller($i); $i++) {
		$text .= "$c[3]\t$file\t$line\n";
		($file, $line) = @c[1, 2];
	}
	$text .= "main::RUNTIME\t$file\t$line\n";
	utf8::encode($text);
	syswrite(STDOUT, $text . "end\n");
	local $/ = "\n";
	local $@; local $_;
	$next = <STDIN>;
	return 1;
}

# Of the same numbers in each release.
sub draw {
	$seed = ($seed * 1103515245 + 12345) % 2147483648;
	return int($seed / 65536) % $_[0];
}

sub go {
	my ($n) = @_;
	return dump_stack() if $n <= 0;
	my $kind = defined $only ? $only : $kinds[draw(scalar @kinds)];
	$by{$kind}->($n - 1);
	return 1;
}

sub recursion {
	my ($n, $times) = @_;
	return $times > 0 ? recursion($n, $times - 1) : go($n);
}

package Base;
sub new { my ($class, $n) = @_; return bless { n => $n }, $class }
sub above { main::go($_[0]{n}) }

package Shop;
our @ISA = ('Base');
use overload '""' => sub { main::go($_[0]{n}); "text" },
    '+' => \&plus, '<=>' => sub { main::go($_[0]{n}); 0 },
    '@{}' => sub { main::go($_[0]{n}); [] }, 'bool' => sub { 1 },
    'fallback' => 1;
sub plus { my ($self) = @_; main::go($self->{n}); return 1 }
sub reserve { my ($self, $n) = @_; return main::go($n) }
sub above { my $self = shift; return $self->SUPER::above() }
our $AUTOLOAD;
sub AUTOLOAD {
	my ($self, $n) = @_;
	return if $AUTOLOAD =~ /::DESTROY$/;
	return main::go($n);
}

package Ending;
sub new { my ($class, $n) = @_; return bless { n => $n }, $class }
sub DESTROY { my $self = shift; local $@; main::go($self->{n}) }

package Tied;
sub TIESCALAR { bless { n => $_[1] } }
sub FETCH { main::go($_[0]{n}) }
sub STORE { main::go($_[0]{n}) }

package TiedHash;
sub TIEHASH { bless { n => $_[1] } }
sub FETCH { main::go($_[0]{n}) }
sub EXISTS { main::go($_[0]{n}) }

package main;

sub goto_target { return go($_[0]) }
sub goes { goto &goto_target }
sub compare { go($main::sorted); return 0 }
sub with_prototype(&@) { my ($code, @rest) = @_; return $code->(@rest) }

sub with_lexical { my ($n) = @_; my sub inner { go($_[0]) } inner($n) }

%by = (
	function => sub { recursion($_[0], 3) },
	method => sub { Shop->new($_[0])->reserve($_[0]) },
	super => sub { Shop->new($_[0])->above },
	autoload => sub { Shop->new($_[0])->absent($_[0]) },
	can => sub { my $m = Shop->can('reserve'); Shop->new(0)->$m($_[0]) },
	closure => sub {
		my ($n) = @_;
		my $inner = sub { go($n) };
		$inner->();
	},
	map => sub { my @a = map { go($_) } @_ },
	grep => sub { my @a = grep { go($_) } @_ },
	loop => sub { for my $n (@_) { while (1) { go($n); last } } },
	sort => sub {
		my ($n) = @_;
		my $times = 0;
		my @a = sort { go($n) unless $times++; 0 } 2, 1;
	},
	sort_by_name => sub {
		local $main::sorted = $_[0];
		no warnings;
		my $done = 0;
		my @a = sort compare 2, 1;
	},
	sort_by_sub => sub {
		my ($n) = @_;
		my $by = sub { go($n); 0 };
		my @a = sort $by 2, 1;
	},
	any_code => sub { my ($n) = @_; with_prototype { go($_[0]) } $n },
	eval => sub { my ($n) = @_; eval { go($n) }; },
	eval_text => sub { my ($n) = @_; eval "\n\ngo(\$n)"; die $@ if $@ },
	eval_named => sub {
		my ($n) = @_;
		eval "#line 7 \"named.pl\"\ngo(\$n)";
	},
	eval_of_eval => sub {
		my ($n) = @_;
		eval { eval { go($n); 1 } };
	},
	eval_in_sort => sub {
		my ($n) = @_;
		my @a = sort { eval { go($n) }; 0 } 2, 1;
	},
	die => sub {
		my ($n) = @_;
		eval { my $e = Ending->new($n); die "in flight\n" };
	},
	# Perl 5.42 runs no handler within another one of its kind.
	die_handler => sub {
		my ($n) = @_;
		our $dies;
		return go($n) if $dies && $] > 5.041;
		local $SIG{__DIE__} = sub {
			local $SIG{__DIE__};
			local $dies = 1;
			go($n);
		};
		eval { die "in flight\n" };
	},
	warn_handler => sub {
		my ($n) = @_;
		our $warns;
		return go($n) if $warns && $] > 5.041;
		local $SIG{__WARN__} = sub {
			local $SIG{__WARN__};
			local $warns = 1;
			go($n);
		};
		warn "handled\n";
	},
	destroy => sub { my $e = Ending->new($_[0]); undef $e; },
	destroy_local => sub { my $e = Ending->new($_[0]); return 1 },
	overload_text => sub { my $t = "" . Shop->new($_[0]) },
	overload_plus => sub { my $t = Shop->new($_[0]) + 1 },
	overload_array => sub { my @a = @{ Shop->new($_[0]) } },
	overload_sort => sub {
		my @a = sort { $a <=> $b } Shop->new($_[0]), Shop->new($_[0]);
	},
	tie => sub { tie my $t, 'Tied', $_[0]; my $v = $t; },
	tie_store => sub { tie my $t, 'Tied', $_[0]; $t = 1; },
	tie_hash => sub { tie my %h, 'TiedHash', $_[0]; my $v = $h{a}; },
	tie_exists => sub { tie my %h, 'TiedHash', $_[0]; exists $h{a} },
	goto => sub { goes($_[0]) },
	ampersand => sub { &goto_target },
	replace => sub {
		my ($n) = @_;
		(my $t = 'a') =~ s/a/go($n)/e;
	},
	replace_twice => sub {
		my ($n) = @_;
		(my $t = 'a') =~ s/a/'go($n)'/ee;
	},
	# It cannot be defined anew while it runs.
	lexical => sub {
		my ($n) = @_;
		our $in_lexical;
		return go($n) if $in_lexical;
		local $in_lexical = 1;
		with_lexical($n);
	},
	pattern => sub { my ($n) = @_; 'a' =~ /a(?{ go($n) })/ },
	pattern_in => sub { my ($n) = @_; 'a' =~ /a(?{ go($n); 1 })b?/ },
	do_file => sub { local $main::sorted = $_[0]; do './done.pl' },
	require => sub {
		local $main::sorted = $_[0];
		delete $INC{'./done.pl'};
		require './done.pl';
	},
	# Within its handler the signal is blocked.
	signal => sub {
		my ($n) = @_;
		our $in_handler;
		return go($n) if $in_handler;
		local $SIG{USR1} = sub { local $in_handler = 1; go($n) };
		kill 'USR1', $$;
	},
	typeglob => sub { no strict 'refs'; *{"main::aliased"} = \&goto_target;
	    main::aliased($_[0]) },
	local_sub => sub {
		no strict 'refs';
		local *{"main::goto_target"} = sub { go($_[0]) };
		main::goto_target($_[0]);
	},
	non_ascii => sub {
		my ($n) = @_;
		eval "use utf8; sub caf\xc3\xa9 { go(\$_[0]) } " .
		    "caf\xc3\xa9(\$n)";
		die $@ if $@;
	},
	lines => sub {
		my ($n) = @_;
		my @a = (1,
		    go(
			$n
		    ),
		    2);
	},
	elsif => sub {
		my ($n) = @_;
		if ($n == -1) {
			return 1;
		}
		elsif (go($n) == 2) {
			return 2;
		}
	},
	format => sub { sprintf('%s', go($_[0])) },
	chained => sub { my ($n) = @_; 1 and (0 or go($n)) },
);
# A perl that was built with its core only has no List::Util.
if (eval { require List::Util }) {
	$by{first} = sub {
		my ($n) = @_;
		my $f = &List::Util::first(sub { go($n) }, 1, 2);
	};
	$by{reduce} = sub {
		my ($n) = @_;
		my $r = &List::Util::reduce(sub { go($n) }, 1, 2);
	};
}
@kinds = sort keys %by;

$next = <STDIN>;
while (defined $next) {
	my @words = split ' ', $next;
	if ($words[0] eq 'kinds') {
		syswrite(STDOUT, join("\n", @kinds) . "\nend\n");
		$next = <STDIN>;
		next;
	}
	undef $only;
	if (exists $by{$words[0]}) {
		$only = $words[0];
	} else {
		$seed = $words[0];
	}
	# The line that is read on top of the stack is the next one.
	my $before = $dumps;
	go($words[1] || 0);
	die "no stack was built\n" if $dumps == $before;
}
