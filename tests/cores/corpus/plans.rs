// Makes threads that call functions by plans of their own, and wait.  Prints
// "thread TID" and the functions of each, the innermost first, as plans.c does.
//
// Arguments: a seed, and the number of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
use std::hint::black_box;
use std::io::{Read, Write};
use std::sync::mpsc::{channel, Sender};

extern "C" {
    fn gettid() -> i32;
    fn pause() -> i32;
}

type Plan = Vec<usize>;
type Said = Sender<(i32, Plan)>;

const NAMES: [&str; 4] = ["plan_small", "plan_large", "plan_boxed", "plan_closed"];

#[no_mangle]
#[inline(never)]
fn plan_small(plan: &Plan, at: usize, to: &Said) -> usize {
    go(plan, at, to) + 1
}

#[no_mangle]
#[inline(never)]
fn plan_large(plan: &Plan, at: usize, to: &Said) -> usize {
    let room = black_box([at; 400]);
    go(plan, at, to) + room[7]
}

#[no_mangle]
#[inline(never)]
fn plan_boxed(plan: &Plan, at: usize, to: &Said) -> usize {
    let room = black_box(Box::new(at));
    go(plan, at, to) + *room
}

#[no_mangle]
#[inline(never)]
fn plan_closed(plan: &Plan, at: usize, to: &Said) -> usize {
    let closed = |n| go(plan, n, to) + 1;
    let call: &dyn Fn(usize) -> usize = black_box(&closed);
    call(at) + 1
}

#[inline(never)]
fn go(plan: &Plan, at: usize, to: &Said) -> usize {
    const ALL: [fn(&Plan, usize, &Said) -> usize; 4] =
        [plan_small, plan_large, plan_boxed, plan_closed];
    if at < plan.len() {
        return ALL[plan[at]](plan, at + 1, to) + 1;
    }
    to.send((unsafe { gettid() }, plan.clone())).unwrap();
    unsafe { pause() as usize }
}

fn main() {
    let words: Vec<usize> = std::env::args().skip(1).map(|w| w.parse().unwrap()).collect();
    let mut seed = words[0];
    let mut draw = |below: usize| {
        seed = (seed * 1103515245 + 12345) % (1 << 31);
        (seed >> 16) % below
    };
    let (to, from) = channel();
    for _ in 0..words[1] {
        let plan: Plan = (0..1 + draw(40)).map(|_| draw(4)).collect();
        let to = to.clone();
        std::thread::spawn(move || go(&plan, 0, &to));
    }
    for _ in 0..words[1] {
        let (tid, plan) = from.recv().unwrap();
        println!("thread {}", tid);
        for kind in plan.iter().rev() {
            println!("{}\t\t0", NAMES[*kind]);
        }
    }
    println!("end");
    std::io::stdout().flush().unwrap();
    std::io::stdin().read(&mut [0]).unwrap();
}
