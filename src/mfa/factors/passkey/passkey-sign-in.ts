/**
 * Verifies a passkey at a sign-in: whose it is, the assertion says. Whoever cannot show one learns only whether an id belongs to
 * somebody, which its browser needs to know, and which nobody can guess.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Account } from '../../../accounts/account/account.js';
import { eventValues, type AuditContext, type AuditEvent } from '../../../accounts/audit/audit-log.js';
import { countEvent } from '../../../accounts/audit/event-count.js';
import { AddressFailures } from '../../../accounts/limits/address-failures.js';
import type { FactorFault } from '../../../accounts/limits/factor-attempts.js';
import { SourceAdmission } from '../../../accounts/password/source-admission.js';
import { NO_SESSION } from '../../../accounts/password/sign-in-statements.js';
import type { SourceProblem } from '../../../accounts/password/source-sign-in.js';
import { beginValues, begunOf, type BegunSession, type NewBrowserSession } from '../../../accounts/sessions/browser-sessions.js';
import { ChallengeRecords, hashed, type ChallengeOwner, type ClaimState } from '../../../accounts/sessions/challenge-records.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import { fingerprint } from '../../../config/keys.js';
import type { Amr } from '../../../contract/authentication.js';
import { Database } from '../../../database/database.js';
import { Telemetry, TELEMETRY_OFF } from '../../../telemetry/telemetry.js';
import { clientDataOf } from '../../credentials/client-data.js';
import { assertedPasskey, isCopied, partyOf, type Asserted, type PasskeyParty } from './ceremony.js';
import { LOOK_UP, SETTLE, type PasskeyCandidate, type PasskeyLookUpRow } from './passkey-sign-in-statements.js';
import { PASSKEY } from './passkey.kind.js';

export interface ProvenPasskey {
  account: Account;
  methods: readonly Amr[];
  /** See `security-stamp.ts`. */
  securityStamp: string;
  /** As of `ProvenPassword`. */
  deviceRemembered: boolean;
  deviceOwned: boolean;
}

export type PasskeyVerdict =
  | (ProvenPasskey & {
      kind: 'proven';
      /** Has begun with the proof, if one was asked for. */
      session: (BegunSession & Pick<NewBrowserSession, 'browser'>) | null;
    })
  | { kind: 'refused' }
  /** Nobody has the credential. */
  | { kind: 'unknown' }
  | { kind: 'limited'; retryAfterSeconds: number }
  | SourceProblem;

/** `challenge` of the response has been verified. */
export interface PasskeyAttempt {
  response: AuthenticationResponseJSON;
  address: string;
  /** Secret of the known-device cookie, if present. */
  device: string | null;
  requestId: string;
}

/** As of `RequestAttempt`. */
export interface PasskeyRequestAttempt<Request> {
  owner: ChallengeOwner;
  asked: Request | null;
  read(kept: string): Request | null;
  begins(request: Request, proven: ProvenPasskey): NewBrowserSession | null;
}

export interface PasskeyRequestVerdict<Request> {
  record: ClaimState;
  request: Request | null;
  /** Null if nothing was checked: the challenge is not open in this browser, or its request is not known. */
  verdict: PasskeyVerdict | null;
}

type Refusal = FactorFault | 'unknown' | 'account';

interface Settling {
  candidate: PasskeyCandidate;
  asserted: Asserted;
  proven: ProvenPasskey;
  session: NewBrowserSession | null;
  isSecondTry: boolean;
}

@Injectable()
export class PasskeySignIn {
  readonly #party: PasskeyParty;

