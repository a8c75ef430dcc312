/**
 * Hydra's settings for Foyer, ready to paste: environment variables, its configuration file, or values of its Helm
 * chart.
 */
import { UPSTREAM_PAGES } from './upstream-pages.js';
import type { ConfiguredPage } from './upstream-pages.js';

const PAGES: readonly ConfiguredPage[] = Object.values(UPSTREAM_PAGES);

/** Each is valid as printed, including the comment at the top. */
const FORMS = {
  env: (origin: string) => [
    '# Hydra needs these in its environment, and a restart.',
    ...PAGES.map(({ setting, path }) => `${setting}=${origin}${path}`),
  ],
  yaml: (origin: string) => ['# Hydra needs these in its file (hydra.yml), and a restart.', ...urls(origin)],
  helm: (origin: string) => [
    "# Ory's Helm chart of Hydra needs these among its values, and an upgrade of the release.",
    'hydra:',
    '  config:',
    ...urls(origin).map((line) => `    ${line}`),
  ],
} as const;

export type UpstreamForm = keyof typeof FORMS;

export const UPSTREAM_FORMS = Object.keys(FORMS) as readonly UpstreamForm[];

/** @param origin public origin of Foyer */
export function upstreamText(form: UpstreamForm, origin: string): string {
  return `${FORMS[form](origin).join('\n')}\n`;
}

export function upstreamSettings(origin: string): Record<string, string> {
  return Object.fromEntries(PAGES.map(({ setting, path }) => [setting, `${origin}${path}`]));
}

function urls(origin: string): string[] {
  return ['urls:', ...PAGES.map(({ key, path }) => `  ${key}: ${origin}${path}`)];
}
