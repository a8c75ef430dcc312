/** The services of `src/accounts` on a database under test, with hashes that cost nothing and short limits. */
import { pino } from 'pino';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { Outbox } from '../../../src/accounts/queue/outbox.js';
import { SystemClock } from '../../../src/config/clock.js';
import type { Config } from '../../../src/config/config.js';
import { Keys, randomToken } from '../../../src/config/keys.js';
import { AccountAttributes } from '../../../src/accounts/attributes/account-attributes.js';
import { AccountNames } from '../../../src/accounts/account/account-names.js';
import { AccountList } from '../../../src/accounts/account/account-list.js';
import { VerifiedAddresses } from '../../../src/accounts/account/verified-addresses.js';
import { Accounts, type Account, type NewAccount } from '../../../src/accounts/account/accounts.js';
import { FormerEmails } from '../../../src/accounts/account/former-emails.js';
import { Attempts, type Attempt, type CheckOutcome } from '../../../src/accounts/limits/attempts.js';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { BrowserSessions } from '../../../src/accounts/sessions/browser-sessions.js';
import { ChallengeRecords } from '../../../src/accounts/sessions/challenge-records.js';
import { KnownDevices } from '../../../src/accounts/sessions/known-devices.js';
import { PasswordRules } from '../../../src/accounts/password/password-rules.js';
import { PasswordHasher } from '../../../src/accounts/password/hasher.js';
import { PasswordAttempts, type PasswordVerdict } from '../../../src/accounts/password/password-attempts.js';
import { SetPassword } from '../../../src/accounts/password/set-password.js';
import { SourceSignIn } from '../../../src/accounts/password/source-sign-in.js';
import { MigratedAccounts } from '../../../src/accounts/identities/migrated-accounts.js';
import { SourceAccounts } from '../../../src/accounts/identities/source-accounts.js';
import { SourceNames } from '../../../src/accounts/identities/source-names.js';
import { UserSources } from '../../../src/sources/user-sources.js';
import { Cleanup } from '../../../src/accounts/cleanup.js';
import type { Database } from '../../../src/database/database.js';
import { finishSignIn } from '../../support/finished-sign-in.js';
import { testConfig } from '../../support/test-config.js';

export const KEYS = new Keys(['a secret of the installation, for tests']);
const LOG = pino({ level: 'silent' });
const LIMITS: Config['limits'] = {
  accountFreeFailures: 5,
  accountFirstWaitSeconds: 30,
  accountLongestWaitSeconds: 900,
  accountStopAt: 100,
  addressFailures: 50,
  addressWindowSeconds: 900,
};
export const PASSWORD = 'Gartenzaun gelb';
/** Results of the check of an attempt that `holdAttempt` keeps open. */
export const WRONG: CheckOutcome<null, null> = { kind: 'refused', refusal: null, counts: true, reason: 'wrong-password' };
export const UNCHECKED: CheckOutcome<null, null> = { kind: 'refused', refusal: null, counts: false, reason: 'wrong-password' };
const POLICY = { minLength: 6, requireLower: false, requireUpper: false, requireDigit: false };

export interface PartsOptions {
  limits?: Partial<Config['limits']>;
  hashing?: Partial<Config['hashing']>;
  keys?: Keys;
  byEmail?: boolean;
}

export class AccountParts {
  readonly audit: AuditLog;
  readonly accounts: Accounts;
  readonly list: AccountList;
  readonly sessions: BrowserSessions;
  readonly devices: KnownDevices;
  readonly challenges: ChallengeRecords;
  readonly hasher: PasswordHasher;
  readonly attempts: Attempts;
  readonly signIn: PasswordAttempts;
  readonly setPassword: SetPassword;
  readonly addresses: VerifiedAddresses;
  readonly cleanup: Cleanup;
  readonly outbox: Outbox;

