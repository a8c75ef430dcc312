/**
 * The actions of an operator on an account. Each has the operation of the API that it needs, the accounts for which it is offered, the
 * call, and the command that does the same. Most of its words are phrases whose keys begin with `action.`.
 */
import { api, toReasonHeader, unwrap, unwrapChange, type AccountDetail } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';
import type { Secret } from '../ui/secret-dialog.js';
import { toCommandOptions, toPatch, type AccountForm } from './account-changes.js';
import type { CommandLine } from './command-line.js';

/** What the operator typed besides the reason, and the target of the action. */
export interface ActionInput {
  /** Number of days until a scheduled deletion. */
  days: string;
  /** The username, typed once more before an account is deleted. */
  typedName: string;
  form: AccountForm;
  /** The form as it was opened. */
  originalForm: AccountForm;
  /** Id of a session, a trusted browser, a provider or a factor. */
  target: string;
  /** The person of a source to whom the account will belong. */
  link: LinkForm;
}

export interface LinkForm {
  /** Id of the user source or provider. */
  source: string;
  /** People of a provider are named by their id there, others by the name with which they sign in. */
  isProvider: boolean;
  person: string;
}

/** What happened: a phrase, and the values of its variables besides the name of the person. */
export interface ActionOutcome {
  phrase: PhraseKey;
  count?: number;
  text?: string;
  /** When a mailed link expires, as ISO 8601. */
  expiresAt?: string;
  /** Something that the operator should know, although the action succeeded. */
  warning?: PhraseKey | undefined;
  /** Shown once and stored nowhere. */
  secret?: Secret;
  /** The reason of a check that has begun; the next dialog asks for its words. */
  checkReason?: string;
}

/** Whether the lists on the page contain anything that an action could end. */
export interface OpenAccess {
  hasSessions: boolean;
  hasTrust: boolean;
}

/** What the installation requires before a change. */
export interface Requirements {
  /** Whether some operations wait for a second operator. */
  hasSecondOperator: boolean;
  /** The state of the check of who is calling; `none` if the action needs no check. */
  check: 'none' | 'missing' | 'passed';
}

export interface Action {
  name: ActionName;
  operation: string;
  isDanger: boolean;
  isOffered(account: AccountDetail, openAccess: OpenAccess): boolean;
  /** Whether it is certain that a second operator has to approve the action, if the installation requires approvals. */
  isHeld?(account: AccountDetail, input: ActionInput): boolean;
  /** Whether the action would give an impostor access to the account, so that it needs a check of who is calling. */
  needsCheck?(account: AccountDetail, input: ActionInput): boolean;
  /** The effects of the action, one sentence each. */
  effects(account: AccountDetail, requirements: Requirements): PhraseKey[];
  command(user: string, input: ActionInput): CommandLine;
  run(account: AccountDetail, input: ActionInput, reason: string): Promise<ActionOutcome>;
}

export type ActionName =
  | 'mail_reset'
  | 'invite'
  | 'reset_link'
  | 'require_password'
  | 'unlock'
  | 'factor_reset'
  | 'support_check'
  | 'unfreeze'
  | 'refresh'
  | 'end_sessions'
  | 'end_session'
  | 'end_trust'
  | 'end_trusted'
  | 'disconnect'
  | 'factor_remove'
  | 'disable'
  | 'enable'
  | 'change'
  | 'link'
  | 'unlink'
  | 'schedule_deletion'
  | 'keep'
  | 'delete';

const always = (): boolean => true;
const isActive = ({ status }: AccountDetail): boolean => status === 'active';
/** Whether the account is active and may have a password in Foyer, because no source or provider manages it. */
const canHavePassword = (account: AccountDetail): boolean => isActive(account) && !account.password_elsewhere;
const canGetMailedLink = (account: AccountDetail): boolean => canHavePassword(account) && account.email !== null;
/** An invitation is for a person who has no password yet. */
const isInvitable = (account: AccountDetail): boolean => canGetMailedLink(account) && !account.has_password;
/** Another address, or the present one that becomes verified. */
const changesAddress = (account: AccountDetail, { form, originalForm }: ActionInput): boolean => {
  const { email } = toPatch(originalForm, form);
  return email !== undefined && (email !== account.email || !account.email_verified);
};
const listNotice = ({ email }: AccountDetail): PhraseKey[] => (email === null ? [] : ['action.notice_effect']);
const isLocked = ({ lock }: AccountDetail): boolean => lock !== null;
/** The reset link also removes passkeys and recovery codes, so all factors count. */
const hasFactors = ({ factors }: AccountDetail): boolean => factors.all.length > 0;

