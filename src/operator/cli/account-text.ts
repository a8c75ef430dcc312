/** Formats an account for a terminal. */
import type { AccountAnswer, AccountDetailAnswer, AccountScimAnswer, AccountTaskAnswer, FactorEntryAnswer } from '../wire.js';
import type { AcceptanceAnswer } from '../wire-terms.js';
import { formatFacts } from './table.js';

const NOTHING = '–';

export function formatAccount(
  account: AccountAnswer | AccountDetailAnswer,
  acceptances: readonly AcceptanceAnswer[] = [],
): string {
  const { email, email_verified } = account;
  return formatFacts([
    ['Username', account.username],
    ['Name', account.display_name],
    ['E-mail', email === null ? NOTHING : `${email}${email_verified ? '' : ' (not verified)'}`],
    ['Language', account.language ?? NOTHING],
    ['Group', account.group_name ?? NOTHING],
    ...buildAttributeFacts(account),
    ['Picture', account.picture ?? NOTHING],
    ['Status', account.status],
    ['MFA', account.second_factor ?? 'default of the installation (MFA_POLICY)'],
    ...('factors' in account ? buildDetailFacts(account) : []),
    ...toFacts('Accepted', acceptances.map(formatAcceptance)),
    ['Id', account.id],
    ...('scim' in account ? buildOriginFacts(account) : []),
    ...('last_sign_in_at' in account ? [['Last sign-in', formatLastSignIn(account)] as [string, string]] : []),
    ['Created', formatTime(account.created_at)],
    ['Changed', formatTime(account.updated_at)],
  ]);
}

/** @returns one line for each text; only the first has the name */
function toFacts(name: string, texts: readonly string[]): [string, string][] {
  return texts.map((text, index) => [index === 0 ? name : '', text]);
}

function buildOriginFacts({ id, subject, source, scim }: AccountDetailAnswer): [string, string][] {
  return [
    ...(subject === id ? [] : [['Subject', subject] as [string, string]]),
    ...(source === null ? [] : [['Source', source] as [string, string]]),
    ...(scim === null ? [] : buildScimFacts(scim)),
  ];
}

function buildAttributeFacts({ group_name, groups, attributes }: AccountAnswer): [string, string][] {
  const otherGroups = groups.filter((group) => group !== group_name);
  return [
    ...(otherGroups.length === 0 ? [] : [['Groups', otherGroups.join(', ')] as [string, string]]),
    ...(Object.keys(attributes).length === 0 ? [] : [['Attributes', JSON.stringify(attributes)] as [string, string]]),
  ];
}

function buildDetailFacts(account: AccountDetailAnswer): [string, string][] {
  const { factors, credentials_frozen_until: frozenUntil, deletion_due_at: deletionDueAt, lock } = account;
  const { import_request_id: importRequestId, invitation_until: invitationUntil } = account;
  return [
    ['Factors', formatFactors(factors)],
    ...factors.all.flatMap(({ entries }) => entries.flatMap(buildEntryFacts)),
    ...(importRequestId === null ? [] : [['Import', importRequestId] as [string, string]]),
    ...(account.has_password || account.password_elsewhere
      ? []
      : [['Password', formatInvitation(invitationUntil)] as [string, string]]),
    ...(account.required_password === null
      ? []
      : [['New password', formatPasswordTask(account.required_password)] as [string, string]]),
    ...toFacts('To do', account.tasks.map(formatTask)),
    ...(lock === null ? [] : [['Locked', formatLock(lock)] as [string, string]]),
    ...(frozenUntil === null ? [] : [['Frozen', `until ${formatTime(frozenUntil)}`] as [string, string]]),
    ...(deletionDueAt === null ? [] : [['Deletion', formatTime(deletionDueAt)] as [string, string]]),
  ];
}

function buildScimFacts({
  external_id: externalId,
  active,
  disabled_by_source: isDisabled,
  changed_at: changedAt,
}: AccountScimAnswer): [string, string][] {
  const state = active ? 'active' : `not active${isDisabled ? ', so the source has disabled the account' : ''}`;
  return [
    ['External id', externalId ?? NOTHING],
    ['At the source', `${state}; changed ${formatTime(changedAt)}`],
  ];
}

function formatLastSignIn({ last_sign_in_at: lastSignInAt }: AccountDetailAnswer): string {
  return lastSignInAt === null ? 'never' : formatTime(lastSignInAt);
}

const REASON_TEXTS: Readonly<Record<NonNullable<AccountDetailAnswer['required_password']>['reason'], string>> = {
  operator: 'by an operator',
  breached: 'because the password is in the list of breached passwords',
  source: 'by the user source from which the password was taken over',
};

function formatPasswordTask({ reason, since }: NonNullable<AccountDetailAnswer['required_password']>): string {
  return `required since ${formatTime(since)} ${REASON_TEXTS[reason]}`;
}

/** Formats what the person has to do at the next sign-in. */
function formatTask({ kind, terms, version, client_ids: clients, fields, later_until: laterUntil }: AccountTaskAnswer): string {
  const texts: Readonly<Record<typeof kind, string>> = {
    terms: `accept the terms ${terms ?? ''}, version ${version ?? ''}${clients === null ? '' : `, of ${clients.join(', ')}`}`,
    password: 'choose a new password',
    email: 'prove the e-mail address',
    fields: `fill in ${fields.join(', ')}`,
    factor: 'set up a second factor',
  };
  return `${texts[kind]}${laterUntil === null ? '' : `; may be postponed until ${formatTime(laterUntil)}`}`;
}

function formatAcceptance({ terms, version, ...rest }: AcceptanceAnswer): string {
  const end = rest.withdrawn_at === null ? '' : `; withdrawn ${formatTime(rest.withdrawn_at)}`;
  return `${terms}, version ${version}: ${formatTime(rest.accepted_at)} in ${rest.client_id} (${rest.language})${end}`;
}

function formatInvitation(invitationUntil: string | null): string {
  return invitationUntil === null ? 'none' : `none; invited, the link works until ${formatTime(invitationUntil)}`;
}

function formatLock({ until }: NonNullable<AccountDetailAnswer['lock']>): string {
  return until === null
    ? 'until an operator unlocks it, a new password is set (after wrong passwords), or the factor is removed (after wrong codes of a factor)'
    : `until ${formatTime(until)}`;
}

function formatFactors({ all }: AccountDetailAnswer['factors']): string {
  return all.length === 0 ? NOTHING : all.map(({ label }) => label).join(', ');
}

/** @returns a fact for a security key or passkey; other kinds of factor have no name, because an account has at most one of each */
function buildEntryFacts({ name, created_at, last_used_at }: FactorEntryAnswer): [string, string][] {
  if (name === null) return [];
  const use = last_used_at === null ? 'never used' : `last used ${formatTime(last_used_at)}`;
  return [['', `${name}, created ${formatTime(created_at)}, ${use}`]];
}

/** Formats a time in UTC to the second, so that operators in different time zones see the same text. */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')}Z`;
}
