/** A sign-in that comes to its end in a browser of its own, without its steps before. */
import { Outbox } from '../../src/accounts/queue/outbox.js';
import { testConfig } from './test-config.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ChallengeRecords } from '../../src/accounts/sessions/challenge-records.js';
import { FinishedSignIns, type FinishedSignIn } from '../../src/accounts/sessions/finished-sign-ins.js';
import { KnownDevices } from '../../src/accounts/sessions/known-devices.js';
import { TRUST_STAMP } from '../../src/accounts/sessions/trusted-browsers.js';
import { Keys, randomToken } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';

const KEYS = new Keys(['a secret of the installation, for tests']);

/** @param more what is not that of a new browser and a new challenge */
export async function finishSignIn(database: Database, more: Partial<FinishedSignIn> & { accountId: string }): Promise<void> {
  const finished: FinishedSignIn = {
    owner: { kind: 'login', challenge: randomToken(), browser: randomToken() },
    result: '',
    newBrowser: randomToken(),
    clientId: 'demo',
    amr: ['pwd'],
    manageSession: null,
    device: null,
    trust: null,
    isTrusted: false,
    userAgent: '',
    by: { actor: 'person', address: '192.0.2.99', requestId: 'test' },
    ...more,
  };
  const audit = new AuditLog(database);
  const records = new ChallengeRecords(database, KEYS, audit);
  await records.claim(finished.owner, 3600);
  const outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
  const config = { accounts: { reservedUsernames: [], tellsNewBrowsers: true } };
  await new FinishedSignIns(database, records, new KnownDevices(database), audit, outbox, config).finish(finished);
}

/** A browser with this secret becomes trusted, at the end of a sign-in with what the account has now. */
export async function trustBrowser(database: Database, accountId: string, secret = randomToken()): Promise<void> {
  const account = database.db.selectFrom('account as a').where('id', '=', accountId);
  const { stamp } = await account.select(TRUST_STAMP.as('stamp')).executeTakeFirstOrThrow();
  const trust = { secret, presented: [], lifetimeSeconds: 30 * 24 * 3600, userAgent: 'Firefox/140.0 (Windows)', stamp };
  await finishSignIn(database, { accountId, trust });
}