const toParams = (account: AccountDetail, reason: string) => ({
  params: { path: { id: account.id } },
  headers: toReasonHeader(reason),
});

const toLinkBody = ({ source, isProvider, person }: LinkForm) => ({
  source,
  ...(isProvider ? { subject: person.trim() } : { username: person.trim() }),
});

/** Hydra ends the sessions later if it does not answer now. */
const findUpstreamWarning = ({ upstream }: { upstream: string | null }): PhraseKey | undefined =>
  upstream === 'unavailable' ? 'action.upstream_unavailable' : undefined;

const HELP_ACTIONS: readonly Action[] = [
  {
    name: 'support_check',
    operation: 'supportCheck.ask',
    isDanger: false,
    isOffered: isActive,
    effects: () => ['action.support_check_effect', 'action.support_check_you_effect', 'action.support_check_called_effect'],
    command: (user) => ({ words: ['account', 'support-check', 'ask', user] }),
    run: async (account, _, reason) => {
      await unwrap(api.POST('/operator/v1/accounts/{id}/support-check', toParams(account, reason)));
      return { phrase: 'action.support_check_done', checkReason: reason };
    },
  },
  {
    name: 'mail_reset',
    operation: 'resets.mailPassword',
    isDanger: false,
    // A person without a password gets an invitation instead.
    isOffered: (account) => canGetMailedLink(account) && account.has_password,
    effects: () => ['action.mail_reset_effect', 'action.newest_link_effect', 'action.password_stays_effect'],
    command: (user) => ({ words: ['account', 'password-reset', user], options: [['mail']] }),
    run: async (account, _, reason) => {
      const call = api.POST('/operator/v1/accounts/{id}/password-reset-mail', toParams(account, reason));
      const { mailed_to: text, expires_at: expiresAt } = await unwrap(call);
      return { phrase: 'action.mail_reset_done', text, expiresAt };
    },
  },
  {
    name: 'invite',
    operation: 'resets.invite',
    isDanger: false,
    isOffered: isInvitable,
    effects: () => ['action.invite_effect', 'action.invite_only_effect'],
    command: (user) => ({ words: ['account', 'invite', user] }),
    run: async (account, _, reason) => {
      const call = api.POST('/operator/v1/accounts/{id}/invitation', toParams(account, reason));
      const { mailed_to: text, expires_at: expiresAt } = await unwrap(call);
      return { phrase: 'action.invite_done', text, expiresAt };
    },
  },
  {
    name: 'reset_link',
    operation: 'resets.password',
    isDanger: false,
    needsCheck: always,
    isOffered: canHavePassword,
    effects: (_, { hasSecondOperator, check }) => [
      check === 'missing' ? 'approvals.password_effect' : 'action.reset_link_effect',
      'action.secret_link_effect',
      'action.newest_link_effect',
      // The answer of the API does not state whether the account belongs to an operator.
      ...(hasSecondOperator && check !== 'missing' ? (['action.reset_link_held_effect'] as const) : []),
    ],
    command: (user) => ({ words: ['account', 'password-reset', user] }),
    run: async (account, _, reason) => ({
      phrase: 'action.reset_link_done',
      secret: await unwrapChange(api.POST('/operator/v1/accounts/{id}/password-reset', toParams(account, reason))),
    }),
  },
  {
    name: 'require_password',
    operation: 'resets.requirePassword',
    isDanger: false,
    isOffered: (account) => canHavePassword(account) && account.has_password && account.required_password === null,
    effects: () => ['action.require_password_effect', 'action.require_password_known_effect'],
    command: (user) => ({ words: ['account', 'require-password-change', user] }),
    run: async (account, _, reason) => {
      await unwrap(api.POST('/operator/v1/accounts/{id}/require-password-change', toParams(account, reason)));
      return { phrase: 'action.require_password_done' };
    },
  },
  {
    name: 'unlock',
    operation: 'access.unlock',
    isDanger: false,
    isOffered: isLocked,
    effects: () => ['action.unlock_effect'],
    command: (user) => ({ words: ['account', 'unlock', user] }),
    run: async (account, _, reason) => {
      const { was_locked: wasLocked } = await unwrap(api.POST('/operator/v1/accounts/{id}/unlock', toParams(account, reason)));
      return { phrase: wasLocked ? 'action.unlock_done' : 'action.unlock_not_needed' };
    },
  },
  {
    name: 'factor_reset',
    operation: 'resets.factors',
    isDanger: true,
    isHeld: always,
    needsCheck: always,
    isOffered: (account) => isActive(account) && hasFactors(account),
    effects: (_, { hasSecondOperator, check }) => [
      hasSecondOperator || check === 'missing' ? 'action.factor_reset_held_effect' : 'action.factor_reset_effect',
      // If a check is needed, the dialog itself shows whether it has passed.
      ...(check === 'none' ? (['action.factor_reset_check_effect'] as const) : []),
      'action.secret_link_effect',
    ],
    command: (user) => ({ words: ['account', 'factor-reset', user] }),
    run: async (account, _, reason) => ({
      phrase: 'action.factor_reset_done',
      secret: await unwrapChange(api.POST('/operator/v1/accounts/{id}/factor-reset', toParams(account, reason))),
    }),
  },
];

