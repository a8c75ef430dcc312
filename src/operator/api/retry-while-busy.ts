import { setTimeout as pause } from 'node:timers/promises';
import { HasherBusy } from '../../accounts/password/hasher.js';
import type { OperatorFault } from './operator-fault.js';

/** Within these pauses, about three seconds in all, a full queue of password hashes usually becomes shorter. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1600];

/** Repeats `work` while the queue of password hashes is full. @throws what `buildFault` returns if it stays full */
export async function retryWhileBusy<T>(work: () => Promise<T>, buildFault: () => OperatorFault): Promise<T> {
  for (const pauseMs of [...PAUSES_MS, null]) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
    if (pauseMs !== null) await pause(pauseMs);
  }
  throw buildFault();
}
