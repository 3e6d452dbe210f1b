// Blocks threads on locks of every kind, and says which threads have them.
//
// The program writes a line "wait TID OWNER CLASS" for each thread that waits:
// the machine's own answer.  OWNER is 0 and CLASS is "-" for a thread that waits
// for nobody.  Then it writes "end".  It ends when its input does.
//
// SPDX-License-Identifier: BSD-2-Clause
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public final class Locks {
	interface Block {
		void run() throws Exception;
	}

	static final class Guarded {
	}

	// Its fields lie where a lock has its owner.
	static final class NoLock {
		final Thread a = Thread.currentThread(), b = a, c = a, d = a;
	}

	static final List<Thread> ALL = new ArrayList<>();
	static final Map<Long, Integer> TIDS = new HashMap<>();

	static int tid() throws Exception {
		return Integer.parseInt(Files.readSymbolicLink(Paths.get(
		    "/proc/thread-self")).getFileName().toString());
	}

	static void begin(Block b) {
		final Thread t = new Thread(() -> {
			try {
				synchronized (TIDS) {
					TIDS.put(Thread.currentThread().getId(),
					    tid());
				}
				b.run();
			} catch (Exception e) {
				e.printStackTrace();
			}
		});
		t.setDaemon(true);
		ALL.add(t);
		t.start();
	}

	static void enter(Object o) throws Exception {
		synchronized (o) {
			Thread.sleep(1);
		}
	}

	// Each of them has one, and waits for that of the next one.
	static void monitorsInCircle(int n) {
		final CyclicBarrier all = new CyclicBarrier(n);
		final Object[] held = new Object[n];
		for (int i = 0; i < n; i++)
			held[i] = new Guarded();
		for (int i = 0; i < n; i++) {
			final int at = i;
			begin(() -> {
				synchronized (held[at]) {
					all.await();
					enter(held[(at + 1) % n]);
				}
			});
		}
	}

	static void locksInCircle(int n) {
		final CyclicBarrier all = new CyclicBarrier(n);
		final Lock[] held = new Lock[n];
		for (int i = 0; i < n; i++)
			held[i] = new ReentrantLock(i % 2 == 0);
		for (int i = 0; i < n; i++) {
			final int at = i;
			begin(() -> {
				held[at].lock();
				all.await();
				held[(at + 1) % n].lock();
			});
		}
	}

	static void freeOfOwners() {
		begin(() -> {
			final Object o = new Object();
			synchronized (o) {
				o.wait();
			}
		});
		begin(() -> new CountDownLatch(1).await());
		begin(() -> new Semaphore(0).acquire());
		begin(() -> LockSupport.park("a text"));
		begin(() -> LockSupport.park(new NoLock()));
		begin(() -> Thread.sleep(1 << 30));
	}

	// Locks of the main thread: it has them when this returns.
	static void held(Block then) throws Exception {
		final Object plain = new Object(), hashed = new Guarded();
		final ReentrantLock lock = new ReentrantLock();
		final ReentrantReadWriteLock both =
		    new ReentrantReadWriteLock();
		final CountDownLatch first = new CountDownLatch(1);
		hashed.hashCode();
		synchronized (plain) {
			synchronized (hashed) {
				synchronized (plain) {
					lock.lock();
					lock.lock();
					both.writeLock().lock();
					for (int i = 0; i < 2; i++) {
						begin(() -> enter(plain));
						begin(() -> enter(hashed));
						begin(() -> enter(Locks.class));
						begin(lock::lock);
						begin(() -> lock.tryLock(1,
						    java.util.concurrent.TimeUnit
						    .DAYS));
						begin(both.writeLock()::lock);
						begin(both.readLock()::lock);
					}
					then.run();
				}
			}
		}
	}

	static boolean blocked(Thread t) {
		final Thread.State s = t.getState();
		return s == Thread.State.BLOCKED || s == Thread.State.WAITING ||
		    s == Thread.State.TIMED_WAITING;
	}

	// A thread waits for a moment while it begins, too.
	static boolean settled() throws Exception {
		for (int n = 0; n < 20; n++) {
			for (Thread t : ALL)
				if (!blocked(t))
					return false;
			Thread.sleep(5);
		}
		return true;
	}

	// It is parked for an object that nobody has.
	static boolean isParked(ThreadInfo i) {
		return i.getLockInfo() != null &&
		    i.getStackTrace()[0].getMethodName().equals("park");
	}

	static void say() throws Exception {
		while (!settled())
			Thread.sleep(5);
		for (int n = Integer.getInteger("collections", 0); n > 0; n--)
			System.gc();
		synchronized (TIDS) {
			for (Thread t : ALL) {
				final ThreadInfo i = ManagementFactory
				    .getThreadMXBean().getThreadInfo(t.getId(),
				    1);
				final LockInfo lock = i.getLockInfo();
				final Integer by = TIDS.get(i.getLockOwnerId());
				System.out.println("wait " +
				    TIDS.get(t.getId()) + " " +
				    (by == null ? 0 : by) + " " +
				    (by == null && !isParked(i) ? "-" :
				    lock.getClassName()));
			}
		}
		System.out.println("end");
		System.out.flush();
		while (System.in.read() >= 0) {
		}
	}

	public static void main(String[] args) throws Exception {
		TIDS.put(Thread.currentThread().getId(), tid());
		monitorsInCircle(2);
		monitorsInCircle(3);
		locksInCircle(2);
		locksInCircle(3);
		freeOfOwners();
		synchronized (Locks.class) {
			held(Locks::say);
		}
	}
}
