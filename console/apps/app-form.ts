/** The form of an app's registration: its fields, what they change, and the options of the command line that do the same. */
import type { Client, ClientChanges } from '../api/calls.js';

export const TEXTS = [
  'client_name',
  'owner',
  'scope',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'backchannel_logout_uri',
] as const;
export const LISTS = ['redirect_uris', 'post_logout_redirect_uris', 'allowed_cors_origins', 'contacts'] as const;
export const FLAGS = ['skip_consent', 'skip_logout_consent', 'second_factor', 'confirm_session'] as const;

export type AppField = (typeof TEXTS | typeof LISTS | typeof FLAGS)[number];

type Texts = Record<(typeof TEXTS)[number] | (typeof LISTS)[number], string>;

/** Lists have one entry on each line. */
export type AppForm = Texts & Record<(typeof FLAGS)[number], boolean>;

/** The options whose names differ from the names of their members by more than hyphens; only members that the form can change. */
const OPTIONS: Readonly<Partial<Record<keyof ClientChanges, string>>> = {
  redirect_uris: 'redirect-uri',
  post_logout_redirect_uris: 'post-logout-redirect-uri',
  allowed_cors_origins: 'cors-origin',
  contacts: 'contact',
};

export const EMPTY_FORM: AppForm = {
  client_name: '',
  owner: '',
  scope: '',
  client_uri: '',
  logo_uri: '',
  policy_uri: '',
  tos_uri: '',
  backchannel_logout_uri: '',
  redirect_uris: '',
  post_logout_redirect_uris: '',
  allowed_cors_origins: '',
  contacts: '',
  skip_consent: false,
  skip_logout_consent: false,
  second_factor: false,
  confirm_session: false,
};

export function toAppForm(client: Client): AppForm {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, client[name]]));
  const lists = Object.fromEntries(LISTS.map((name) => [name, client[name].join('\n')]));
  return {
    ...EMPTY_FORM,
    ...texts,
    ...lists,
    skip_consent: client.skip_consent,
    skip_logout_consent: client.skip_logout_consent,
    second_factor: client.foyer['mfa'] === 'required',
    confirm_session: client.foyer['confirm_session'] === true,
  };
}

/** @returns the members that differ; `foyer` with the settings that are not in the form, because the server replaces it as a whole */
export function toClientChanges(originalForm: AppForm, form: AppForm, foyer: Readonly<Record<string, unknown>>): ClientChanges {
  const texts = TEXTS.filter((name) => form[name].trim() !== originalForm[name].trim()).map((name) => [name, form[name].trim()]);
  const lists = LISTS.filter((name) => toLines(form[name]).join('\n') !== toLines(originalForm[name]).join('\n'));
  const flags = (['skip_consent', 'skip_logout_consent'] as const).filter((name) => form[name] !== originalForm[name]);
  const isSettingChanged =
    form.second_factor !== originalForm.second_factor || form.confirm_session !== originalForm.confirm_session;
  return {
    ...(Object.fromEntries(texts) as ClientChanges),
    ...(Object.fromEntries(lists.map((name) => [name, toLines(form[name])])) as ClientChanges),
    ...(Object.fromEntries(flags.map((name) => [name, form[name]])) as ClientChanges),
    ...(isSettingChanged ? { foyer: toSettings(form, foyer) } : {}),
  };
}

function toSettings(form: AppForm, foyer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { mfa: _mfa, confirm_session: _confirm, ...others } = foyer;
  return {
    ...others,
    ...(form.second_factor ? { mfa: 'required' } : {}),
    ...(form.confirm_session ? { confirm_session: true } : {}),
  };
}

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The options of `foyer client create` and `update` for these changes. */
export function toClientOptions(changes: ClientChanges): [name: string, value: string][] {
  return Object.entries(changes).flatMap(([member, value]): [string, string][] => {
    const option = OPTIONS[member as keyof ClientChanges] ?? member.replaceAll('_', '-');
    if (Array.isArray(value)) return (value.length === 0 ? [''] : value).map((one) => [option, one]);
    return [[option, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
}
