/** Runs one part as a process: starts it, reports its address, and stops it cleanly on a signal. */
import { stopOnSignals } from './stop-signals.js';

const CLOSING_MS = 5000;

/** @param start throws an error whose message is printed */
export async function serveUntilStopped(
  name: string,
  start: () => Promise<{ url: string; close(): Promise<void> }>,
): Promise<void> {
  try {
    const part = await start();
    stopOnSignals({
      source: process,
      stop: () => part.close(),
      deadlineMs: () => CLOSING_MS,
      clockMs: () => performance.now(),
    });
    process.stdout.write(`${name} is ready at ${part.url}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