const ACCESS_ACTIONS: readonly Action[] = [
  {
    name: 'unfreeze',
    operation: 'access.unfreeze',
    isDanger: false,
    isOffered: ({ credentials_frozen_until: frozenUntil }) => frozenUntil !== null,
    effects: () => ['action.unfreeze_effect', 'action.unfreeze_check_effect'],
    command: (user) => ({ words: ['account', 'unfreeze', user] }),
    run: async (account, _, reason) => {
      const { was_frozen: wasFrozen } = await unwrap(api.POST('/operator/v1/accounts/{id}/unfreeze', toParams(account, reason)));
      return { phrase: wasFrozen ? 'action.unfreeze_done' : 'action.unfreeze_not_needed' };
    },
  },
  {
    name: 'refresh',
    operation: 'access.refresh',
    isDanger: false,
    // A SCIM source cannot be queried.
    isOffered: ({ source, scim }) => source !== null && scim === null,
    effects: () => ['action.refresh_effect', 'action.refresh_gone_effect'],
    command: (user) => ({ words: ['account', 'refresh', user] }),
    run: async (account, _, reason) => {
      const answer = await unwrap(api.POST('/operator/v1/accounts/{id}/refresh', toParams(account, reason)));
      const phrase = answer.source_state === 'active' ? 'action.refresh_done' : 'action.refresh_disabled';
      return { phrase, warning: findUpstreamWarning(answer) };
    },
  },
  {
    name: 'end_sessions',
    operation: 'sessions.endAll',
    isDanger: false,
    isOffered: (_, { hasSessions }) => hasSessions,
    effects: () => ['action.end_sessions_effect', 'action.tokens_effect'],
    command: (user) => ({ words: ['account', 'sessions', 'end', user] }),
    run: async (account, _, reason) => {
      const answer = await unwrap(api.DELETE('/operator/v1/accounts/{id}/sessions', toParams(account, reason)));
      return { phrase: 'action.end_sessions_done', count: answer.ended, warning: findUpstreamWarning(answer) };
    },
  },
  {
    name: 'end_trust',
    operation: 'trustedBrowsers.endAll',
    isDanger: false,
    isOffered: (_, { hasTrust }) => hasTrust,
    effects: () => ['action.end_trust_effect'],
    command: (user) => ({ words: ['account', 'trusted-browsers', 'end', user] }),
    run: async (account, _, reason) => {
      const { ended } = await unwrap(api.DELETE('/operator/v1/accounts/{id}/trusted-browsers', toParams(account, reason)));
      return { phrase: 'action.end_trust_done', count: ended };
    },
  },
  {
    name: 'disable',
    operation: 'access.disable',
    isDanger: true,
    isOffered: isActive,
    effects: () => ['action.disable_effect', 'action.disable_sessions_effect', 'action.disable_keep_effect'],
    command: (user) => ({ words: ['account', 'disable', user] }),
    run: async (account, _, reason) => {
      const answer = await unwrap(api.POST('/operator/v1/accounts/{id}/disable', toParams(account, reason)));
      return { phrase: 'action.disable_done', warning: findUpstreamWarning(answer) };
    },
  },
  {
    name: 'enable',
    operation: 'access.enable',
    isDanger: false,
    isOffered: (account) => !isActive(account),
    effects: () => ['action.enable_effect'],
    command: (user) => ({ words: ['account', 'enable', user] }),
    run: async (account, _, reason) => {
      await unwrap(api.POST('/operator/v1/accounts/{id}/enable', toParams(account, reason)));
      return { phrase: 'action.enable_done' };
    },
  },
];

