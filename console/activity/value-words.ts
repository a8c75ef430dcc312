/** The words of the values in the details of events. Names, numbers, times, rare codes and texts about other systems have none. */
import { FLAGS, LISTS, TEXTS } from '../apps/app-form.js';
import { OPERATION_TITLES } from '../approvals/approval-words.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { MAIL_CAUSES } from '../installation/mail-filters.js';
import { findMailPhrase } from '../installation/mail-words.js';
import { JOB_ACTIONS } from '../jobs/job-actions.js';
import type { FactName } from './event-words.js';

type Words = Readonly<Record<string, PhraseKey>>;

const FACTORS: Words = {
  totp: 'factor.totp',
  'totp-setup': 'factor.totp_set_up',
  fido2: 'factor.fido2',
  passkey: 'factor.passkey',
  'email-code': 'factor.email_code',
  'email-code-setup': 'factor.email_code_set_up',
  recovery: 'factor.recovery',
};

const ANSWERS: Words = { true: 'value.yes', false: 'value.no' };

const FIELDS: Words = {
  username: 'facts.username',
  display_name: 'change.display_name',
  email: 'change.email',
  email_verified: 'person.verified',
  picture: 'value.picture',
  language: 'change.language',
  group_name: 'change.group',
  groups: 'change.further_groups',
  attributes: 'value.attributes',
  second_factor: 'change.second_factor',
  foyer: 'apps.settings',
  ...Object.fromEntries([...TEXTS, ...LISTS, ...FLAGS].map((field) => [field, `apps.field_${field}` as const])),
};

/** Kinds of requests that are limited. */
const REQUESTS: Words = {
  'password-reset': 'request.password_reset',
  'factor-reset': 'request.factor_reset',
  'not-me': 'request.was_not_me',
  'keep-account': 'request.keep_account',
  'stop-change': 'request.stop_change',
  'support-page': 'request.support_page',
  'sign-in-code': 'request.sign_in_code',
  'sign-in-mail': 'request.sign_in_mail',
  'provider-sign-in': 'request.provider',
  'device-page': 'request.device',
  'device-code': 'request.device',
  'unchecked-operation': 'request.unchecked',
  'recovery-codes': 'factor.recovery',
  username: 'request.username',
  'proof-mail': 'request.proof_mail',
  'proof-code': 'request.proof_code',
  connect: 'request.connect',
  data: 'request.data',
  deletion: 'request.deletion',
  'support-mail': 'request.support_mail',
  'support-check': 'request.support_check',
  'email-code-mail': 'factor.email_code',
  'email-change-code': 'request.email_change_code',
  mailbox: 'request.mailbox',
  'sign-up': 'request.sign_up',
  'sign-up-code': 'request.sign_up_code',
  'sign-up-wait': 'request.sign_up_wait',
  'sign-up-work': 'request.sign_up_work',
  invitation: 'request.invitation',
};

const REASONS: Words = {
  'wrong-password': 'reason.wrong_password',
  'unknown-name': 'reason.unknown_name',
  disabled: 'reason.disabled',
  'no-password': 'reason.no_password',
  source: 'reason.source',
  replaced: 'reason.replaced',
  stopped: 'reason.stopped',
  'wrong-code': 'reason.wrong_code',
  unmet: 'reason.unmet',
  'own-proof': 'reason.own_proof',
  'new-proof': 'reason.new_proof',
  'earlier session': 'reason.new_proof',
  'no-set-up': 'reason.no_set_up',
  ended: 'reason.ended',
  missing: 'reason.missing',
  expired: 'reason.expired',
  used: 'reason.used',
  foreign: 'reason.foreign',
  'no-cookies': 'reason.no_cookies',
  declined: 'reason.declined',
  'not connected': 'reason.not_connected',
  'no account': 'reason.no_account',
  'not admitted': 'reason.not_admitted',
  provider: 'reason.provider',
  gone: 'reason.gone',
  frozen: 'reason.frozen',
  operator: 'reason.operator',
  other: 'reason.other',
  right: 'reason.right',
  strength: 'reason.strength',
};

type WordsByName = Readonly<Partial<Record<FactName, Words>>>;

/** Values that only these kinds have, or that mean something else in them. */
const WORDS_OF_KINDS: Readonly<Record<string, WordsByName>> = {
  'source.refused': { reason: { disabled: 'reason.disabled_there' } },
  'account.disabled': { reason: { disabled: 'reason.disabled_there' } },
  'sign-in-code.asked': {
    reason: {
      'no-address': 'reason.no_address',
      stronger: 'reason.has_passkey',
      factor: 'reason.mailed_factor',
      provider: 'reason.belongs_to_provider',
      limited: 'reason.too_many_mails',
    },
  },
  'password.change-required': {
    cause: { operator: 'cause.operator', breached: 'cause.breached', source: 'cause.source' },
  },
  'client.failed': {
    cause: {
      client_not_found: 'fault.client_not_found',
      client_exists: 'fault.client_exists',
      changed_meanwhile: 'fault.changed_meanwhile',
      no_secret: 'fault.no_secret',
      own_client: 'fault.own_client',
      no_answer: 'health.silent',
      refused: 'cause.upstream_refused',
    },
  },
  'mail.abandoned': {
    reason: { expired: 'reason.mail_expired', refused: 'reason.mail_refused', tries: 'reason.mail_tries' },
  },
};

/** How a deletion was cancelled. */
const WAYS: Words = Object.fromEntries([
  ['area', 'way.area'],
  ['mail', 'way.mail'],
  ['not-me', 'way.was_not_me'],
  ['operator', 'way.operator'],
  ['source', 'way.source'],
] as const);

const WORDS: WordsByName = {
  factor: FACTORS,
  mailed: ANSWERS,
  hashes: ANSWERS,
  seeds: ANSWERS,
  outcome: { ended: 'value.ended', unavailable: 'value.unavailable' },
  trustedBrowser: { made: 'value.trust_made', used: 'value.trust_used' },
  way: WAYS,
  method: { ...FACTORS, password: 'facts.password', mail: 'way.mailed_code' },
  mode: { development: 'value.development', production: 'value.production' },
  fault: {
    code: 'reason.code',
    replayed: 'reason.replayed',
    challenge: 'reason.challenge',
    response: 'reason.response',
    counter: 'reason.counter',
    account: 'reason.no_access',
    unknown: 'reason.unknown_passkey',
  },
  error: {
    access_denied: 'reason.access_denied',
    invalid_scope: 'reason.invalid_scope',
    consent_required: 'reason.consent_required',
    server_error: 'reason.server_error',
  },
  request: REQUESTS,
  operation: OPERATION_TITLES,
  right: { read: 'right.read', auditor: 'right.auditor', support: 'right.support', admin: 'right.admin' },
  fields: FIELDS,
  action: {
    ...Object.fromEntries(JOB_ACTIONS.map((action) => [action, `action.${action}` as const])),
    create: 'apps.create',
    change: 'apps.change',
    rotate: 'apps.rotate',
    delete: 'apps.delete',
  },
  cause: MAIL_CAUSES,
  reason: REASONS,
};

/** @param kind the kind of the event @returns the words of a value; undefined for a value without words */
export function findValuePhrase(kind: string, name: FactName, value: string): PhraseKey | undefined {
  if (name === 'mail') return findMailPhrase(value);
  const kindWords = find(WORDS_OF_KINDS, kind)?.[name] ?? {};
  return find(kindWords, value) ?? find(WORDS[name] ?? {}, value);
}

/** Not `values[key]`, which would find an inherited member for a key such as `constructor`. */
const find = <Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;
