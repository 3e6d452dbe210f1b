/*
 * Lives with the signals that its runtime handles, or crashes in it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
public class Lives {
	static Object nothing;

	static void recurse() {
		recurse();
	}

	static boolean overflows() {
		try {
			recurse();
		} catch (StackOverflowError e) {
			return true;
		}
		return false;
	}

	static int catches() {
		int n = 0;
		for (int i = 0; i < 20000; i++)
			try {
				nothing.hashCode();
			} catch (NullPointerException e) {
				n++;
			}
		return n;
	}

	static void crash() throws Exception {
		Class<?> c = Class.forName("sun.misc.Unsafe");
		java.lang.reflect.Field f = c.getDeclaredField("theUnsafe");
		f.setAccessible(true);
		c.getMethod("putLong", long.class, long.class).invoke(
		    f.get(null), 16L, 1L);
	}

	public static void main(String[] args) throws Exception {
		if (args.length > 0)
			crash();
		System.out.println("caught " + catches());
		Thread[] all = new Thread[20];
		boolean[] done = new boolean[all.length];
		for (int i = 0; i < all.length; i++) {
			final int n = i;
			all[i] = new Thread(() -> done[n] = overflows());
			all[i].start();
		}
		boolean every = true;
		for (int i = 0; i < all.length; i++) {
			all[i].join();
			every &= done[i];
		}
		System.out.println(every ? "overflown" : "not overflown");
	}
}
