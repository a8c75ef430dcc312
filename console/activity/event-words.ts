/**
 * Events of the audit log in plain words: the sentence of each kind, and which of its details are named. The kinds are those of the
 * server (`src/accounts/audit/kinds.ts`), which a test compares; a kind that a newer server has is shown by its name.
 */
import type { AuditEntry } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { FLAGS, LISTS, TEXTS } from '../apps/app-form.js';
import { MAIL_CAUSES } from '../installation/mail-filters.js';
import { findMailPhrase } from '../installation/mail-words.js';
import { JOB_ACTIONS } from '../jobs/job-actions.js';

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
      'factor.ok',
      'factor.refused',
      'factor.limited',
      'provider.ok',
      'provider.refused',
      'source.refused',
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

const isKnownKind = (kind: string): kind is EventKind => KINDS.some((known) => known === kind);

/** @returns the phrase of a kind; undefined for one that is not known here */
export function findEventPhrase(kind: string): PhraseKey | undefined {
  return isKnownKind(kind) ? `event.${kind}` : undefined;
}

/** The details that are named beside the sentence, in this order. The others are in the unfolded event. */
const FACTS = [
  'client',
  'browser',
  'factor',
  'provider',
  'source',
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
] as const;

export type FactName = (typeof FACTS)[number] | 'reason';

export interface Fact {
  name: FactName;
  values: string[];
}

/** @returns what an event says beside its kind. The reason of an operator is not among it: it is a sentence of its own. */
export function listFacts({ detail, actor }: Pick<AuditEntry, 'detail' | 'actor'>): Fact[] {
  const names: readonly FactName[] = isByOperator(actor) ? FACTS : [...FACTS, 'reason'];
  return names.flatMap((name) => {
    const value = detail?.[name];
    return value === undefined ? [] : [{ name, values: Array.isArray(value) ? value.map(String) : [String(value)] }];
  });
}

export const isByOperator = (actor: string): boolean => actor === 'operator' || actor.startsWith('operator:');

/** @returns why the operator did it, if somebody said it */
export function findReason({ detail, actor }: Pick<AuditEntry, 'detail' | 'actor'>): string | undefined {
  const reason = detail?.['reason'];
  return isByOperator(actor) && typeof reason === 'string' ? reason : undefined;
}

/** Words for the values of some details; others are names and numbers, and shown as they are. */
const VALUE_PHRASES: Readonly<Record<string, PhraseKey>> = {
  'factor:totp': 'factor.totp',
  'factor:fido2': 'factor.fido2',
  'factor:passkey': 'factor.passkey',
  'factor:email-code': 'factor.email_code',
  'factor:recovery': 'factor.recovery',
  'mailed:true': 'value.yes',
  'mailed:false': 'value.no',
  'hashes:true': 'value.yes',
  'hashes:false': 'value.no',
  'seeds:true': 'value.yes',
  'seeds:false': 'value.no',
  'outcome:ended': 'value.ended',
  'outcome:unavailable': 'value.unavailable',
  'trustedBrowser:made': 'value.trust_made',
  'trustedBrowser:used': 'value.trust_used',
  'reason:wrong-password': 'reason.wrong_password',
  'reason:unknown-name': 'reason.unknown_name',
  'reason:disabled': 'reason.disabled',
  'reason:no-password': 'reason.no_password',
  'reason:source': 'reason.source',
  'reason:replaced': 'reason.replaced',
  'reason:stopped': 'reason.stopped',
  'reason:unmet': 'reason.unmet',
  'reason:own-proof': 'reason.own_proof',
  'reason:new-proof': 'reason.new_proof',
  'reason:no-set-up': 'reason.no_set_up',
  'reason:ended': 'reason.ended',
  'reason:expired': 'reason.expired',
  'reason:used': 'reason.used',
  'right:read': 'right.read',
  'right:auditor': 'right.auditor',
  'right:support': 'right.support',
  'right:admin': 'right.admin',
  'fields:displayName': 'change.display_name',
  'fields:email': 'change.email',
  'fields:emailVerified': 'person.verified',
  'fields:language': 'change.language',
  'fields:groupName': 'change.group',
  'fields:groups': 'change.further_groups',
  'fields:secondFactor': 'change.second_factor',
  ...Object.fromEntries([...TEXTS, ...LISTS, ...FLAGS].map((field) => [`fields:${field}`, `apps.field_${field}` as const])),
  'fields:foyer': 'apps.settings',
  ...Object.fromEntries(JOB_ACTIONS.map((action) => [`action:${action}`, `action.${action}` as const])),
  'action:create': 'apps.create',
  'action:change': 'apps.change',
  'action:rotate': 'apps.rotate',
  'action:delete': 'apps.delete',
  ...Object.fromEntries(Object.entries(MAIL_CAUSES).map(([cause, phrase]) => [`cause:${cause}`, phrase])),
  'cause:no_answer': 'health.silent',
};

/** @returns the words of a value; undefined for a name or a number */
export function findValuePhrase(name: FactName, value: string): PhraseKey | undefined {
  if (name === 'mail') return findMailPhrase(value);
  const key = `${name}:${value}`;
  return Object.hasOwn(VALUE_PHRASES, key) ? VALUE_PHRASES[key] : undefined;
}
