/**
 * Verifies a passkey at a sign-in. The assertion names the account. Without a valid passkey, a browser learns only whether a
 * credential id exists: the browser needs this to offer the deletion of an old passkey, and an id cannot be guessed.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { accountColumns, type Account } from '../accounts/account/account.js';
import { SECURITY_STAMP, lockOwnerSql } from '../accounts/account/security-stamp.js';
import type { LinkedCandidate } from '../accounts/account/linked-source.js';
import { AuditLog, toEventValues, type AuditContext, type AuditEvent } from '../accounts/audit/audit-log.js';
import { buildEventColumns, insertEvent, type EventValues } from '../accounts/audit/insert-event.js';
import { AddressFailures, type AddressOutcome } from '../accounts/limits/address-failures.js';
import type { FactorFault } from '../accounts/limits/factor-attempts.js';
import { SourceAdmission } from '../accounts/password/source-admission.js';
import type { SourceProblem } from '../accounts/password/source-sign-in.js';
import { RENEWAL_THRESHOLD } from '../accounts/sessions/known-devices.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { fingerprint } from '../config/keys.js';
import type { Amr } from '../contract/authentication.js';
import { Database } from '../database/database.js';
import { Statement } from '../database/statement.js';
import { Telemetry, TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { parseClientData } from '../webauthn/client-data.js';
import { verifyPasskeyAssertion, isCopied, toParty, type AssertedPasskey, type PasskeyParty } from './ceremony.js';

export interface ProvenPasskey {
  account: Account;
  methods: readonly Amr[];
  /** See `security-stamp.ts`. */
  securityStamp: string;
  /** See `ProvenPassword`. */
  isDeviceStored: boolean;
  isOwnedDevice: boolean;
}

type PasskeyRefusal =
  | { kind: 'refused' }
  /** No account has the credential. */
  | { kind: 'unknown' }
  | SourceProblem;

export type PasskeyVerdict =
  | (ProvenPasskey & { kind: 'proven' })
  | PasskeyRefusal
  | { kind: 'limited'; retryAfterSeconds: number };

/** An attempt whose response contains a verified challenge (`SignInChallenges`). */
export interface PasskeyAttempt {
  response: AuthenticationResponseJSON;
  /** Challenge of the login request. */
  challenge: string;
  address: string;
  /** Secret of the known-device cookie, if present. */
  device: string | null;
  requestId: string;
}

interface Candidate extends LinkedCandidate {
  passkey: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  backup_eligible: boolean;
  handle: string;
  device_known: boolean;
  device_stored: boolean;
  device_owned: boolean;
  looked_up_at: Date;
}

/** Name of the method in metrics and in the audit log. */
const METHOD = 'passkey';

type PersonContext = AuditContext & { address: string; actor: 'person' };

const FIND = new Statement<{ credential: string; device: string | null }, Candidate>(
  'passkey.candidate',
  ({ param, now }) => sql`
    select ${accountColumns('a')}, k.id as passkey, k.credential_id, k.public_key, k.counter, k.backup_eligible, u.handle,
      coalesce(d.expires_at > ${now}, false) as device_known,
      coalesce(d.expires_at > ${now} + ${RENEWAL_THRESHOLD}, false) as device_stored,
      exists (select from known_device o where o.device_hash = ${param('device')}::text and o.expires_at > ${now}) as device_owned,
      s.source, s.subject as source_subject, s.profile as source_profile, ${SECURITY_STAMP} as security_stamp,
      coalesce(a.credentials_frozen_until > ${now}, false) as frozen, ${now} as looked_up_at
    from passkey k
      join account a on a.id = k.account_id
      join passkey_user u on u.account_id = a.id
      left join source_account s on s.account_id = a.id
      left join known_device d on d.account_id = a.id and d.device_hash = ${param('device')}::text
    where k.credential_id = ${param('credential')}`,
);

type SpendValues = EventValues & {
  account: string;
  securityStamp: string;
  passkey: string;
  counter: number;
  backedUp: boolean;
  /** Fingerprint of the challenge of the login request. */
  signIn: string;
};

/**
 * Stores the counter of the signature. `has_access` is false if the account was disabled or its access ended meanwhile.
 * `is_repetition` is null then, and also if the passkey was removed, or a signature with this or a later counter was used before.
 * There are two exceptions: passkeys without a counter always send 0, which is accepted each time; and a double click sends the
 * signature of one sign-in twice. That repetition is accepted without an event, and the sign-in is answered once
 * (`sign-in-records.ts`).
 */
const SPEND = new Statement<SpendValues, { is_repetition: boolean | null; has_access: boolean }>(
  'passkey.spend',
  ({ param, now, buildSinks }) => {
    const isRepetition = sql<boolean>`(k.last_sign_in_hash is not distinct from ${param('signIn')}::text)`;
    return sql`
    with owner as (
      ${lockOwnerSql({ account: param('account'), securityStamp: param('securityStamp') })}
    ), before as (
      select k.id, ${isRepetition} as is_repetition from passkey k join owner on owner.id = k.account_id
      where k.id = ${param('passkey')} and (k.counter < ${param('counter')}::bigint
        or k.counter = ${param('counter')}::bigint and (k.counter = 0 or ${isRepetition}))
      for update of k
    ), spent as (
      update passkey set counter = ${param('counter')}::bigint, backed_up = ${param('backedUp')}::boolean, last_used_at = ${now},
        last_sign_in_hash = ${param('signIn')}::text
      where id in (select id from before)
    ), audited as (
      ${insertEvent(buildEventColumns({ param, now, buildSinks }), sql`before where not is_repetition`)}
    )
    select (select is_repetition from before), exists (select from owner) as has_access`;
  },
);

