/** Makes the parts of this folder from what they stand on; the composition root binds each by its class. */
import type { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import type { Keys } from '../config/keys.js';
import type { Database } from '../database/database.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { AccountExports } from './transfer/exports.js';
import { AccountImports } from './transfer/imports.js';
import { AccountSessions } from './sessions/account-sessions.js';
import { Accounts } from './account/accounts.js';
import { ManageSessionRecords } from './sessions/manage-sessions.js';
import { Attempts } from './limits/attempts.js';
import { AuditLog } from './audit/audit-log.js';
import { BrowserSessions } from './sessions/browser-sessions.js';
import { ChallengeRecords } from './sessions/challenge-records.js';
import { ChangePassword } from './password/change-password.js';
import { ChangeUsername } from './account/change-username.js';
import { CredentialFreeze } from './account/credential-freeze.js';
import { ExternalIdentities } from './identities/external-identities.js';
import { FactorAttempts } from './limits/factor-attempts.js';
import { FactorResets } from './secrets/factor-resets.js';
import { Factors } from './factors/factors.js';
import { KnownDevices } from './sessions/known-devices.js';
import { OneTimeSecrets } from './secrets/one-time-secrets.js';
import { OutboxClaims } from './queue/outbox-claims.js';
import { OutboxWaiting } from './queue/outbox-waiting.js';
import { Outbox } from './queue/outbox.js';
import { PasswordHasher } from './password/hasher.js';
import { PasswordProof } from './password/proof.js';
import { PasswordResets } from './password/resets.js';
import type { PasswordResetsParts } from './password/resets.js';
import { PasswordSignIn } from './password/sign-in.js';
import { PendingAuthentications } from './sessions/pending-authentications.js';
import { ProofCodes } from './secrets/proof-codes.js';
import { ProviderTransactions } from './secrets/provider-transactions.js';
import { RecoveryCodes } from './factors/recovery-codes.js';
import { RegistrationTickets } from './secrets/registration-tickets.js';
import { RequestLimits } from './limits/request-limits.js';
import { SecureAccount } from './account/secure-account.js';
import { SecurityKeys } from './factors/security-keys.js';
import { SetPassword } from './password/set-password.js';
import { SeedResealer } from './secrets/seed-resealer.js';
import { Cleanup } from './cleanup.js';
import { TotpFactors } from './factors/totp-factors.js';
import { RevocationJobs } from './queue/revocation-jobs.js';

export interface AccountFoundation {
  config: Config;
  keys: Keys;
  clock: Clock;
  database: Database;
  telemetry?: Telemetry;
}

export function accountServices({ config, keys, database, telemetry = TELEMETRY_OFF }: AccountFoundation): object[] {
  const audit = new AuditLog(database, telemetry);
  const hasher = new PasswordHasher(config.hashing, telemetry);
  const accounts = new Accounts(database, audit);
  const records = new ChallengeRecords(database, keys);
  const attempts = new Attempts(database, keys, config.limits, audit);
  const outbox = new Outbox(database, keys);
  const passwords = new PasswordSignIn(database, hasher, attempts, telemetry);
  const setPassword = new SetPassword({ database, hasher, attempts, audit, policy: config.password, appName: config.app.name });
  const manageSessions = new ManageSessionRecords(database, keys, config.area, audit);
  const proof = new PasswordProof(database, passwords);
  return [
    audit,
    hasher,
    attempts,
    accounts,
    ...operatorServices({ keys, database }, audit),
    manageSessions,
    proof,
    new ChangePassword({ database, hasher, proof, setPassword, sessions: manageSessions, outbox }),
    new ChangeUsername({ database, attempts, audit, outbox, heldNameSeconds: config.area.heldNameSeconds }),
    new BrowserSessions(database, audit),
    records,
    new PendingAuthentications(database, keys, records),
    new KnownDevices(database),
    new RegistrationTickets({ database, keys, accounts, audit }),
    passwords,
    setPassword,
    outbox,
    new OutboxClaims({ database, keys, audit }),
    new RevocationJobs(database, audit),
    new OutboxWaiting(database),
    new SeedResealer(database, keys),
    new Cleanup(database),
    ...resetServices({ config, keys, database }, { accounts, hasher, setPassword, audit, outbox }),
    ...factorServices({ config, keys, database, telemetry }, { audit, outbox }),
    new ExternalIdentities({ database, audit, outbox }),
  ];
}

function factorServices(
  { config, keys, database, telemetry = TELEMETRY_OFF }: Omit<AccountFoundation, 'clock'>,
  { audit, outbox }: Pick<PasswordResetsParts, 'audit' | 'outbox'>,
): object[] {
  const recovery = new RecoveryCodes(database, keys);
  return [
    recovery,
    new TotpFactors(database, keys),
    new SecurityKeys(database),
    new FactorAttempts({ database, keys, audit, outbox, limits: config.limits, telemetry }),
    new Factors({ database, keys, audit, outbox, recovery }),
  ];
}

/** What operators alone ask for. */
function operatorServices({ keys, database }: Pick<AccountFoundation, 'keys' | 'database'>, audit: AuditLog): object[] {
  return [
    new AccountImports(database, keys, audit),
    new AccountExports(database, keys, audit),
    new AccountSessions(database, audit),
  ];
}

/** The ways back in, over what else they change. */
function resetServices(
  { config, keys, database }: Omit<AccountFoundation, 'clock'>,
  parts: Omit<PasswordResetsParts, 'database' | 'secrets'>,
): object[] {
  const { accounts, audit, outbox } = parts;
  const secrets = new OneTimeSecrets(database, keys);
  const limits = new RequestLimits(database, keys, config.limits, audit);
  return [
    secrets,
    new ProviderTransactions(secrets),
    new PasswordResets({ ...parts, database, secrets }),
    new FactorResets({ database, accounts, keys, secrets, audit, outbox }),
    new SecureAccount({ database, secrets, audit, outbox, freezeSeconds: config.area.freezeSeconds }),
    new CredentialFreeze(database, audit),
    limits,
    new ProofCodes({ database, keys, secrets, outbox, limits }),
  ];
}
