/** A completed sign-in in a new browser, without the steps before its end. */
import { Outbox } from '../../src/accounts/queue/outbox.js';
import { testConfig } from './test-config.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { FinishedSignIns, type FinishedSignIn } from '../../src/accounts/sessions/finished-sign-ins.js';
import { KnownDevices } from '../../src/accounts/sessions/known-devices.js';
import { ManageSessionRecords } from '../../src/accounts/sessions/manage-sessions.js';
import { SignInRecords } from '../../src/accounts/sessions/sign-in-records.js';
import { TRUST_STAMP, TrustedBrowsers } from '../../src/accounts/sessions/trusted-browsers.js';
import { Keys, randomToken } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';

const KEYS = new Keys(['a secret of the installation, for tests']);

/** The services for sign-ins and their end, on a database under test. */
export function createSignInParts(database: Database): { signIns: SignInRecords; finished: FinishedSignIns } {
  const audit = new AuditLog(database);
  const config = { ...testConfig(), accounts: { ...testConfig().accounts, sendsNewBrowserMail: true } };
  const manageSessions = new ManageSessionRecords(database, KEYS, config, audit);
  const signIns = new SignInRecords(database, KEYS, manageSessions, audit);
  const outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), config);
  const devices = new KnownDevices(database, outbox, config);
  const trusted = new TrustedBrowsers(database, audit, config);
  const finished = new FinishedSignIns(database, signIns, devices, trusted);
  return { signIns, finished };
}

/** @param more what differs from a new browser and a new challenge */
export async function finishSignIn(database: Database, more: Partial<FinishedSignIn> & { accountId: string }): Promise<void> {
  const { signIns, finished } = createSignInParts(database);
  const browser = more.browser ?? randomToken();
  const claimed = await signIns.claim({ challenge: randomToken(), browser }, null);
  if (claimed.state !== 'open') throw new Error('A new challenge is open.');
  await finished.finish({
    id: claimed.id,
    browser,
    answer: '',
    newBrowser: randomToken(),
    clientId: 'demo',
    amr: ['pwd'],
    manageSession: null,
    device: null,
    trust: null,
    isTrusted: false,
    userAgent: '',
    auditContext: { actor: 'person', address: '192.0.2.99', requestId: 'test' },
    ...more,
  });
}

/** Makes a browser with this secret trusted, at the end of a sign-in with the current credentials of the account. */
export async function trustBrowser(database: Database, accountId: string, secret = randomToken()): Promise<void> {
  const account = database.db.selectFrom('account as a').where('id', '=', accountId);
  const { stamp } = await account.select(TRUST_STAMP.as('stamp')).executeTakeFirstOrThrow();
  const trust = { secret, presentedSecrets: [], lifetimeSeconds: 30 * 24 * 3600, userAgent: 'Firefox/140.0 (Windows)', stamp };
  await finishSignIn(database, { accountId, trust });
}
