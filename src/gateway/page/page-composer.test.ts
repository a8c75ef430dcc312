import { expect, it } from '@jest/globals';
import { testConfig } from '../../../test/support/test-config.js';
import type { RequestContext } from '../http/request-context.js';
import { page } from './outcome.js';
import { PageComposer } from './page-composer.js';

const [LOGO, DARK_LOGO] = ['https://a.example/logo.svg', 'https://a.example/dark.svg'];

it.each([
  ['system', LOGO, DARK_LOGO],
  ['light', LOGO, undefined],
  ['dark', DARK_LOGO, DARK_LOGO],
] as const)('[LKS-2] a page with the theme %s has only the logos of that theme', (theme, logo, dark) => {
  const { app, language } = testConfig();
  const composer = new PageComposer({ app: { ...app, theme, logoUrl: LOGO, logoDarkUrl: DARK_LOGO }, language });
  const context = { language: { query: null, cookie: null, accept: '' }, url: '/' } as unknown as RequestContext;
  const outcome = page({ page: 'device_end', device_end: { status: 'denied' } });
  expect(composer.compose(context, outcome).app).toMatchObject({ logo_url: logo, ...(dark ? { logo_dark_url: dark } : {}) });
  expect(composer.compose(context, outcome).app.logo_dark_url).toBe(dark);
});
