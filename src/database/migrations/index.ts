import { firstLight } from './0001-first-light.js';
import { secondFactors } from './0002-second-factors.js';
import { notMe } from './0003-not-me.js';
import { externalIdentities } from './0004-external-identities.js';
import { registrations } from './0005-registrations.js';
import { appendOnlyAuditLog } from './0007-append-only-trail.js';
import { revocationJobs } from './0008-upstream-errands.js';
import type { Migration } from './migration.js';

/** In order; a number is never used twice and a published step never changes. */
export const MIGRATIONS: readonly Migration[] = [
  firstLight,
  secondFactors,
  notMe,
  externalIdentities,
  registrations,
  appendOnlyAuditLog,
  revocationJobs,
];