  constructor(
    private readonly database: Database,
    private readonly records: ChallengeRecords,
    private readonly failures: AddressFailures,
    private readonly sources: SourceAdmission,
    @Inject(CONFIG) config: Config,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {
    this.#party = partyOf(config);
  }

  async attempt<Request>(attempt: PasskeyAttempt, of: PasskeyRequestAttempt<Request>): Promise<PasskeyRequestVerdict<Request>> {
    const { response, device, address } = attempt;
    const [row] = await this.database.run(LOOK_UP, {
      ...hashed(of.owner),
      credential: response.id,
      device: device === null ? null : fingerprint(device),
      address: this.failures.keyOf(address),
    });
    if (!row) throw new Error('A look-up always answers.');
    const record = this.records.stateOf(row.own === null ? null : row);
    const kept = record.state === 'open' ? record.request : undefined;
    const request = of.asked ?? (kept === undefined ? null : of.read(kept));
    if (record.state !== 'open' || request === null) return { record, request, verdict: null };
    const verdict = await this.#verdict(row, attempt, (proven) => of.begins(request, proven));
    const result = verdict.kind === 'unknown' ? 'refused' : verdict.kind;
    this.telemetry.count('foyer.login.attempts', { 'foyer.login.method': PASSKEY.name, 'foyer.login.result': result });
    return { record, request, verdict };
  }

  async #verdict(
    row: PasskeyLookUpRow,
    attempt: PasskeyAttempt,
    begins: (proven: ProvenPasskey) => NewBrowserSession | null,
  ): Promise<PasskeyVerdict> {
    const candidate: PasskeyCandidate | null = row.passkey === null ? null : row;
    const by = { actor: 'person', address: attempt.address, requestId: attempt.requestId } as const;
    const of = candidate ? { accountId: candidate.id } : {};
    // The person's own browser does not wait for failures of others at its address.
    const wait = candidate?.device_known ? null : await this.failures.waitOf(row, { ...by, ...of, kind: 'factor.limited' });
    if (wait !== null) return { kind: 'limited', retryAfterSeconds: wait };
    const asserted = candidate ? await this.#asserted(candidate, attempt) : 'unknown';
    if (!candidate || typeof asserted === 'string') return this.#refused(asserted as Refusal, by, of);
    const admitted = await this.sources.admit(candidate, { by, lookedUpAt: row.looked_up_at });
    if (admitted.kind !== 'admitted') return admitted;
    const { account, securityStamp } = admitted;
    const devices = { deviceRemembered: candidate.device_fresh, deviceOwned: candidate.device_owned };
    const proven = { account, methods: asserted.methods, securityStamp, ...devices };
    const session = begins(proven);
    const settling = { candidate, asserted, proven, session };
    // Who has waited for the same form at another gateway sees the session that it has begun the second time only.
    const settled =
      (await this.#settle({ ...settling, isSecondTry: false }, by)) ??
      (await this.#settle({ ...settling, isSecondTry: true }, by));
    return settled ?? this.#refused(isCopied(asserted.counter, candidate.counter) ? 'counter' : 'replayed', by, of);
  }

  async #asserted(candidate: PasskeyCandidate, { response }: PasskeyAttempt): Promise<Asserted | Refusal> {
    if (candidate.status !== 'active') return 'account';
    // A discoverable credential always names its user (WebAuthn Level 3, section 7.2, step 6).
    if (response.response.userHandle !== candidate.handle) return 'response';
    const passkey = {
      credentialId: candidate.credential_id,
      publicKey: new Uint8Array(candidate.public_key),
      backupEligible: candidate.backup_eligible,
    };
    const challenge = clientDataOf(response.response.clientDataJSON)?.challenge ?? '';
    const asserted = await assertedPasskey(this.#party, { challenge, passkey }, response);
    if (asserted === null) return 'response';
    // The counter of a double click is the one that the first has taken: `SETTLE` tells them from copies.
    return asserted.counter !== candidate.counter && isCopied(asserted.counter, candidate.counter) ? 'counter' : asserted;
  }

  async #settle(
    { candidate: { passkey, last_use: lastUse }, asserted: { counter, backedUp }, proven, session, isSecondTry }: Settling,
    by: AuditContext,
  ): Promise<PasskeyVerdict | null> {
    const { account, securityStamp } = proven;
    const event: AuditEvent = { ...by, kind: 'factor.ok', accountId: account.id, detail: { factor: PASSKEY.name } };
    const [row] = await this.database.run(SETTLE, {
      ...(session ? beginValues(session) : { ...NO_SESSION, version: null }),
      ...eventValues(event),
      account: account.id,
      securityStamp,
      passkey,
      counter,
      lastUse,
      isSecondTry,
      backedUp,
    });
    if (!row) return null;
    if (!row.is_repetition) countEvent(this.telemetry, this.database, event);
    const begun = session && row.account_id !== null ? { ...begunOf(row), browser: session.browser } : null;
    return { kind: 'proven', ...proven, session: begun };
  }

  /** Counts for the address alone: nobody can lock an account by it. */
  async #refused(
    fault: Refusal,
    by: AuditContext & { address: string },
    of: { accountId?: string },
  ): Promise<{ kind: 'refused' | 'unknown' }> {
    await this.failures.fail({ ...by, ...of, kind: 'factor.refused', detail: { factor: PASSKEY.name, fault } });
    return { kind: fault === 'unknown' ? 'unknown' : 'refused' };
  }
}
