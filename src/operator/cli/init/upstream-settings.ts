/**
 * Hydra's settings for Foyer, ready to paste: environment variables, its configuration file, or values of its Helm
 * chart.
 */
import { DISCOVERY } from '../../../contract/scopes.js';
import { UPSTREAM_PAGES } from './upstream-pages.js';
import type { ConfiguredPage } from './upstream-pages.js';

const PAGES: readonly ConfiguredPage[] = Object.values(UPSTREAM_PAGES);

/** Hydra's own pool has twice as many connections as it has cores, and keeps half of them: it waits for itself. */
const COSTS = [
  '# Its DSN should have a pool of its own size: postgres://…?max_conns=40&max_idle_conns=40 (docs/production.md says more)',
  '# Sign-ins cost it less with an ES256 key for ID tokens, if all apps can take it, and with 1000 iterations for client',
  '# secrets (oauth2.hashers.pbkdf2.iterations), if these are random.',
];

/** Each is valid as printed, including the comment at the top. */
const FORMS = {
  env: (origin: string) => [
    '# Hydra needs these in its environment, and a restart.',
    ...COSTS,
    ...Object.entries(upstreamSettings(origin)).map(([name, value]) => `${name}=${value}`),
  ],
  yaml: (origin: string) => ['# Hydra needs these in its file (hydra.yml), and a restart.', ...COSTS, ...sections(origin)],
  helm: (origin: string) => [
    "# Ory's Helm chart of Hydra needs these among its values, and an upgrade of the release.",
    ...COSTS,
    'hydra:',
    '  config:',
    ...sections(origin).map((line) => `    ${line}`),
  ],
} as const;

export type UpstreamForm = keyof typeof FORMS;

export const UPSTREAM_FORMS = Object.keys(FORMS) as readonly UpstreamForm[];

/** @param origin public origin of Foyer */
export function upstreamText(form: UpstreamForm, origin: string): string {
  return `${FORMS[form](origin).join('\n')}\n`;
}

export function upstreamSettings(origin: string): Record<string, string> {
  return {
    ...Object.fromEntries(PAGES.map(({ setting, path }) => [setting, `${origin}${path}`])),
    WEBFINGER_OIDC_DISCOVERY_SUPPORTED_SCOPE: DISCOVERY.scopes.join(','),
    WEBFINGER_OIDC_DISCOVERY_SUPPORTED_CLAIMS: DISCOVERY.claims.join(','),
  };
}

function sections(origin: string): string[] {
  return [
    'urls:',
    ...PAGES.map(({ key, path }) => `  ${key}: ${origin}${path}`),
    'webfinger:',
    '  oidc_discovery:',
    `    supported_scope: [${DISCOVERY.scopes.join(', ')}]`,
    `    supported_claims: [${DISCOVERY.claims.join(', ')}]`,
  ];
}
