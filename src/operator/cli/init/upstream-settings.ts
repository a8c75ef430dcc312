/** Formats the settings that Hydra needs: as environment variables, as its configuration file, or as values of its Helm chart. */
import { DISCOVERY } from '../../../contract/scopes.js';
import { DEVICE_PAGES, SIGN_IN_PAGES, type ConfiguredPage } from './upstream-pages.js';

const SIGN_IN: readonly ConfiguredPage[] = Object.values(SIGN_IN_PAGES);
const DEVICES: readonly ConfiguredPage[] = Object.values(DEVICE_PAGES);

export interface ForUpstream {
  /** Public origin of Foyer. */
  origin: string;
  /** Whether Hydra has device authorization (v25.4 and later). */
  hasDevices: boolean;
}

/**
 * Advice on performance. By default Hydra opens two connections to its database for each core and keeps only half of them, so
 * that its requests wait for each other.
 */
const ADVICE = [
  '# Set the size of the connection pool in its DSN: postgres://…?max_conns=40&max_idle_conns=40 (see docs/production.md).',
  '# Sign-ins need less time with an ES256 key for ID tokens, if all apps support it, and with 1000 iterations for client',
  '# secrets (oauth2.hashers.pbkdf2.iterations), if all client secrets are random.',
];

/** The formats. Each text is valid as it is printed, with its comments. */
const FORMS = {
  env: (to: ForUpstream) => [
    '# Set these variables in the environment of Hydra, and restart it.',
    ...ADVICE,
    ...Object.entries(upstreamSettings(to)).map(([name, value]) => `${name}=${value}`),
  ],
  yaml: (to: ForUpstream) => [
    '# Add these settings to the configuration file of Hydra (hydra.yml), and restart it.',
    ...ADVICE,
    ...formatSections(to),
  ],
  helm: (to: ForUpstream) => [
    "# Add these values to those of Ory's Helm chart for Hydra, and upgrade the release.",
    ...ADVICE,
    'hydra:',
    '  config:',
    ...formatSections(to).map((line) => `    ${line}`),
  ],
} as const;

export type UpstreamForm = keyof typeof FORMS;

export const UPSTREAM_FORMS = Object.keys(FORMS) as readonly UpstreamForm[];

export function upstreamText(form: UpstreamForm, to: ForUpstream): string {
  return `${FORMS[form](to).join('\n')}\n`;
}

export function upstreamSettings({ origin, hasDevices }: ForUpstream): Record<string, string> {
  const pages = hasDevices ? [...SIGN_IN, ...DEVICES] : SIGN_IN;
  return {
    ...Object.fromEntries(pages.map(({ setting, path }) => [setting, `${origin}${path}`])),
    WEBFINGER_OIDC_DISCOVERY_SUPPORTED_SCOPE: DISCOVERY.scopes.join(','),
    WEBFINGER_OIDC_DISCOVERY_SUPPORTED_CLAIMS: DISCOVERY.claims.join(','),
  };
}

function formatSections({ origin, hasDevices }: ForUpstream): string[] {
  const lines = (pages: readonly ConfiguredPage[]): string[] =>
    pages.map(({ key, path }) => `  ${key.replace('device.', '  ')}: ${origin}${path}`);
  return [
    'urls:',
    ...lines(SIGN_IN),
    ...(hasDevices ? ['  # Leave these out for Hydra before v25.4, which does not start with them.', '  device:'] : []),
    ...(hasDevices ? lines(DEVICES) : []),
    'webfinger:',
    '  oidc_discovery:',
    `    supported_scope: [${DISCOVERY.scopes.join(', ')}]`,
    `    supported_claims: [${DISCOVERY.claims.join(', ')}]`,
  ];
}
