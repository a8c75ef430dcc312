/** The rows of the page "Today": the words of each, and the page to which it leads. */
import type { LinkProps } from '@tanstack/react-router';
import type { TodayRow } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';

export type RowTarget = Pick<LinkProps, 'to' | 'search' | 'params'>;

export interface RowKind {
  /** A phrase with the variables `count` and `number`. */
  title:
    | 'today.health'
    | 'today.sources'
    | 'today.sinks'
    | 'today.scim-refused'
    | 'today.approvals'
    | 'today.sign-ups'
    | 'today.wrong-passwords'
    | 'today.accounts-frozen'
    | 'today.mails-abandoned'
    | 'today.mails-waiting'
    | 'today.admins-ending'
    | 'today.tokens-used';
  text: PhraseKey;
  tone: 'danger' | 'warning' | 'info';
  toTarget(row: TodayRow): RowTarget;
}

const toActivity =
  (filter: { kind?: string; actor?: string }) =>
  ({ since }: TodayRow): RowTarget => ({ to: '/activity', search: { ...filter, ...(since === null ? {} : { since }) } });

const ROWS: Readonly<Record<TodayRow['kind'], RowKind>> = {
  health: { title: 'today.health', text: 'today.health_text', tone: 'danger', toTarget: () => ({ to: '/installation/health' }) },
  sources: {
    title: 'today.sources',
    text: 'today.sources_text',
    tone: 'danger',
    toTarget: () => ({ to: '/installation/sources' }),
  },
  sinks: {
    title: 'today.sinks',
    text: 'today.sinks_text',
    tone: 'warning',
    toTarget: () => ({ to: '/installation/events' }),
  },
  'scim-refused': {
    title: 'today.scim-refused',
    text: 'today.scim-refused_text',
    tone: 'warning',
    toTarget: () => ({ to: '/installation/sources' }),
  },
  approvals: {
    title: 'today.approvals',
    text: 'today.approvals_text',
    tone: 'warning',
    toTarget: ({ id }) => (id === null ? { to: '/approvals' } : { to: '/approvals/$id', params: { id } }),
  },
  'sign-ups': {
    title: 'today.sign-ups',
    text: 'today.sign-ups_text',
    tone: 'warning',
    toTarget: () => ({ to: '/sign-ups' }),
  },
  'wrong-passwords': {
    title: 'today.wrong-passwords',
    text: 'today.wrong-passwords_text',
    tone: 'danger',
    toTarget: toActivity({ kind: 'password.refused' }),
  },
  'accounts-frozen': {
    title: 'today.accounts-frozen',
    text: 'today.accounts-frozen_text',
    tone: 'warning',
    toTarget: toActivity({ kind: 'account.secured' }),
  },
  'mails-abandoned': {
    title: 'today.mails-abandoned',
    text: 'today.mails-abandoned_text',
    tone: 'warning',
    toTarget: () => ({ to: '/installation/mails', search: { state: 'abandoned' } }),
  },
  'mails-waiting': {
    title: 'today.mails-waiting',
    text: 'today.mails-waiting_text',
    tone: 'info',
    toTarget: () => ({ to: '/installation/mails', search: { state: 'waiting' } }),
  },
  'admins-ending': {
    title: 'today.admins-ending',
    text: 'today.admins-ending_text',
    tone: 'warning',
    toTarget: () => ({ to: '/installation/operators' }),
  },
  'tokens-used': {
    title: 'today.tokens-used',
    text: 'today.tokens-used_text',
    tone: 'info',
    // Events of the token without a name can be filtered only together with those of all operators.
    toTarget: (row) => toActivity({ actor: toActor(row) })(row),
  },
};

function toActor({ names: [name, ...otherNames] }: TodayRow): string {
  return name === undefined || name === 'OPERATOR_TOKEN' || otherNames.length > 0 ? 'operator' : `operator:${name}`;
}

/** @returns undefined for a kind that a newer server has */
export function findRowKind(kind: string): RowKind | undefined {
  return Object.hasOwn(ROWS, kind) ? ROWS[kind as TodayRow['kind']] : undefined;
}
