/**
 * Events of the audit log in plain words: the sentence of each kind, and the details that are shown beside it (`value-words.ts` has the
 * words of their values). A test checks that they include every kind of the server (`src/accounts/audit/kinds.ts`); a kind of a
 * newer server is shown by its name.
 */
import type { AuditEntry } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';

/** The kinds by topic, in the order of the filter. */
export const TOPICS = [
  {
    title: 'topic.sign_in',
    kinds: [
      'sign-in.ok',
      'sign-in.continued',
      'sign-in.refused',
      'password.ok',
      'password.refused',
      'password.limited',
      'sign-in-code.asked',
      'sign-in-code.ok',
      'sign-in-code.refused',
      'factor.ok',
      'factor.refused',
      'factor.limited',
      'provider.ok',
      'provider.refused',
      'source.refused',
      'source.unavailable',
      'consent.granted',
      'consent.refused',
      'logout.done',
    ],
  },
  {
    title: 'topic.account',
    kinds: [
      'account.created',
      'account.imported',
      'account.invited',
      'sign-up.asked',
      'sign-up.refused',
      'sign-up.expired',
      'invitation.created',
      'invitation.resent',
      'invitation.withdrawn',
      'registration.finished',
      'account.changed',
      'username.changed',
      'account.disabled',
      'account.enabled',
      'account.secured',
      'freeze.lifted',
      'limits.cleared',
      'sessions.ended',
      'upstream-sessions.ended',
      'support-check.asked',
      'support-check.passed',
      'support-check.refused',
      'support-page.asked',
      'support-page.opened',
      'trusted-browser.ended',
      'deletion.requested',
      'deletion.cancelled',
      'account.deleted',
    ],
  },
  {
    title: 'topic.credentials',
    kinds: [
      'password.changed',
      'password.reset',
      'password.change-required',
      'terms.accepted',
      'terms.withdrawn',
      'password-reset.asked',
      'password-reset.issued',
      'factor.added',
      'factor.removed',
      'factor.renamed',
      'factor.reset',
      'factor-reset.issued',
      'recovery-codes.made',
      'recovery-code.used',
      'provider.connected',
      'provider.disconnected',
      'source.connected',
      'source.disconnected',
      'source.migrated',
      'scim.offered',
      'scim.withdrawn',
      'proof.ok',
    ],
  },
  {
    title: 'topic.own',
    kinds: ['area.opened', 'area.closed', 'app.narrowed', 'app.removed', 'data.downloaded', 'token.refused', 'token.reused'],
  },
  {
    title: 'topic.installation',
    kinds: [
      'operator.granted',
      'operator.revoked',
      'approval.asked',
      'approval.approved',
      'approval.rejected',
      'approval.withdrawn',
      'approval.stopped',
      'approval.expired',
      'job.started',
      'job.ended',
      'console.opened',
      'console.closed',
      'console.refused',
      'accounts.exported',
      'mail.abandoned',
      'mail.retried',
      'sink.paused',
      'sink.resumed',
      'sink.replayed',
      'scim.dismissed',
      'request.limited',
      'secrets.rotated',
      'system.started',
    ],
  },
  {
    title: 'topic.clients',
    kinds: ['client.attempted', 'client.created', 'client.changed', 'client.rotated', 'client.deleted', 'client.failed'],
  },
] as const satisfies readonly { title: PhraseKey; kinds: readonly string[] }[];

export type EventKind = (typeof TOPICS)[number]['kinds'][number];

export const KINDS: readonly EventKind[] = TOPICS.flatMap(({ kinds }) => [...kinds]);

/** Groups of kinds that the server finds by the part before the dot. */
export const FAMILIES = [
  'sign-in',
  'password',
  'factor',
  'provider',
  'source',
  'account',
  'password-reset',
  'deletion',
  'consent',
  'operator',
  'approval',
  'console',
  'client',
  'job',
] as const;

const isKnownKind = (kind: string): kind is EventKind => KINDS.some((one) => one === kind);

/** @returns the phrase of a kind; undefined for an unknown kind */
export function findEventPhrase(kind: string): PhraseKey | undefined {
  return isKnownKind(kind) ? `event.${kind}` : undefined;
}

/** The details that are shown beside the sentence, in this order. The page "Activity" also shows the whole event. */
const FACTS = [
  'client',
  'browser',
  'factor',
  'provider',
  'source',
  'operation',
  'right',
  'fields',
  'scopes',
  'sessions',
  'browsers',
  'providers',
  'way',
  'method',
  'fault',
  'error',
  'subject',
  'due',
  'mailed',
  'request',
  'accounts',
  'job',
  'action',
  'failed',
  'outcome',
  'tries',
  'left',
  'trustedBrowser',
  'mode',
  'hashes',
  'seeds',
  'until',
  'mail',
  'mails',
  'cause',
  'sink',
  'event',
  'events',
  'since',
  'code',
  'externalId',
] as const;

export type FactName = (typeof FACTS)[number] | 'reason';

export interface Fact {
  name: FactName;
  values: string[];
}

/** @returns the details that are shown beside the sentence, without the reason of an operator, which has a sentence of its own */
export function listFacts({ detail, actor }: Pick<AuditEntry, 'detail' | 'actor'>): Fact[] {
  const names: readonly FactName[] = isByOperator(actor) ? FACTS : [...FACTS, 'reason'];
  return names.flatMap((name) => {
    const value = detail?.[name];
    return value === undefined ? [] : [{ name, values: Array.isArray(value) ? value.map(String) : [String(value)] }];
  });
}

export const isByOperator = (actor: string): boolean => actor === 'operator' || actor.startsWith('operator:');

/** @returns the reason that the operator entered; undefined if there is none */
export function findReason({ detail, actor }: Pick<AuditEntry, 'detail' | 'actor'>): string | undefined {
  const reason = detail?.['reason'];
  return isByOperator(actor) && typeof reason === 'string' ? reason : undefined;
}
