/** Waits for conditions, never for a fixed time. */
import type { Upstream } from './upstream-leg.js';

const PAUSE_MS = 50;
/** How much later than specified a real server may act under load. */
const GRACE_MS = 60_000;

/** Repeats the check until it is true. @throws after the time limit, or the error of the check */
export async function waitUntil(withinMs: number, question: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await question())) {
    if (Date.now() > deadline) throw new Error(`the condition was not met within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Headers for a server that tests restart, because a kept connection may lead to the ended process. */
export const FRESH = { connection: 'close' } as const;

/** Whether this address answers successfully now. */
export async function isServed(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { headers: FRESH })).ok;
  } catch {
    return false;
  }
}

/** Waits for a condition that depends on time only: an injected clock is moved, a real one is awaited. */
export async function afterTime(upstream: Upstream, milliseconds: number, question: () => Promise<boolean>): Promise<void> {
  if (upstream.moveClock === undefined) return waitUntil(milliseconds + GRACE_MS, question);
  upstream.moveClock(milliseconds);
  if (!(await question())) throw new Error(`the condition is not met although the clock was moved by ${milliseconds} ms`);
}
