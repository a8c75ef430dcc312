/** The second factors on a database under test, assembled as in the application. */
import type { INestApplicationContext, Type } from '@nestjs/common';
import { Accounts, type Account } from '../../../src/accounts/account/accounts.js';
import { Attempts } from '../../../src/accounts/limits/attempts.js';
import { AuditLog, type AuditContext, type AuditEntry } from '../../../src/accounts/audit/audit-log.js';
import { Factors } from '../../../src/mfa/factors.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { FactorsModule } from '../../../src/mfa/factors.module.js';
import type { Clock } from '../../../src/config/clock.js';
import type { Config } from '../../../src/config/config.js';
import { Keys } from '../../../src/config/keys.js';
import { WebAuthnFactor } from '../../../src/mfa/factors/webauthn/webauthn.factor.js';
import { RecoveryCodes } from '../../../src/mfa/recovery-codes/recovery-codes.js';
import { TotpFactor } from '../../../src/mfa/factors/totp/totp.factor.js';
import type { DatabaseUnderTest } from '../../support/databases.js';
import { KeysUnderTest, RecoveryCodesUnderTest, TotpUnderTest } from '../../support/factors-under-test.js';
import { openModules } from '../../support/modules.js';
import { SyntheticKey, type SyntheticKeyOptions } from '../../support/synthetic-key.js';
import { testConfig } from '../../support/test-config.js';
import { TotpApp } from '../../../test-kit/totp-app.js';
import { newName } from './account-parts.js';

export const SECRET = 'a secret of the installation, for tests';
export const BY: AuditContext = { actor: 'person', address: '192.0.2.7', requestId: 'r-7' };
export const BOUND_TO = 'area:one';

export interface FactorPartsOptions {
  secrets?: readonly string[];
  stopAt?: number;
  windowSteps?: number;
  /** The clock of the gateway; by default the clock of the test. */
  clock?: Clock;
}

export class FactorParts {
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly audit: AuditLog;
  readonly factors: Factors;
  readonly secrets: OneTimeSecrets;
  readonly totp: TotpUnderTest;
  readonly fido2: KeysUnderTest;
  readonly recovery: RecoveryCodesUnderTest;
  /** Finds any other service. */
  readonly service: <Part>(type: Type<Part>) => Part;
  readonly #origin: string;

  private constructor(
    private readonly test: Pick<DatabaseUnderTest, 'clock' | 'database'>,
    modules: INestApplicationContext,
    config: Config,
  ) {
    this.service = (type) => modules.get(type, { strict: false });
    this.accounts = modules.get(Accounts, { strict: false });
    this.attempts = modules.get(Attempts, { strict: false });
    this.audit = modules.get(AuditLog, { strict: false });
    this.factors = modules.get(Factors, { strict: false });
    this.secrets = modules.get(OneTimeSecrets, { strict: false });
    this.totp = new TotpUnderTest(modules.get(TotpFactor, { strict: false }));
    this.fido2 = new KeysUnderTest(modules.get(WebAuthnFactor, { strict: false }));
    this.recovery = new RecoveryCodesUnderTest(modules.get(RecoveryCodes, { strict: false }), this.factors);
    this.#origin = config.publicUrl;
  }

  static async create(
    test: Pick<DatabaseUnderTest, 'clock' | 'database'>,
    { secrets = [SECRET], stopAt = 100, windowSteps = 1, clock = test.clock }: FactorPartsOptions = {},
  ): Promise<FactorParts> {
    const config = testConfig(({ limits, mfa }) => ({
      limits: { ...limits, accountStopAt: stopAt },
      mfa: { ...mfa, totpWindowSteps: windowSteps },
    }));
    const { database } = test;
    return new FactorParts(
      test,
      await openModules({ config, clock, database, keys: new Keys(secrets) }, [FactorsModule]),
      config,
    );
  }

  createPerson(): Promise<Account> {
    const username = newName();
    return this.accounts.create({ username, email: `${username}@example.org` });
  }

  /** Creates an account with an authenticator app whose next code is not used yet. */
  async createWithTotp(): Promise<{ account: Account; app: TotpApp; recoveryCodes: string[] }> {
    const account = await this.createPerson();
    const app = await this.beginApp(account);
    const added = await this.confirm(account, app.code());
    if (added.kind !== 'added') throw new Error(added.kind);
    this.test.clock.advanceSeconds(30);
    return { account, app, recoveryCodes: added.recoveryCodes ?? [] };
  }

  async beginApp(account: Account, boundTo = BOUND_TO): Promise<TotpApp> {
    const setup = await this.totp.begin({ account, boundTo });
    if (typeof setup === 'string') throw new Error(setup);
    return new TotpApp(setup.secret, this.test.clock);
  }

  confirm(
    account: Account,
    code: string,
    more: { boundTo?: string; onlyFirst?: boolean } = {},
  ): ReturnType<TotpUnderTest['confirm']> {
    return this.totp.confirm({ account, boundTo: BOUND_TO, code, onlyFirst: false, auditContext: BY, ...more });
  }

  createKey(options: Partial<SyntheticKeyOptions> = {}): SyntheticKey {
    return new SyntheticKey({ origin: this.#origin, rpId: new URL(this.#origin).hostname, counter: 1, ...options });
  }

  async register(
    account: Account,
    key: SyntheticKey,
    more: { boundTo?: string; onlyFirst?: boolean; name?: string } = {},
  ): ReturnType<KeysUnderTest['finishRegistration']> {
    const { boundTo = BOUND_TO, onlyFirst = false } = more;
    const { sessionId, challenge } = await this.fido2.beginRegistration(account, boundTo);
    const credential = key.register(challenge);
    return this.fido2.finishRegistration({ account, boundTo, sessionId, credential, onlyFirst, auditContext: BY, ...more });
  }

  async beginAssertion(account: Account, boundTo = BOUND_TO): Promise<string> {
    const begun = await this.fido2.beginAssertion(account.id, boundTo);
    if (!begun) throw new Error('The account has no key.');
    return (begun.publicKey as { challenge: string }).challenge;
  }

  finishAssertion(account: Account, credential: unknown, boundTo = BOUND_TO): ReturnType<KeysUnderTest['finishAssertion']> {
    return this.fido2.finishAssertion({ accountId: account.id, boundTo, credential, auditContext: BY });
  }

  /** Lists the audit events of second factors, oldest first. */
  async listAuditEvents(account: Account): Promise<AuditEntry[]> {
    const { entries } = await this.audit.list(account.id);
    return entries.filter(({ kind }) => /^(factor|recovery)/.test(kind)).reverse();
  }

  async listNotices(account: Account): Promise<string[]> {
    const rows = await this.test.database.db
      .selectFrom('outbox')
      .select('kind')
      .where('account_id', '=', account.id)
      .orderBy('id')
      .execute();
    return rows.map(({ kind }) => kind);
  }
}

export async function repeatInOrder<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time++) results.push(await work());
  return results;
}
