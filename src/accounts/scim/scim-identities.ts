/**
 * Connects an identity at a provider to the account of the same person of a SCIM source. The settings name the claim of the provider
 * that equals the `externalId` from the source. Names and addresses are never compared.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { insertIdentity, type Identity } from '../identities/identity-rows.js';
import { toScimSource } from '../../config/stored-sources.js';
import { isInForce } from '../operators/account-rights.js';
import { Outbox } from '../queue/outbox.js';

/** The identity that a provider has proven, and its claims. */
export interface ProvenClaims extends Identity {
  provider: string;
  providerName: string;
  label: string | null;
  /** Claims of the ID token, not validated. */
  claims?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * `unknown`: no SCIM source of this provider has the person, several sources match, or the identity is connected to another account.
 * `disabled`: the account is disabled. `frozen`: its credentials cannot be changed for some time. `operator`: the account has a right of an
 * operator, and it is not proven yet that the right was granted to this person. `other`: the account has another identity of this provider.
 */
export type ScimMatch =
  | { kind: 'connected' | 'unknown' }
  | { kind: 'refused'; reason: 'disabled' | 'frozen' | 'operator' | 'other'; accountId: string };

interface SourcePerson {
  source: string;
  externalId: string;
}

const UNKNOWN: ScimMatch = { kind: 'unknown' };
const MAX_IDENTIFIER_LENGTH = 255;

@Injectable()
export class ScimIdentities {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'scim'>,
  ) {}

  /** Whether people of a SCIM source sign in at this provider. */
  usesProvider(provider: string): boolean {
    return this.config.scim.some(({ signIn }) => signIn?.provider === provider);
  }

  /** Connects an identity that is not connected to an account. */
  async connect(provenClaims: ProvenClaims, auditContext: AuditContext): Promise<ScimMatch> {
    const people = this.#findPeople(provenClaims);
    // With two matching sources, one could claim people of the other. The checks of the settings refuse such sources too.
    const [person, ...otherPeople] = people;
    return person && otherPeople.length === 0 ? this.#connectTo(person, provenClaims, auditContext) : UNKNOWN;
  }

  #findPeople({ provider, subject, claims }: ProvenClaims): SourcePerson[] {
    const allClaims: Readonly<Record<string, unknown>> = { ...claims, sub: subject };
    return this.config.scim.flatMap(({ id, signIn }) => {
      if (signIn?.provider !== provider || !Object.hasOwn(allClaims, signIn.claim)) return [];
      const externalId = allClaims[signIn.claim];
      return isIdentifier(externalId) ? [{ source: toScimSource(id), externalId }] : [];
    });
  }

  async #connectTo(person: SourcePerson, provenClaims: ProvenClaims, auditContext: AuditContext): Promise<ScimMatch> {
    const accountId = await this.#findAccount(person, this.database.db);
    if (accountId === null) return UNKNOWN;
    const { provider, providerName, issuer, subject, label } = provenClaims;
    const now = this.database.now();
    return this.database.transaction(async (trx): Promise<ScimMatch> => {
      await lockAccount(accountId, trx);
      // The source may have changed or removed the person before the account was locked.
      if ((await this.#findAccount(person, trx)) !== accountId) return UNKNOWN;
      const owners = await findOwners({ issuer, subject }, trx);
      if (owners.some((owner) => owner !== accountId)) return UNKNOWN;
      const refusal = await this.#findRefusal(accountId, trx);
      if (refusal !== null) return { kind: 'refused', reason: refusal, accountId };
      // A concurrent request, such as a second click, has connected the identity already.
      if (owners.length > 0) return { kind: 'connected' };
      if (!(await insertIdentity({ accountId, provider, issuer, subject, label, now }, trx)))
        return { kind: 'refused', reason: 'other', accountId };
      await this.audit.record({ ...auditContext, kind: 'provider.connected', accountId, detail: { provider } }, trx);
      await this.outbox.queueNotice(
        { kind: 'provider-connected', accountId, values: { provider: providerName }, auditContext },
        trx,
      );
      return { kind: 'connected' };
    });
  }

  async #findAccount({ source, externalId }: SourcePerson, db: Pick<Transaction<Schema>, 'selectFrom'>): Promise<string | null> {
    const row = await db
      .selectFrom('scim_user as u')
      .innerJoin('source_account as s', (join) =>
        join.onRef('s.account_id', '=', 'u.account_id').onRef('s.source', '=', 'u.source'),
      )
      .select('u.account_id')
      .where('u.source', '=', source)
      .where('u.external_id', '=', externalId)
      .where('u.deleted_at', 'is', null)
      .executeTakeFirst();
    return row?.account_id ?? null;
  }

  async #findRefusal(accountId: string, trx: Transaction<Schema>): Promise<'disabled' | 'frozen' | 'operator' | null> {
    const now = this.database.now();
    const row = await trx
      .selectFrom('account as a')
      .select((expression) => [
        'a.status',
        expression('a.credentials_frozen_until', '>', now).as('frozen'),
        expression
          .exists(
            expression
              .selectFrom('operator_grant as g')
              .select('g.account_id')
              .whereRef('g.account_id', '=', 'a.id')
              .where(isInForce('g', now)),
          )
          .as('operator'),
      ])
      .where('a.id', '=', accountId)
      .executeTakeFirst();
    if (row?.status !== 'active') return 'disabled';
    if (row.frozen === true) return 'frozen';
    return row.operator ? 'operator' : null;
  }
}

/** @returns at most two of the accounts to which the identity is connected, active or not */
async function findOwners({ issuer, subject }: Identity, trx: Transaction<Schema>): Promise<string[]> {
  const rows = trx
    .selectFrom('external_identity')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject);
  return (await rows.limit(2).execute()).map(({ account_id }) => account_id);
}

/** Whether a value is a text that can be an `externalId`. PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function isIdentifier(value: unknown): value is string {
  return (
    typeof value === 'string' && value.trim() !== '' && value.length <= MAX_IDENTIFIER_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(value)
  );
}
