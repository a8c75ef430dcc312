/** The options of commands that register or change a client, and the members of the API that they set. */
import type { ClientChanges } from '../clients/client-rules.js';
import { buildUsageFailure } from './cli-failure.js';
import type { GivenOptions, Option } from './command.js';

type TextMember = Exclude<
  { [Name in keyof ClientChanges]-?: ClientChanges[Name] extends string | undefined ? Name : never }[keyof ClientChanges],
  undefined
>;
type ListMember = 'redirect_uris' | 'post_logout_redirect_uris' | 'allowed_cors_origins' | 'audience' | 'contacts';
type FlagMember = 'skip_consent' | 'skip_logout_consent' | 'backchannel_logout_session_required';

const TEXTS: Readonly<Record<string, TextMember>> = {
  'client-name': 'client_name',
  owner: 'owner',
  scope: 'scope',
  'client-uri': 'client_uri',
  'logo-uri': 'logo_uri',
  'policy-uri': 'policy_uri',
  'tos-uri': 'tos_uri',
  'backchannel-logout-uri': 'backchannel_logout_uri',
  'token-endpoint-auth-method': 'token_endpoint_auth_method',
};

const LISTS: Readonly<Record<string, ListMember>> = {
  'redirect-uri': 'redirect_uris',
  'post-logout-redirect-uri': 'post_logout_redirect_uris',
  'cors-origin': 'allowed_cors_origins',
  audience: 'audience',
  contact: 'contacts',
};

const FLAGS: Readonly<Record<string, FlagMember>> = {
  'skip-consent': 'skip_consent',
  'skip-logout-consent': 'skip_logout_consent',
  'backchannel-logout-session': 'backchannel_logout_session_required',
};

export const CLIENT_OPTIONS: Readonly<Record<string, Option>> = {
  'client-name': { value: 'NAME', about: 'name that people see' },
  owner: { value: 'TEXT', about: 'owner of the app' },
  'redirect-uri': {
    value: 'URL',
    multiple: true,
    about: 'address to which people return after the sign-in; may be repeated; replaces all',
  },
  'post-logout-redirect-uri': {
    value: 'URL',
    multiple: true,
    about: 'address to which people may return after a logout; may be repeated; replaces all',
  },
  'cors-origin': { value: 'ORIGIN', multiple: true, about: 'origin whose pages may call Hydra; may be repeated; replaces all' },
  scope: { value: 'SCOPES', about: 'scopes that the app may request, separated by spaces' },
  audience: { value: 'TEXT', multiple: true, about: 'audience that the app may request; may be repeated; replaces all' },
  contact: { value: 'TEXT', multiple: true, about: 'contact for the app; may be repeated; replaces all' },
  'client-uri': { value: 'URL', about: 'home page of the app' },
  'logo-uri': { value: 'URL', about: 'logo of the app' },
  'policy-uri': { value: 'URL', about: 'privacy policy' },
  'tos-uri': { value: 'URL', about: 'terms of service' },
  'backchannel-logout-uri': { value: 'URL', about: 'address that Hydra calls when a session ends' },
  'backchannel-logout-session': { value: 'true|false', about: 'whether the logout token must name the session (sid)' },
  'token-endpoint-auth-method': { value: 'METHOD', about: 'client_secret_basic, client_secret_post or none' },
  'skip-consent': { value: 'true|false', about: 'whether people are not asked for consent' },
  'skip-logout-consent': { value: 'true|false', about: 'whether people are not asked to confirm a logout' },
  foyer: { value: 'JSON', about: 'JSON object for metadata.foyer, such as {"mfa":"required"}; replaces the current object' },
};

/**
 * Reads the members that the options set. For a list, an empty text, such as `--redirect-uri ''`, adds no entry, so that the list can
 * become empty. For any other member with a text, it is an empty value, which the API refuses if the member must have a value, such as
 * `client_name`.
 * @throws CliFailure with exit code 2
 */
export function readClientChanges(options: GivenOptions): ClientChanges {
  const texts = Object.entries(TEXTS).flatMap(([option, member]) => {
    const value = options.text(option);
    return value === undefined ? [] : [[member, value] as const];
  });
  const lists = Object.entries(LISTS).flatMap(([option, member]) => {
    return options.has(option) ? [[member, options.texts(option).filter((value) => value !== '')] as const] : [];
  });
  const flags = Object.entries(FLAGS).flatMap(([option, member]) => {
    const value = options.text(option);
    if (value === undefined) return [];
    if (value !== 'true' && value !== 'false') throw buildUsageFailure(`--${option} must be true or false.`);
    return [[member, value === 'true'] as const];
  });
  const foyer = options.jsonObject('foyer');
  const settings = foyer === undefined ? [] : [['foyer', foyer] as const];
  return Object.fromEntries([...texts, ...lists, ...flags, ...settings]) as ClientChanges;
}
