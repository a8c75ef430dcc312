/** Collects events, former addresses, a scheduled deletion, data from a SCIM source and accepted terms, for the download. */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { FormerEmails } from '../../accounts/account/former-emails.js';
import { AuditLog, removeOperatorDetail, type AuditEntry } from '../../accounts/audit/audit-log.js';
import type { AuditKind } from '../../accounts/audit/kinds.js';
import { shortenNetwork } from '../../accounts/audit/network.js';
import { findScimId } from '../../config/stored-sources.js';
import { ScimRecords, type ScimRecord } from '../../accounts/scim/scim-records.js';
import { TermsAcceptances, type TermsAcceptance } from '../../accounts/terms/terms-acceptances.js';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { defined } from '../../config/defined.js';

/** All events are in memory at the same time: usually less than 10 MB. */
const MAX_EVENTS = 10_000;
/** The most events that a page of the audit log contains. */
const EVENTS_PER_PAGE = 200;

/** Kinds of events that another person may have caused. The full address of that person is not data of the account's owner. */
const UNPROVEN_KINDS: readonly AuditKind[] = [
  'factor.limited',
  'factor.refused',
  'password-reset.asked',
  'password.limited',
  'password.refused',
  'provider.refused',
  'request.limited',
  'sign-in-code.asked',
  'sign-in-code.refused',
  'source.refused',
  'support-page.asked',
  'token.refused',
  'token.reused',
];

type History = Pick<OwnDataAnswer, 'former_emails' | 'deletion_due_at' | 'scim' | 'terms' | 'events' | 'events_incomplete'>;

@Injectable()
export class OwnHistory {
  constructor(
    private readonly audit: AuditLog,
    private readonly formerEmails: FormerEmails,
    private readonly deletions: AccountDeletions,
    private readonly scim: ScimRecords,
    private readonly terms: TermsAcceptances,
  ) {}

  async collect({ id: accountId, email: currentEmail }: Pick<Account, 'id' | 'email'>): Promise<History> {
    const [emails, dueAt, scim, terms, events] = await Promise.all([
      this.formerEmails.list(accountId),
      this.deletions.find(accountId),
      this.scim.find(accountId),
      this.terms.list(accountId),
      this.#listEvents(accountId),
    ]);
    return {
      // A restored address is no longer a former address.
      former_emails: emails
        .filter(({ email }) => email !== currentEmail)
        .map(({ expires_at, ...formerEmail }) => ({ ...formerEmail, kept_until: expires_at.toISOString() })),
      deletion_due_at: dueAt?.toISOString() ?? null,
      scim: scim && toScimAnswer(scim),
      terms: toTermsAnswers(terms),
      ...events,
    };
  }

  async #listEvents(accountId: string): Promise<Pick<History, 'events' | 'events_incomplete'>> {
    const events: History['events'] = [];
    let cursor: string | undefined;
    do {
      const page = await this.audit.search({
        ofPresentPerson: accountId,
        limit: EVENTS_PER_PAGE,
        ...defined({ cursor }),
      });
      events.push(...page.entries.map(toEventAnswer));
      cursor = page.nextCursor;
    } while (cursor !== undefined && events.length < MAX_EVENTS);
    return { events, ...(cursor === undefined ? {} : { events_incomplete: true as const }) };
  }
}

function toEventAnswer(entry: AuditEntry): History['events'][number] {
  const { at, kind, actor, address } = entry;
  return {
    at: at.toISOString(),
    kind,
    by: actor,
    // The address of an operator is the operator's personal data.
    ...(address === undefined || actor === 'operator' ? {} : toAddressAnswer(kind, address)),
    ...defined({ detail: removeOperatorDetail(entry) }),
  };
}

function toAddressAnswer(kind: AuditKind, address: string): { address?: string } {
  if (!UNPROVEN_KINDS.includes(kind)) return { address };
  const network = shortenNetwork(address);
  return network === '' ? {} : { address: network };
}

/** The file contains a text only once, even if it was accepted more than once. */
function toTermsAnswers(acceptances: readonly TermsAcceptance[]): History['terms'] {
  const hashes = acceptances.map(({ sha256 }) => sha256);
  return acceptances.map((acceptance, index) => ({
    ...toTermsAnswer(acceptance),
    ...(hashes.indexOf(acceptance.sha256) === index ? { text: acceptance.text } : {}),
  }));
}

function toTermsAnswer({ terms: id, locale: language, acceptedAt, withdrawnAt, version, client, sha256 }: TermsAcceptance) {
  const times = { accepted_at: acceptedAt.toISOString(), withdrawn_at: withdrawnAt?.toISOString() ?? null };
  return { id, version, language, client, ...times, sha256 };
}

function toScimAnswer({
  source,
  externalId,
  isActive,
  resource,
  groups,
  createdAt,
  modifiedAt,
}: ScimRecord): OwnDataAnswer['scim'] {
  return {
    source: findScimId(source) ?? source,
    external_id: externalId,
    active: isActive,
    resource,
    groups,
    created_at: createdAt.toISOString(),
    modified_at: modifiedAt.toISOString(),
  };
}
