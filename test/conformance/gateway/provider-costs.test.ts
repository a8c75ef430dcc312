/** The statements and calls for the sign-in of a person from a provider that provisions accounts. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findFreePorts } from '../../../test-kit/free-ports.js';
import type { ProviderSettings } from '../../../src/config/config.js';
import { PATHS } from '../../../src/contract/paths.js';
import { CountedWork } from '../../support/counted-work.js';
import { chooseAtProvider, startProviderInstallation, type ProviderInstallation } from '../../support/provider-installation.js';
import { toCallback } from '../../support/provider-story.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { arrive, startFront, type Front } from './front.js';

const work = new CountedWork();
let installation: ProviderInstallation;
let front: Front;

beforeAll(async () => {
  const [port = 0] = await findFreePorts(1);
  installation = await startProviderInstallation(`http://127.0.0.1:${port}`);
  const claims = { username: 'preferred_username', displayName: 'name', email: 'email', groups: 'groups' };
  const provision = { ...claims, emailVerified: true, groupName: false, attributes: {} };
  const withProvision = (one: ProviderSettings): ProviderSettings =>
    one.id === 'company' ? { ...one, scopes: ['openid', 'profile', 'email', 'groups'], provision } : one;
  front = await startFront(embeddedLeg, { telemetry: work, port, identityProviders: installation.adapter(withProvision) });
});
afterAll(async () => {
  await front.close();
  await installation.close();
});

const COSTS = [
  ['GET /login/:provider', 3, 1],
  ['GET /login/:provider/callback', 8, 2],
  ['GET /consent', 2, 2],
];
const ENDPOINTS = ['metadata', 'keys', 'token', 'userinfo'] as const;
const countCalls = () => ENDPOINTS.map((endpoint) => installation.demoProviders.calls('company', endpoint));

/** Signs in with a new browser. */
async function findCosts(name: string) {
  const client = await front.register({ skip_consent: true });
  const person = front.person();
  const { url } = await arrive({ client }, person);
  work.take();
  const before = countCalls();
  const atProvider = await person.go(`${front.gateway.config.publicUrl}${PATHS.login}/company${url.search}`);
  const answer = await chooseAtProvider(atProvider.url.href, name);
  const { url: back } = await person.go(`${front.gateway.config.publicUrl}${toCallback('company')}?${answer.toString()}`);
  const costs = work.take().map(({ request, statements, calls }) => [request, statements.length, calls.length]);
  return { code: back.searchParams.has('code'), costs, asked: countCalls().map((calls, index) => calls - (before[index] ?? 0)) };
}

it('a sign-in of a known person calls token and userinfo, and costs the same each time', async () => {
  await findCosts('maria');
  const known = await findCosts('maria');
  expect(known).toEqual({ code: true, costs: COSTS, asked: [0, 0, 1, 1] });
  await findCosts('jonas');
  expect(await findCosts('jonas')).toEqual(known);
});
