/** What was and what will be of an account: its events, the addresses that it had, and the deletion that it waits for. */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { FormerEmails } from '../../accounts/account/former-emails.js';
import { AuditLog, type AuditEntry } from '../../accounts/audit/audit-log.js';
import type { AuditKind } from '../../accounts/audit/kinds.js';
import { shortenedNetwork } from '../../accounts/audit/network.js';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { defined } from '../../config/defined.js';

/** In memory at once: 10 MB at most. */
const MOST_EVENTS = 10_000;
const EVENTS_AT_ONCE = 500;

/** Whoever caused them has proven nothing, or not enough: it may have been somebody else, whose address is their own data. */
const UNPROVEN: readonly AuditKind[] = [
  'factor.limited',
  'factor.refused',
  'password-reset.asked',
  'password.limited',
  'password.refused',
  'provider.refused',
  'request.limited',
  'source.refused',
  'token.refused',
  'token.reused',
];

type History = Pick<OwnDataAnswer, 'former_emails' | 'deletion_due_at' | 'events' | 'events_incomplete'>;

@Injectable()
export class OwnHistory {
  constructor(
    private readonly audit: AuditLog,
    private readonly formerEmails: FormerEmails,
    private readonly deletions: AccountDeletions,
  ) {}

  async collect({ id: accountId, email: current }: Pick<Account, 'id' | 'email'>): Promise<History> {
    const [emails, due, events] = await Promise.all([
      this.formerEmails.list(accountId),
      this.deletions.find(accountId),
      this.#events(accountId),
    ]);
    return {
      // One that was brought back is former no longer.
      former_emails: emails
        .filter(({ email }) => email !== current)
        .map(({ expires_at, ...email }) => ({ ...email, kept_until: expires_at.toISOString() })),
      deletion_due_at: due?.toISOString() ?? null,
      ...events,
    };
  }

  async #events(accountId: string): Promise<Pick<History, 'events' | 'events_incomplete'>> {
    const events: History['events'] = [];
    let cursor: string | undefined;
    do {
      const page = await this.audit.search({ accountId, limit: EVENTS_AT_ONCE, ...defined({ cursor }) });
      events.push(...page.entries.map(eventAnswer));
      cursor = page.nextCursor;
    } while (cursor !== undefined && events.length < MOST_EVENTS);
    return { events, ...(cursor === undefined ? {} : { events_incomplete: true as const }) };
  }
}

function eventAnswer({ at, kind, actor, address, detail }: AuditEntry): History['events'][number] {
  return {
    at: at.toISOString(),
    kind,
    by: actor,
    // That of an operator is not theirs to know.
    ...(address === undefined || actor === 'operator' ? {} : addressAnswer(kind, address)),
    ...defined({ detail }),
  };
}

function addressAnswer(kind: AuditKind, address: string): { address?: string } {
  if (!UNPROVEN.includes(kind)) return { address };
  const network = shortenedNetwork(address);
  return network === '' ? {} : { address: network };
}
