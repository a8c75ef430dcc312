/** Formats the settings that Hydra needs: as environment variables, as its configuration file, or as values of its Helm chart. */
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../hooks/hook-key.js';
import { DISCOVERY } from '../../../contract/scopes.js';
import { DEVICE_PAGES, SIGN_IN_PAGES, type ConfiguredPage } from './upstream-pages.js';

const SIGN_IN_PAGE_LIST: readonly ConfiguredPage[] = Object.values(SIGN_IN_PAGES);
const DEVICE_PAGE_LIST: readonly ConfiguredPage[] = Object.values(DEVICE_PAGES);

export interface UpstreamTarget {
  /** Public origin of Foyer. */
  origin: string;
  /** Whether Hydra has device authorization (v25.4 and later). */
  hasDevices: boolean;
  /** If absent, Hydra uses no token hook. */
  tokenHook?: TokenHookTarget;
}

export interface TokenHookTarget {
  /** Origin at which Hydra reaches the port of the operator API. */
  origin: string;
  key: string;
}

/**
 * Advice on performance. By default Hydra opens two connections to its database for each core and keeps only half of them open, so
 * its requests wait for each other.
 */
const ADVICE = [
  '# Set the size of the connection pool in the DSN of Hydra: postgres://…?max_conns=40&max_idle_conns=40 (see docs/production.md).',
  '# Sign-ins need less time with an ES256 key for ID tokens, if all apps support it, and with 1000 iterations for client',
  '# secrets (oauth2.hashers.pbkdf2.iterations), if all client secrets are random.',
];

/** The formats. Each text can be used as it is, with its comments. */
const FORMATS = {
  env: (target: UpstreamTarget) => [
    '# Set these variables in the environment of Hydra, and restart Hydra.',
    ...ADVICE,
    ...explainHook(target),
    ...Object.entries(buildUpstreamSettings(target)).map(([name, value]) => `${name}=${value}`),
  ],
  yaml: (target: UpstreamTarget) => [
    '# Add these settings to the configuration file of Hydra (hydra.yml), and restart Hydra.',
    ...ADVICE,
    ...explainHook(target),
    ...formatSections(target),
  ],
  helm: (target: UpstreamTarget) => [
    "# Add these values to the values of Ory's Helm chart for Hydra, and upgrade the release.",
    ...ADVICE,
    ...explainHook(target),
    'hydra:',
    '  config:',
    ...formatSections(target).map((line) => `    ${line}`),
  ],
} as const;

export type UpstreamFormat = keyof typeof FORMATS;

export const UPSTREAM_FORMATS = Object.keys(FORMATS) as readonly UpstreamFormat[];

export function formatUpstreamSettings(format: UpstreamFormat, target: UpstreamTarget): string {
  return `${FORMATS[format](target).join('\n')}\n`;
}

/** Explains the order of the starts: Hydra issues no tokens while the hook does not answer. */
function explainHook({ tokenHook }: UpstreamTarget): string[] {
  if (tokenHook === undefined) return [];
  return [
    '# The token hook has a secret key. Hydra calls the hook before it issues a token, so start Foyer before Hydra.',
    '# Hydra before v25.4 reads the key from its configuration file only (--format yaml).',
  ];
}

export function buildUpstreamSettings({ origin, hasDevices, tokenHook }: UpstreamTarget): Record<string, string> {
  const pages = hasDevices ? [...SIGN_IN_PAGE_LIST, ...DEVICE_PAGE_LIST] : SIGN_IN_PAGE_LIST;
  return {
    ...Object.fromEntries(pages.map(({ setting, path }) => [setting, `${origin}${path}`])),
    WEBFINGER_OIDC_DISCOVERY_SUPPORTED_SCOPE: DISCOVERY.scopes.join(','),
    WEBFINGER_OIDC_DISCOVERY_SUPPORTED_CLAIMS: DISCOVERY.claims.join(','),
    ...(tokenHook === undefined ? {} : buildHookSettings(tokenHook)),
  };
}

function buildHookSettings({ origin, key }: TokenHookTarget): Record<string, string> {
  return {
    OAUTH2_TOKEN_HOOK_URL: `${origin}${TOKEN_HOOK_PATH}`,
    OAUTH2_TOKEN_HOOK_AUTH_TYPE: 'api_key',
    OAUTH2_TOKEN_HOOK_AUTH_CONFIG_IN: 'header',
    OAUTH2_TOKEN_HOOK_AUTH_CONFIG_NAME: HOOK_KEY_HEADER,
    OAUTH2_TOKEN_HOOK_AUTH_CONFIG_VALUE: key,
  };
}

function formatHook({ origin, key }: TokenHookTarget): string[] {
  return [
    'oauth2:',
    '  token_hook:',
    `    url: ${origin}${TOKEN_HOOK_PATH}`,
    '    auth:',
    '      type: api_key',
    '      config:',
    '        in: header',
    `        name: ${HOOK_KEY_HEADER}`,
    `        value: ${JSON.stringify(key)}`,
  ];
}

function formatSections({ origin, hasDevices, tokenHook }: UpstreamTarget): string[] {
  const formatPages = (pages: readonly ConfiguredPage[]): string[] =>
    pages.map(({ key, path }) => `  ${key.replace('device.', '  ')}: ${origin}${path}`);
  return [
    'urls:',
    ...formatPages(SIGN_IN_PAGE_LIST),
    ...(hasDevices ? ['  # Leave these out for Hydra before v25.4, which does not start with them.', '  device:'] : []),
    ...(hasDevices ? formatPages(DEVICE_PAGE_LIST) : []),
    'webfinger:',
    '  oidc_discovery:',
    `    supported_scope: [${DISCOVERY.scopes.join(', ')}]`,
    `    supported_claims: [${DISCOVERY.claims.join(', ')}]`,
    ...(tokenHook === undefined ? [] : formatHook(tokenHook)),
  ];
}
