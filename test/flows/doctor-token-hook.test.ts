/** What the doctor finds about the token hook: whether Hydra asks it, and whether Hydra gets an answer. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/config/clock.js';
import { randomToken } from '../../src/config/keys.js';
import { tokenHookCheck } from '../../src/operator/doctor/checks/token-hook.check.js';
import { examine } from '../../src/operator/doctor/examine.js';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../src/operator/hooks/hook-key.js';
import { startDoctorInstallation, type DoctorInstallation, type Env } from '../support/doctor-installation.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { AdminApi } from '../support/upstream-admin.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import type { Upstream } from '../support/upstream-leg.js';

const KEY = randomToken();
const binary = binaryLeg(process.env);
const leg = 'missing' in binary ? embeddedLeg : binary;

let operator: TestOperator;
let healthy: DoctorInstallation;
let env: Env;

const toHook = (url: string, value: string) => ({ url: url + TOKEN_HOOK_PATH, header: { name: HOOK_KEY_HEADER, value } });

beforeAll(async () => {
  operator = await startTestOperator({ config: () => ({ tokenHook: { keys: [KEY] } }) });
  const start: typeof leg.start = (settings) => leg.start({ ...settings, tokenHook: toHook(operator.url, KEY) });
  healthy = await startDoctorInstallation({ ...leg, start });
  env = { ...healthy.env, TOKEN_HOOK_KEY: KEY };
}, 180_000);
afterAll(async () => {
  await healthy.close();
  await operator.close();
});

/** @returns the findings as `level: what → fix` */
async function diagnose(more: Env = {}): Promise<string[]> {
  const requestHealth = () => Promise.resolve({ code: 'unreachable', explanation: 'This test does not ask.' });
  const { findings } = await examine({ env: { ...env, ...more }, clock: new SystemClock(), requestHealth }, [tokenHookCheck]);
  return findings.map(({ level, what, fix }) => (fix === undefined ? `${level}: ${what}` : `${level}: ${what} → ${fix}`));
}

const toAddresses = ({ publicUrl, adminUrl }: Upstream): Env => ({ HYDRA_PUBLIC_URL: publicUrl, HYDRA_ADMIN_URL: adminUrl });

it('Hydra asks it, and a made-up person gets no tokens; nothing is left behind', async () => {
  expect(await diagnose()).toEqual([expect.stringMatching(/^ok: Hydra calls the token hook/)]);
  const { text } = await new AdminApi(healthy.upstream.adminUrl).send('GET', '/admin/clients');
  expect(text).not.toContain('foyer-doctor');
});

it('nothing is examined without a key', async () => {
  expect(await diagnose({ TOKEN_HOOK_KEY: '' })).toEqual([]);
});

it('Hydra does not ask it', async () => {
  const upstream = await leg.start();
  try {
    expect(await diagnose(toAddresses(upstream))).toEqual([
      expect.stringMatching(/^fault: Hydra issues tokens without calling the token hook.* → Set oauth2\.token_hook/),
    ]);
  } finally {
    await upstream.close();
  }
});

it('Hydra has another key, or asks before Foyer runs', async () => {
  const upstream = await leg.start({ tokenHook: toHook(operator.url, randomToken()) });
  try {
    expect(await diagnose(toAddresses(upstream))).toEqual([
      expect.stringMatching(/^fault: Hydra calls a token hook, but receives no usable answer.* → Make the port/),
    ]);
    expect(await diagnose({ ...toAddresses(upstream), PUBLIC_URL: 'http://localhost:1', PORT: '1' })).toEqual([
      expect.stringMatching(/^hint: The token hook answers only while Foyer runs/),
    ]);
  } finally {
    await upstream.close();
  }
});
