/**
 * Hydra's settings for Foyer, ready to paste: environment variables, its configuration file, or values of its Helm
 * chart.
 */
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

/** Hydra's own pool has twice as many connections as it has cores, and keeps half of them: it waits for itself. */
const COSTS = [
  '# Its DSN should have a pool of its own size: postgres://…?max_conns=40&max_idle_conns=40 (docs/production.md says more)',
  '# Sign-ins cost it less with an ES256 key for ID tokens, if all apps can take it, and with 1000 iterations for client',
  '# secrets (oauth2.hashers.pbkdf2.iterations), if these are random.',
];

/** Each is valid as printed, including the comment at the top. */
const FORMS = {
  env: (to: ForUpstream) => [
    '# Hydra needs these in its environment, and a restart.',
    ...COSTS,
    ...Object.entries(upstreamSettings(to)).map(([name, value]) => `${name}=${value}`),
  ],
  yaml: (to: ForUpstream) => ['# Hydra needs these in its file (hydra.yml), and a restart.', ...COSTS, ...sections(to)],
  helm: (to: ForUpstream) => [
    "# Ory's Helm chart of Hydra needs these among its values, and an upgrade of the release.",
    ...COSTS,
    'hydra:',
    '  config:',
    ...sections(to).map((line) => `    ${line}`),
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

function sections({ origin, hasDevices }: ForUpstream): string[] {
  const lines = (pages: readonly ConfiguredPage[]): string[] =>
    pages.map(({ key, path }) => `  ${key.replace('device.', '  ')}: ${origin}${path}`);
  return [
    'urls:',
    ...lines(SIGN_IN),
    ...(hasDevices
      ? ['  # Hydra before v25.4 does not start with the addresses of devices: leave them out there.', '  device:']
      : []),
    ...(hasDevices ? lines(DEVICES) : []),
    'webfinger:',
    '  oidc_discovery:',
    `    supported_scope: [${DISCOVERY.scopes.join(', ')}]`,
    `    supported_claims: [${DISCOVERY.claims.join(', ')}]`,
  ];
}