  constructor(
    readonly database: Database,
    { limits = {}, hashing = {}, keys = KEYS, byEmail = false }: PartsOptions = {},
  ) {
    const config = { ...testConfig(), login: { ...testConfig().login, byEmail } };
    const sources = new UserSources([], LOG);
    const names = new AccountNames(database, config, sources);
    this.audit = new AuditLog(database);
    this.addresses = new VerifiedAddresses(database, this.audit, names, config);
    this.outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
    const attributes = new AccountAttributes(testConfig());
    const formerEmails = new FormerEmails(database, KEYS, this.outbox, this.addresses);
    this.accounts = new Accounts(database, this.audit, names, formerEmails, attributes);
    this.list = new AccountList(database);
    this.sessions = new BrowserSessions(database, this.audit, config);
    this.devices = new KnownDevices(database, this.outbox, testConfig());
    this.challenges = new ChallengeRecords(database, KEYS, this.audit);
    this.hasher = new PasswordHasher({ hashing: { memoryKiB: 64, iterations: 1, queueLength: 500, ...hashing } });
    this.attempts = new Attempts(database, keys, { limits: { ...LIMITS, ...limits } }, this.audit);
    const { hasher, attempts, audit } = this;
    const rules = new PasswordRules({ ...testConfig(), password: POLICY }, LOG, new SystemClock());
    this.setPassword = new SetPassword(database, hasher, attempts, audit, rules, this.addresses);
    const sourceNames = new SourceNames(database, sources, testConfig());
    const migrated = new MigratedAccounts(database, audit);
    const sourceAccounts = new SourceAccounts(database, this.accounts, audit, sourceNames, migrated, LOG);
    const sourceSignIn = new SourceSignIn(sources, sourceAccounts, sourceNames, migrated, hasher, audit);
    this.signIn = new PasswordAttempts(database, hasher, sourceSignIn, attempts, config);
    this.cleanup = new Cleanup(database, { eventSinks: [] });
  }

  /** Creates an account with `PASSWORD` and a name that no other test has. */
  async createPerson(more: Partial<NewAccount> = {}): Promise<Account> {
    const account = await this.accounts.create({ username: newName(), ...more });
    const faults = await this.setPassword.setPassword(account.id, PASSWORD);
    if (faults.length > 0) throw new Error(faults.join());
    return account;
  }

  tryPassword(
    username: string,
    password: string,
    from: { address?: string; device?: string | null } = {},
  ): Promise<PasswordVerdict> {
    const { address = newAddress(), device = null } = from;
    return this.signIn.prove({ username, password, address, device, requestId: 'test' });
  }

  /** Starts an attempt whose check lasts until `end` gives its result. Throws unless the attempt was admitted. */
  async holdAttempt(attempt: Attempt): Promise<{ end(checked: CheckOutcome<null, null>): Promise<void> }> {
    let find = (_: CheckOutcome<null, null>): void => undefined;
    const found = new Promise<CheckOutcome<null, null>>((resolve) => {
      find = resolve;
    });
    const running: { judged?: Promise<unknown> } = {};
    await new Promise<void>((resolve, reject) => {
      running.judged = this.attempts.judge<null, null>(attempt, ({ isStopped }) => {
        if (isStopped) reject(new Error('The attempt is stopped.'));
        resolve();
        return found;
      });
      running.judged.then(() => reject(new Error('The attempt was not admitted.')), reject);
    });
    return {
      end: async (checked) => {
        find(checked);
        await running.judged;
      },
    };
  }

  /** Makes the device of a browser known, as a sign-in with a password does. */
  rememberDevice(device: string, accountId: string): Promise<void> {
    return finishSignIn(this.database, { accountId, device });
  }

  /** Tries wrong passwords one after the other, each from a different address. */
  async fail(username: string, times: number, device: string | null = null): Promise<PasswordVerdict[]> {
    const verdicts: PasswordVerdict[] = [];
    for (let time = 0; time < times; time++) verdicts.push(await this.tryPassword(username, 'wrong', { device }));
    return verdicts;
  }
}

export function newName(): string {
  return `p${randomToken(9).replaceAll('-', '_')}`;
}

let addresses = 0;

export function newAddress(): string {
  const number = ++addresses;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

export function countKinds(verdicts: readonly PasswordVerdict[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { kind } of verdicts) counted[kind] = (counted[kind] ?? 0) + 1;
  return counted;
}
