import { setTimeout as wait } from 'node:timers/promises';

/** Lets a test wait without waiting. */
export type Pause = (milliseconds: number) => Promise<void>;

export const realPause: Pause = (milliseconds) => wait(milliseconds);