const ACCOUNT_ACTIONS: readonly Action[] = [
  {
    name: 'change',
    operation: 'accounts.change',
    isDanger: false,
    isHeld: changesAddress,
    needsCheck: changesAddress,
    isOffered: always,
    effects: () => [],
    command: (user, { form, originalForm }) => ({
      words: ['account', 'update', user],
      options: toCommandOptions(toPatch(originalForm, form)),
    }),
    run: async (account, { form, originalForm }, reason) => {
      const call = { ...toParams(account, reason), body: toPatch(originalForm, form) };
      await unwrapChange(api.PATCH('/operator/v1/accounts/{id}', call));
      return { phrase: 'action.change_done' };
    },
  },
  {
    name: 'link',
    operation: 'source.link',
    isDanger: true,
    isHeld: always,
    needsCheck: always,
    isOffered: (account) => isActive(account) && account.source === null,
    effects: () => ['action.link_source_effect', 'action.link_password_effect', 'action.link_same_effect'],
    command: (user, { link }) => {
      const { source, ...person } = toLinkBody(link);
      return { words: ['account', 'link', user, source], options: Object.entries(person) };
    },
    run: async (account, { link }, reason) => {
      const call = { ...toParams(account, reason), body: toLinkBody(link) };
      const answer = await unwrapChange(api.POST('/operator/v1/accounts/{id}/source', call));
      return { phrase: 'action.link_done', text: answer.source, warning: findUpstreamWarning(answer) };
    },
  },
  {
    name: 'unlink',
    operation: 'source.unlink',
    isDanger: true,
    isOffered: ({ source }) => source !== null,
    effects: ({ has_password: hasPassword }) => [
      'action.unlink_effect',
      ...(hasPassword ? [] : (['action.unlink_password_effect'] as const)),
    ],
    command: (user) => ({ words: ['account', 'unlink', user] }),
    run: async (account, _, reason) => {
      const answer = await unwrap(api.DELETE('/operator/v1/accounts/{id}/source', toParams(account, reason)));
      const warning = answer.can_sign_in ? findUpstreamWarning(answer) : ('action.unlink_nobody' as const);
      return { phrase: 'action.unlink_done', text: answer.source, warning };
    },
  },
  {
    name: 'schedule_deletion',
    operation: 'deletion.schedule',
    isDanger: true,
    isOffered: always,
    effects: (account) => [
      account.email === null ? 'action.schedule_deletion_no_mail_effect' : 'action.schedule_deletion_mail_effect',
      'action.schedule_deletion_until_effect',
    ],
    command: (user, { days }) => ({ words: ['account', 'delete', user], options: [['days', days]] }),
    run: async (account, { days }, reason) => {
      const call = { ...toParams(account, reason), body: { days: Number(days) } };
      await unwrap(api.POST('/operator/v1/accounts/{id}/deletion', call));
      return { phrase: 'action.schedule_deletion_done', count: Number(days) };
    },
  },
  {
    name: 'keep',
    operation: 'deletion.cancel',
    isDanger: false,
    isOffered: ({ deletion_due_at: dueAt }) => dueAt !== null,
    effects: (account) => ['action.keep_effect', ...listNotice(account)],
    command: (user) => ({ words: ['account', 'keep', user] }),
    run: async (account, _, reason) => {
      const { was_due: wasDue } = await unwrap(api.DELETE('/operator/v1/accounts/{id}/deletion', toParams(account, reason)));
      return { phrase: wasDue ? 'action.keep_done' : 'action.keep_not_needed' };
    },
  },
  {
    name: 'delete',
    operation: 'deletion.delete',
    isDanger: true,
    isOffered: always,
    effects: () => ['action.delete_effect', 'action.delete_sessions_effect', 'action.delete_stays_effect'],
    command: (user) => ({ words: ['account', 'delete', user], options: [['yes']] }),
    run: async (account, _, reason) => {
      const answer = await unwrap(api.DELETE('/operator/v1/accounts/{id}', toParams(account, reason)));
      return { phrase: 'action.delete_done', warning: findUpstreamWarning(answer) };
    },
  },
];

