/** Reads the example of docs/people.md for an OpenID provider as the gateway does, and signs in people of the demo company with it. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import type { ProviderSettings } from '../../src/config/config.js';
import { loadConfig } from '../../src/config/load-config.js';
import { PATHS } from '../../src/contract/paths.js';
import { toExamples } from '../support/doc-examples.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { chooseAtProvider, startProviderInstallation, type ProviderInstallation } from '../support/provider-installation.js';
import { toCallback } from '../support/provider-story.js';
import type { TestPage } from '../support/test-browser.js';

const EXAMPLE = toExamples('docs/people.md').get('keycloak.json') ?? '';
const SCHEMA = { properties: { department: { type: 'string' } } };

let installation: ProviderInstallation;
let gateway: TestGateway;

beforeAll(async () => {
  installation = await startProviderInstallation();
  const { providers } = loadConfig({ OIDC_PROVIDERS: EXAMPLE, ACCOUNT_SCHEMA: JSON.stringify(SCHEMA) }).config;
  const [read] = providers.filter(({ dialect }) => dialect === 'oidc');
  if (!read) throw new Error('The example names no provider.');
  const replaceCompany = (settings: ProviderSettings): ProviderSettings =>
    settings.id === 'company'
      ? { ...read, id: settings.id, issuer: settings.issuer, clientId: settings.clientId, credential: settings.credential }
      : settings;
  gateway = await startTestGateway({
    config: ({ accounts }) => ({ accounts: { ...accounts, schema: SCHEMA } }),
    identityProviders: installation.adapter(replaceCompany),
  });
});
afterAll(async () => {
  await gateway.close();
  await installation.close();
});

async function signIn(person: string, roles: string[]): Promise<TestPage> {
  installation.demoProviders.setClaims('company', { idToken: { realm_access: { roles }, groups: ['sales'], department: '42' } });
  const browser = gateway.browser();
  gateway.hydra.addLogin({ challenge: `of-${person}` });
  const begun = await browser.get(`${PATHS.login}/company?login_challenge=of-${person}`);
  const answer = await chooseAtProvider(begun.location ?? '', person);
  return browser.get(`${toCallback('company')}?${answer.toString()}`);
}

it('admits a person with the required role, with groups, attributes and a verified address', async () => {
  await signIn('maria', ['offline_access', 'employee']);
  expect(await gateway.get(Accounts).findByUsername('maria')).toMatchObject({
    displayName: 'Maria Musterfrau',
    email: 'maria@musterwerk.example',
    emailVerified: true,
    groups: ['sales'],
    attributes: { department: '42' },
  });
  expect(gateway.hydra.calls.map(({ call }) => call)).toContain('acceptLogin');
});

it('does not admit a person without the required role', async () => {
  const page = await signIn('jonas', ['offline_access']);
  expect([page.status, page.state('server_error').server_error.code]).toEqual([403, 'not_admitted']);
  expect(await gateway.get(Accounts).findByUsername('jonas')).toBeNull();
});
