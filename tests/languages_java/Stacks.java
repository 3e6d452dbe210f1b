// Runs threads with random stacks that sleep, and says which these are.
//
// Arguments: a seed, a number of threads, and how often each stack is run before
// it sleeps, so that it is compiled.  The program writes a line "version 17", and
// for each thread a line "thread TID" and the frames that the machine gives of
// it.  It ends when its input does.
//
// SPDX-License-Identifier: BSD-2-Clause
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;

@SuppressWarnings({"removal", "deprecation"})
public final class Stacks {
	static final long LONG = 1L << 40;
	static final Object HELD = new Object();
	static final ReentrantLock LOCKED = new ReentrantLock();
	static final CountDownLatch NEVER = new CountDownLatch(1);
	static final MethodHandle HANDLE = handle();
	static final Method REFLECTED = reflected();

	// A step is a number below KINDS.
	static final int KINDS = 13, LEAVES = 6;

	interface Step {
		int take(Way w, int at) throws Throwable;
	}

	// The steps of a stack, and whether it sleeps at its end.
	static final class Way {
		final int[] steps;
		final int leaf;
		volatile boolean sleeps;
		volatile boolean arrived;
		volatile int tid;

		Way(int[] steps, int leaf) {
			this.steps = steps;
			this.leaf = leaf;
		}

		int go(int at) throws Throwable {
			if (at == steps.length)
				return end();
			return STEPS[steps[at]].take(this, at + 1) + 1;
		}

		// The same code runs whether it sleeps or not, so that it stays
		// compiled.
		int end() throws Throwable {
			arrived = sleeps;
			final long nanos = sleeps ? LONG : 1;
			if (leaf == 0 || (!sleeps && leaf > 1))
				LockSupport.parkNanos(this, nanos);
			else if (leaf == 1)
				Thread.sleep(nanos / 1000);
			else if (leaf == 2)
				synchronized (this) {
					wait();
				}
			else if (leaf == 3)
				synchronized (HELD) {
					return 2;
				}
			else if (leaf == 4)
				LOCKED.lock();
			else
				NEVER.await();
			return 1;
		}
	}

	abstract static class Shape {
		abstract int area(Way w, int at) throws Throwable;
	}

	static final class Square extends Shape {
		@Override
		int area(Way w, int at) throws Throwable {
			return w.go(at) * 2;
		}
	}

	static class Round extends Shape {
		@Override
		int area(Way w, int at) throws Throwable {
			int sum = 0;
			for (int i = 0; i < 1; i++)
				sum += small(w, at);
			return sum;
		}

		private int small(Way w, int at) throws Throwable {
			return w.go(at);
		}
	}

	static final class Größe {
		final int zahl;

		Größe(Way w, int at) throws Throwable {
			zahl = w.go(at);
		}
	}

	static final Shape[] SHAPES = {new Square(), new Round()};

	static final Step[] STEPS = {
		Stacks::recursion,
		Stacks::twice,
		(w, at) -> w.go(at),
		(w, at) -> SHAPES[at % 2].area(w, at),
		(w, at) -> (int) REFLECTED.invoke(null, w, at),
		(w, at) -> (int) HANDLE.invokeExact(w, at),
		Stacks::privileged,
		Stacks::sorted,
		Stacks::caught,
		Stacks::cleaned,
		(w, at) -> new Größe(w, at).zahl,
		new Step() {
			@Override
			public int take(Way w, int at) throws Throwable {
				return w.go(at);
			}
		},
		Stacks::locked,
	};

	static int recursion(Way w, int at) throws Throwable {
		return recursion(w, at, at % 4);
	}

	static int recursion(Way w, int at, int depth) throws Throwable {
		if (depth > 0)
			return recursion(w, at, depth - 1) + 1;
		return w.go(at);
	}

	static int twice(Way w, int at) throws Throwable {
		int sum = first(at)
		    + second(w, at);
		return sum;
	}

	static int first(int at) {
		return at;
	}

	static int second(Way w, int at) throws Throwable {
		return third(w, at, 1, 2L, 3.0, 4, 5, 6, 7, 8);
	}

