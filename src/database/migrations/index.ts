import { firstLight } from './0001-first-light.js';
import { secondFactors } from './0002-second-factors.js';
import type { Migration } from './migration.js';

/** In order; a number is never used twice and a published step never changes. */
export const MIGRATIONS: readonly Migration[] = [firstLight, secondFactors];