@Injectable()
export class PasskeySignIn {
  readonly #party: PasskeyParty;

  constructor(
    private readonly database: Database,
    private readonly failures: AddressFailures,
    private readonly sources: SourceAdmission,
    private readonly audit: AuditLog,
    @Inject(CONFIG) config: Config,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {
    this.#party = toParty(config);
  }

  async attempt(attempt: PasskeyAttempt): Promise<PasskeyVerdict> {
    const verdict = await this.#judge(attempt);
    const result = verdict.kind === 'unknown' ? 'refused' : verdict.kind;
    this.telemetry.count('foyer.login.attempts', { 'foyer.login.method': METHOD, 'foyer.login.result': result });
    return verdict;
  }

  async #judge(attempt: PasskeyAttempt): Promise<PasskeyVerdict> {
    const { response, device, address, requestId } = attempt;
    const [candidate] = await this.database.run(FIND, {
      credential: response.id,
      device: device === null ? null : fingerprint(device),
    });
    const auditContext: PersonContext = { actor: 'person', address, requestId };
    const account = candidate ? { accountId: candidate.id } : {};
    const judgement = await this.failures.judge<ProvenPasskey, PasskeyRefusal>(
      { ...auditContext, ...account, isKnownDevice: candidate?.device_known ?? false },
      () => (candidate ? this.#check(candidate, attempt, auditContext) : Promise.resolve(refuse('unknown'))),
    );
    if (judgement.kind === 'proven') return { kind: 'proven', ...judgement.proof };
    return judgement.kind === 'refused' ? judgement.refusal : judgement;
  }

  async #check(
    candidate: Candidate,
    attempt: PasskeyAttempt,
    auditContext: PersonContext,
  ): Promise<AddressOutcome<ProvenPasskey, PasskeyRefusal>> {
    const assertion = await this.#verify(candidate, attempt);
    if (typeof assertion === 'string') return refuse(assertion);
    const admission = await this.sources.admit(candidate, { auditContext, lookedUpAt: candidate.looked_up_at });
    if (admission.kind !== 'admitted') return { kind: 'refused', refusal: admission, counts: null };
    const { account, securityStamp } = admission;
    const spendFault = await this.#spend({ candidate, assertion, securityStamp, challenge: attempt.challenge }, auditContext);
    if (spendFault !== null) return refuse(spendFault);
    const { device_stored: isDeviceStored, device_owned: isOwnedDevice } = candidate;
    return { kind: 'proven', proof: { account, methods: assertion.methods, securityStamp, isDeviceStored, isOwnedDevice } };
  }

  async #verify(candidate: Candidate, { response }: PasskeyAttempt): Promise<AssertedPasskey | FactorFault | 'account'> {
    if (candidate.status !== 'active') return 'account';
    // A discoverable credential always names its user (WebAuthn Level 3, section 7.2, step 6).
    if (response.response.userHandle !== candidate.handle) return 'response';
    const passkey = {
      credentialId: candidate.credential_id,
      publicKey: new Uint8Array(candidate.public_key),
      backupEligible: candidate.backup_eligible,
    };
    const challenge = parseClientData(response.response.clientDataJSON)?.challenge ?? '';
    const assertion = await verifyPasskeyAssertion(this.#party, { challenge, passkey }, response);
    if (assertion === null) return 'response';
    // The second click has the counter that the first click stored. `SPEND` distinguishes a double click from a copied passkey.
    return assertion.counter !== candidate.counter && isCopied(assertion.counter, candidate.counter) ? 'counter' : assertion;
  }

  async #spend(
    use: { candidate: Candidate; assertion: AssertedPasskey; securityStamp: string; challenge: string },
    auditContext: AuditContext,
  ): Promise<FactorFault | 'account' | null> {
    const { candidate, assertion, securityStamp } = use;
    const event: AuditEvent = { ...auditContext, kind: 'factor.ok', accountId: candidate.id, detail: { factor: METHOD } };
    const [row] = await this.database.run(SPEND, {
      ...toEventValues(event),
      account: candidate.id,
      securityStamp,
      passkey: candidate.passkey,
      counter: assertion.counter,
      backedUp: assertion.backedUp,
      signIn: fingerprint(use.challenge),
    });
    if (row?.has_access !== true) return 'account';
    if (row.is_repetition === null) return isCopied(assertion.counter, candidate.counter) ? 'counter' : 'replayed';
    if (!row.is_repetition) this.audit.count(event);
    return null;
  }
}

/** The refusal counts only against the network address, so that an attacker cannot lock an account with wrong passkeys. */
function refuse(fault: FactorFault | 'unknown' | 'account'): AddressOutcome<ProvenPasskey, PasskeyRefusal> {
  return {
    kind: 'refused',
    refusal: { kind: fault === 'unknown' ? 'unknown' : 'refused' },
    counts: { kind: 'factor.refused', detail: { factor: METHOD, fault } },
  };
}