	static int third(Way w, int at, int a, long b, double c, int d, int e,
	    int f, int g, int h) throws Throwable {
		return w.go(at) + a + (int) b + (int) c + d + e + f + g + h;
	}

	public static int reached(Way w, int at) throws Throwable {
		return w.go(at);
	}

	static int privileged(Way w, int at) {
		return AccessController.doPrivileged(
		    (PrivilegedAction<Integer>) () -> unchecked(w, at));
	}

	static int unchecked(Way w, int at) {
		try {
			return w.go(at);
		} catch (Throwable t) {
			throw new IllegalStateException(t);
		}
	}

	static int sorted(Way w, int at) {
		Integer[] two = {at, at + 1};
		Arrays.sort(two, (a, b) -> unchecked(w, at) - a + b);
		return two[0];
	}

	static int caught(Way w, int at) throws Throwable {
		try {
			throw new IOException();
		} catch (IOException e) {
			return w.go(at);
		}
	}

	static int cleaned(Way w, int at) throws Throwable {
		try {
			return fails(at);
		} catch (ArithmeticException e) {
			return at;
		} finally {
			w.go(at);
		}
	}

	static int fails(int at) {
		return at / (at - at);
	}

	static synchronized void nothing() {
	}

	static int locked(Way w, int at) throws Throwable {
		final Object own = new Object();
		synchronized (own) {
			return w.go(at);
		}
	}

	static MethodHandle handle() {
		try {
			return MethodHandles.lookup().findStatic(Stacks.class,
			    "reached", MethodType.methodType(int.class,
			    Way.class, int.class));
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}

	static Method reflected() {
		try {
			return Stacks.class.getMethod("reached", Way.class,
			    int.class);
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}

	static void run(Way w, int before) {
		try {
			w.tid = Integer.parseInt(Files.readSymbolicLink(
			    Paths.get("/proc/thread-self")).getFileName()
			    .toString());
			for (int i = 0; i < before; i++)
				w.go(0);
			w.sleeps = true;
			w.go(0);
		} catch (Throwable t) {
			t.printStackTrace();
		}
	}

	static boolean sleeps(Thread t, Way w) {
		return w.arrived && t.getState() != Thread.State.RUNNABLE;
	}

	static void say(PrintStream to, StackTraceElement f) {
		to.println(f.getClassName() + '.' + f.getMethodName() + '\t' +
		    (f.getFileName() == null ? "" : f.getFileName()) + '\t' +
		    Math.max(f.getLineNumber(), 0));
	}

	public static void main(String[] args) throws Exception {
		final Random random = new Random(Integer.parseInt(args[0]));
		final int threads = Integer.parseInt(args[1]);
		final int before = Integer.parseInt(args[2]);
		final Way[] ways = new Way[threads];
		final Thread[] all = new Thread[threads];
		synchronized (HELD) {
			LOCKED.lock();
			for (int i = 0; i < threads; i++) {
				final int[] steps = new int[random.nextInt(40)];
				for (int n = 0; n < steps.length; n++)
					steps[n] = random.nextInt(KINDS);
				final Way w = new Way(steps,
				    random.nextInt(LEAVES));
				ways[i] = w;
				all[i] = new Thread(() -> run(w, before));
				all[i].setDaemon(true);
				all[i].start();
			}
			for (int i = 0; i < threads; i++)
				while (!sleeps(all[i], ways[i]))
					Thread.sleep(1);
			final PrintStream to = new PrintStream(System.out, false,
			    "UTF-8");
			to.println("version " + System.getProperty(
			    "java.specification.version"));
			final Map<Thread, StackTraceElement[]> stacks =
			    Thread.getAllStackTraces();
			for (int i = 0; i < threads; i++) {
				to.println("thread " + ways[i].tid);
				for (StackTraceElement f : stacks.get(all[i]))
					say(to, f);
			}
			to.println("end");
			to.flush();
			final InputStream in = System.in;
			while (in.read() >= 0) {
			}
		}
	}
}
