// Threads of a JVM: interpreted, compiled and busy, blocked in a deadlock,
// parked, and reading.
//
// SPDX-License-Identifier: BSD-2-Clause
import java.io.FileOutputStream;
import java.util.concurrent.CountDownLatch;

final class Threads {
	static final Object one = new Object(), other = new Object();
	static final CountDownLatch begun = new CountDownLatch(6);
	static volatile long sum;

	static void deadlock(Object first, Object second,
	    CountDownLatch both) throws InterruptedException {
		synchronized (first) {
			both.countDown();
			both.await();
			begun.countDown();
			synchronized (second) {
				sum++;
			}
		}
	}

	// Compiled when it has run for a while.
	static long work(long from) {
		long n = from;
		for (int i = 0; i < 1000; i++)
			n = n * 6364136223846793005L + i;
		return n;
	}

	static void busy() {
		for (int i = 0; i < 20000; i++)
			sum += work(i);
		begun.countDown();
		for (;;)
			sum += work(sum);
	}

	static int recurse(int depth) throws Exception {
		if (depth > 0)
			return recurse(depth - 1) + 1;
		begun.countDown();
		Thread.sleep(1000000000L);
		return 0;
	}

	static volatile boolean waits = false;

	// Compiled, and not inlined into itself.  It keeps more values than
	// there are registers.  -Xbatch: a compiler of its own thread would end
	// in the middle of the last recursion on a busy machine.
	static long down(int depth, long a, long b, long c, long d, long e)
	    throws InterruptedException {
		if (depth == 0) {
			if (waits) {
				begun.countDown();
				Thread.sleep(1000000000L);
			}
			return a;
		}
		final long n = down(depth - 1, b + 1, c ^ a, d * 3, e - b, a);
		return n + a * b + c * d + e * a + b * c;
	}

	static void compiled() throws InterruptedException {
		for (int i = 0; i < 20000; i++)
			sum += down(10, i, i + 1, i + 2, i + 3, i + 4);
		waits = true;
		sum += down(100, 1, 2, 3, 4, 5);
	}

	interface Body {
		void run() throws Exception;
	}

	static void begin(String name, Body body) {
		final Thread t = new Thread(() -> {
			try {
				body.run();
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
		}, name);
		t.setDaemon(true);
		t.start();
	}

	public static void main(String[] args) throws Exception {
		final CountDownLatch both = new CountDownLatch(2);
		begin("left", () -> deadlock(one, other, both));
		begin("right", () -> deadlock(other, one, both));
		begin("recursing", () -> recurse(50));
		begin("parked", () -> {
			begun.countDown();
			new CountDownLatch(1).await();
		});
		begin("compiled", Threads::compiled);
		begin("busy", Threads::busy);
		begun.await();
		try (FileOutputStream out =
		    new FileOutputStream("/proc/self/fd/3")) {
			out.write("ready\n".getBytes());
		}
		System.in.read();
	}
}
