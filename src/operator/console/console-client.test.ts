import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Keys } from '../../config/keys.js';
import { FakeHydra } from '../../hydra/fake-hydra.js';
import { UpstreamUnavailable } from '../../hydra/hydra.errors.js';
import { TELEMETRY_OFF } from '../../telemetry/telemetry.js';
import { StandInIssuer } from '../../../test/support/stand-in-issuer.js';
import { TestClock } from '../../../test/support/test-clock.js';
import { testConfig } from '../../../test/support/test-config.js';
import { ConsoleClient, SignInRefused } from './console-client.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;

const issuer = new StandInIssuer();
let client: ConsoleClient;

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());

beforeEach(() => {
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
