// Starts threads with names of all kinds, and prints what Java calls them: a
// line "name TID NAME" for each.
//
// SPDX-License-Identifier: BSD-2-Clause
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class Names {
	static final Map<Thread, String> TIDS = new ConcurrentHashMap<>();

	static String tid() {
		try {
			return Files.readSymbolicLink(Paths.get(
			    "/proc/thread-self")).getFileName().toString();
		} catch (java.io.IOException e) {
			throw new IllegalStateException(e);
		}
	}

	static void block() {
		TIDS.put(Thread.currentThread(), tid());
		synchronized (TIDS) {
			try {
				TIDS.wait();
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}
	}

	static final class Worker extends Thread {
		final Object more = new Object();

		Worker(String name) {
			super(name);
		}

		@Override
		public void run() {
			block();
		}
	}

	static String repeated(char c, int n) {
		final char[] all = new char[n];
		Arrays.fill(all, c);
		return new String(all);
	}

	public static void main(String[] args) throws Exception {
		final String[] names = {"worker", "größe 名前 😀", "naïve",
		    repeated('x', 900), repeated('\u540d', 900), "",
		    "pool-1-thread-1", "renamed"};
		final List<Thread> all = new ArrayList<>();
		for (String name : names)
			all.add(new Worker(name));
		all.add(new Thread(Names::block));
		for (Thread t : all) {
			t.setDaemon(true);
			t.start();
		}
		while (TIDS.size() < all.size())
			Thread.sleep(1);
		all.get(7).setName("is renamed");
		// What moves all objects changes no name.
		System.gc();
		TIDS.put(Thread.currentThread(), tid());
		final PrintStream to = new PrintStream(System.out, false,
		    "UTF-8");
		for (Map.Entry<Thread, String> t : TIDS.entrySet())
			to.println("name " + t.getValue() + " " +
			    t.getKey().getName());
		to.println("end");
		to.flush();
		while (System.in.read() >= 0) {
		}
	}
}
