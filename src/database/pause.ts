import { setTimeout as wait } from 'node:timers/promises';

/** A delay that tests can replace. */
export type Pause = (milliseconds: number) => Promise<void>;

export const realPause: Pause = (milliseconds) => wait(milliseconds);
