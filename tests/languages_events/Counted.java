// Yields its CPU in methods of many kinds, and counts that by the stacks that
// the machine gives.
//
// It reads lines: "warm" yields a few times, "run N" N times in each kind and
// prints "count<tab>name|file|line|name|..." for each stack, innermost first.
// It answers each line with "end".
//
// SPDX-License-Identifier: BSD-2-Clause
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class Counted {
	static final Map<String, Integer> SAID = new HashMap<>();

	interface Shape {
		int size();
	}

	static final class Square implements Shape {
		public int size() {
			return ask();
		}
	}

	static final class Circle implements Shape {
		public int size() {
			return ask() + 1;
		}
	}

	static abstract class Base {
		int call() {
			return inner();
		}

		abstract int inner();
	}

	static void note() {
		StringBuilder all = new StringBuilder();
		for (StackTraceElement e : new Throwable().getStackTrace()) {
			if (e.getMethodName().equals("note"))
				continue;
			if (all.length() != 0)
				all.append('|');
			all.append(e.getClassName()).append('.')
			    .append(e.getMethodName()).append('|')
			    .append(e.getFileName()).append('|')
			    .append(Math.max(e.getLineNumber(), 0));
		}
		SAID.merge(all.toString(), 1, Integer::sum);
	}

	static int ask() {
		note(); Thread.yield();
		return 1;
	}

	static int recurse(int depth) {
		if (depth == 0)
			return ask();
		return recurse(depth - 1) + 1;
	}

	static int caught() {
		try {
			throw new IllegalStateException();
		} catch (IllegalStateException e) {
			return ask();
		} finally {
			ask();
		}
	}

	static int compared() {
		List<Integer> two = new ArrayList<>(Arrays.asList(2, 1));
		two.sort(new Comparator<Integer>() {
			public int compare(Integer a, Integer b) {
				return a - b + 0 * ask();
			}
		});
		return two.get(0);
	}

	static int each(int round) {
		Shape[] shapes = {new Square(), new Circle()};
		Base made = new Base() {
			int inner() {
				return ask();
			}
		};
		return recurse(0) + recurse(5) + recurse(40) + caught() +
		    compared() + shapes[round & 1].size() + made.call() +
		    synchronised(made);
	}

	static int synchronised(Object on) {
		synchronized (on) {
			return ask();
		}
	}

	static int work(int n) {
		int all = 0;
		for (int i = 0; i < n; i++)
			all += each(i);
		return all;
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(
		    new InputStreamReader(System.in));
		for (String line; (line = in.readLine()) != null;) {
			String[] words = line.split(" ");
			SAID.clear();
			if (words[0].equals("warm"))
				for (int i = 0; i < 20; i++)
					Thread.yield();
			else
				work(Integer.parseInt(words[1]));
			StringBuilder all = new StringBuilder();
			SAID.forEach((stack, n) -> all.append(n).append('\t')
			    .append(stack).append('\n'));
			System.out.print(all.append("end\n"));
			System.out.flush();
		}
	}
}
