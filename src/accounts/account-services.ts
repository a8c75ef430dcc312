/** Makes the parts of this folder from what they stand on; the composition root binds each by its class. */
import type { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import type { Keys } from '../config/keys.js';
import type { Database } from '../database/database.js';
import { Accounts } from './accounts.js';
import { Attempts } from './attempts.js';
import { AuditTrail } from './audit-trail.js';
import { BrowserSessions } from './browser-sessions.js';
import { ChallengeRecords } from './challenge-records.js';
import { KnownDevices } from './known-devices.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordSignIn } from './password-sign-in.js';
import { SetPassword } from './set-password.js';
import { Sweeper } from './sweeper.js';

export interface AccountFoundation {
  config: Config;
  keys: Keys;
  clock: Clock;
  database: Database;
}

export function accountServices({ config, keys, database }: AccountFoundation): object[] {
  const audit = new AuditTrail(database);
  const hasher = new PasswordHasher(config.hashing);
  const attempts = new Attempts(database, keys, config.limits);
  return [
    audit,
    hasher,
    attempts,
    new Accounts(database, audit),
    new BrowserSessions(database, audit),
    new ChallengeRecords(database, keys),
    new KnownDevices(database),
    new PasswordSignIn(database, hasher, attempts),
    new SetPassword({ database, hasher, attempts, audit, policy: config.password, appName: config.app.name }),
    new Sweeper(database),
  ];
}
