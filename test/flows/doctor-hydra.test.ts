/** What the doctor sees of Hydra's settings that nobody publishes, and of clients that Foyer's settings name. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diagnose, startDoctorInstallation } from '../support/doctor-installation.js';
import type { DoctorInstallation } from '../support/doctor-installation.js';
import { AdminApi } from '../support/upstream-admin.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import { servedUrls } from '../support/upstream-leg.js';

let healthy: DoctorInstallation;

beforeAll(async () => {
  healthy = await startDoctorInstallation(embeddedLeg);
}, 60_000);
afterAll(() => healthy.close());

describe('the time that Hydra gives a sign-in', () => {
  it.each([
    [20, 'fault', /gives people 20 s .*TTL_LOGIN_CONSENT_REQUEST.*ends before a password is typed/],
    [300, 'hint', /gives people 300 s .*takes longer/],
    [600, undefined, /./],
  ] as const)('of %i s is a %s', async (loginConsentRequestTtlSeconds, level, sentence) => {
    const upstream = await embeddedLeg.start({ urls: servedUrls(healthy.publicUrl), loginConsentRequestTtlSeconds });
    try {
      const env = { ...healthy.env, HYDRA_PUBLIC_URL: upstream.publicUrl, HYDRA_ADMIN_URL: upstream.adminUrl };
      const { findings } = await diagnose(env);
      const found = findings.filter(({ what }) => what.includes('TTL_LOGIN_CONSENT_REQUEST'));
      if (level === undefined) expect(found).toEqual([]);
      else expect(found).toEqual([expect.objectContaining({ level, what: expect.stringMatching(sentence) })]);
    } finally {
      await upstream.close();
    }
  });
});

describe('clients that a setting names', () => {
  const said = async (more: Record<string, string>) =>
    (await diagnose({ ...healthy.env, ...more })).findings
      .filter(({ check }) => check === 'Clients')
      .map(({ level, what }) => [level, what]);

  it('are looked up at Hydra', async () => {
    const admin = new AdminApi(healthy.upstream.adminUrl);
    await admin.createClient({ client_id: 'portal', redirect_uris: ['http://localhost:9/cb'] });
    expect(await said({})).toEqual([]);
    expect(await said({ MANAGE_CLIENTS: 'portal', CONFIRM_SESSION_CLIENTS: 'portal' })).toEqual([
      ['ok', 'Every client that a setting names exists.'],
    ]);
    expect(await said({ MANAGE_CLIENTS: 'portal,portla' })).toEqual([
      ['hint', 'MANAGE_CLIENTS names "portla", which Hydra does not know.'],
    ]);
    expect(await said({ MANAGE_CLIENTS: 'portla', CONFIRM_SESSION_CLIENTS: 'protal' })).toEqual([
      ['fault', expect.stringContaining('no app can open the account area')],
      ['hint', 'CONFIRM_SESSION_CLIENTS names "protal", which Hydra does not know.'],
    ]);
  });
});
