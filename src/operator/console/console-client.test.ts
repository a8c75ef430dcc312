import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Keys } from '../../config/keys.js';
import { FakeHydra } from '../../hydra/fake-hydra.js';
import { UpstreamUnavailable } from '../../hydra/hydra.errors.js';
import { TELEMETRY_OFF } from '../../telemetry/telemetry.js';
import { StandInIssuer } from '../../../test/support/stand-in-issuer.js';
import { TestClock } from '../../../test/support/test-clock.js';
import { testConfig } from '../../../test/support/test-config.js';
import { CONSOLE_CLIENT_ID, ConsoleClient, SignInRefused } from './console-client.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const issuer = new StandInIssuer();
let client: ConsoleClient;

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());

beforeEach(() => {
  issuer.keysAnswer = undefined;
  issuer.metadataAnswer = undefined;
  const config = testConfig(({ hydra }) => ({ console: CONSOLE, hydra: { ...hydra, publicUrl: issuer.url } }));
  const log = pino({ level: 'silent' });
  client = new ConsoleClient(config, log, new FakeHydra(), new TestClock(), new Keys(['a secret']), TELEMETRY_OFF);
});

describe('the sign-in to the console', () => {
  const finish = async (): Promise<unknown> => {
    const { attempt } = await client.begin({ isAgain: false, username: null });
    return client.finish(new URLSearchParams({ code: 'code', state: attempt.state }).toString(), attempt);
  };

  it('reports an outage of Hydra during the exchange of the code as an outage', async () => {
    issuer.nextTokenAnswer = { status: 503, body: {} };
    await expect(finish()).rejects.toThrow(UpstreamUnavailable);
  });

  it('reports a code that Hydra refuses as refused', async () => {
    await expect(finish()).rejects.toThrow(new SignInRefused('invalid_grant'));
  });
});

describe('a logout token', () => {
  const read = async (): Promise<unknown> => {
    const claims = { aud: CONSOLE_CLIENT_ID, sub: 'olga', events: { [LOGOUT_EVENT]: {} } };
    return client.readLogoutToken(await issuer.sign(claims));
  };

  it.each([
    ['status 500', { status: 500, body: {} }],
    ['keys that cannot be read', { status: 200, body: { keys: 'none' } }],
  ])('is not refused while the key endpoint of Hydra answers with %s', async (_, answer) => {
    issuer.keysAnswer = answer;
    await expect(read()).rejects.toThrow(UpstreamUnavailable);
    issuer.keysAnswer = undefined;
    await expect(read()).resolves.toMatchObject({ subject: 'olga' });
  });

  it('is not refused while the metadata of Hydra has no valid address of the keys', async () => {
    issuer.metadataAnswer = { status: 200, body: { issuer: issuer.url, jwks_uri: 'none' } };
    await expect(read()).rejects.toThrow(UpstreamUnavailable);
    issuer.metadataAnswer = undefined;
    await expect(read()).resolves.toMatchObject({ subject: 'olga' });
  });

  it('is refused if no key of Hydra has signed it', async () => {
    issuer.keysAnswer = { status: 200, body: { keys: [] } };
    await expect(read()).rejects.toThrow(/no applicable key/);
  });
});