/** Actions on one row of a panel; they are not in the list of actions. */
const ROW_ACTIONS: readonly Action[] = [
  {
    name: 'end_session',
    operation: 'sessions.endOne',
    isDanger: false,
    isOffered: always,
    effects: () => ['action.end_session_effect', 'action.tokens_effect'],
    command: (user, { target }) => ({ words: ['account', 'sessions', 'end', user], options: [['session', target]] }),
    run: async (account, { target }, reason) => {
      const params = { path: { id: account.id, session: target } };
      const call = { ...toParams(account, reason), params };
      const answer = await unwrap(api.DELETE('/operator/v1/accounts/{id}/sessions/{session}', call));
      return { phrase: 'action.end_session_done', warning: findUpstreamWarning(answer) };
    },
  },
  {
    name: 'end_trusted',
    operation: 'trustedBrowsers.endOne',
    isDanger: false,
    isOffered: always,
    effects: () => ['action.end_trusted_effect'],
    command: (user, { target }) => ({ words: ['account', 'trusted-browsers', 'end', user], options: [['browser', target]] }),
    run: async (account, { target }, reason) => {
      const params = { path: { id: account.id, browser: target } };
      const call = { ...toParams(account, reason), params };
      await unwrap(api.DELETE('/operator/v1/accounts/{id}/trusted-browsers/{browser}', call));
      return { phrase: 'action.end_trusted_done' };
    },
  },
  {
    name: 'disconnect',
    operation: 'providers.disconnect',
    isDanger: true,
    isOffered: always,
    effects: () => ['action.disconnect_effect', 'action.disconnect_last_effect'],
    command: (user, { target }) => ({ words: ['account', 'disconnect', user, target] }),
    run: async (account, { target }, reason) => {
      const params = { path: { id: account.id, provider: target } };
      const call = { ...toParams(account, reason), params };
      await unwrap(api.DELETE('/operator/v1/accounts/{id}/providers/{provider}', call));
      return { phrase: 'action.disconnect_done', text: target };
    },
  },
  {
    name: 'factor_remove',
    operation: 'factors.remove',
    isDanger: true,
    isHeld: always,
    needsCheck: always,
    isOffered: always,
    effects: (account) => ['action.factor_remove_effect', 'action.factor_remove_last_effect', ...listNotice(account)],
    command: (user, { target }) => ({ words: ['account', 'factor-remove', user, target] }),
    run: async (account, { target }, reason) => {
      const params = { path: { id: account.id, factor: target } };
      await unwrapChange(api.DELETE('/operator/v1/accounts/{id}/factors/{factor}', { ...toParams(account, reason), params }));
      return { phrase: 'action.factor_remove_done' };
    },
  },
];

/** The actions in the list beside the panels, grouped by purpose. */
export const ACTION_GROUPS: readonly { title: PhraseKey; actions: readonly Action[] }[] = [
  { title: 'actions.help', actions: HELP_ACTIONS },
  { title: 'actions.access', actions: ACCESS_ACTIONS },
  { title: 'actions.account', actions: ACCOUNT_ACTIONS },
];

export const ACTIONS: readonly Action[] = [...HELP_ACTIONS, ...ACCESS_ACTIONS, ...ACCOUNT_ACTIONS, ...ROW_ACTIONS];

/** @throws for a name that is not in the table */
export function getAction(name: ActionName): Action {
  const action = ACTIONS.find((one) => one.name === name);
  if (!action) throw new Error(`There is no action ${name}.`);
  return action;
}

/** @returns the operand that names the account: its username, or its id if the username would be read as an option */
export const toUserOperand = ({ id, username }: Pick<AccountDetail, 'id' | 'username'>): string =>
  username.startsWith('-') ? id : username;
