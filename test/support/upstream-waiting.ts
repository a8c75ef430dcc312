/** Waiting for a condition, never for time. */
import type { Upstream } from './upstream-leg.js';

const PAUSE_MS = 50;
/** How much later than the rule says a real server may be under load. */
const GRACE_MS = 8_000;

/** Asks again and again until the answer is yes. @throws when it stays no for so long, or what the question throws */
export async function untilTrue(withinMs: number, question: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await question())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Whether this address answers well now; no answer is a no. */
export async function isServed(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Something that becomes true by the passing of time alone: the injected clock is moved, a real one is awaited. */
export async function afterTime(upstream: Upstream, milliseconds: number, question: () => Promise<boolean>): Promise<void> {
  if (upstream.moveClock === undefined) return untilTrue(milliseconds + GRACE_MS, question);
  upstream.moveClock(milliseconds);
  if (!(await question())) throw new Error(`not so although the clock was moved by ${milliseconds} ms`);
}
