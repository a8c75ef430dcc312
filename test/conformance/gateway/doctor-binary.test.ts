/** The doctor in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCapability } from '../../../src/hydra/versions.js';
import { diagnose, startDoctorInstallation, type DoctorInstallation } from '../../support/doctor-installation.js';
import { toServedUrls, type Leg } from '../../support/upstream-leg.js';
import { AdminApi } from '../../support/upstream-admin.js';
import { binaryLeg } from '../../support/upstream-binary.js';

const leg = binaryLeg(process.env);

if ('missing' in leg) {
  process.stderr.write(`SKIPPED: the doctor on ${leg.name}: ${leg.missing}\n`);
  describe.skip(`the doctor on ${leg.name}`, () => it('needs a server', () => undefined));
} else {
  describe(`the doctor on ${leg.name} ${leg.version}`, () => stories(leg));
}

function stories(hydra: Leg): void {
  let healthy: DoctorInstallation;
  beforeAll(async () => {
    healthy = await startDoctorInstallation(hydra);
  }, 180_000);
  afterAll(() => healthy.close());

  it('finds no fault in a healthy installation, completes a sign-in, and leaves no client and no session', async () => {
    const { code, faults, findings } = await diagnose(healthy.env);
    expect({ code, faults }).toEqual({ code: 0, faults: [] });
    const way = findings
      .filter(({ check }) => check === 'Pages of a sign-in')
      .map(({ level, what }) => [level, what.split(' ', 1)[0]]);
    expect(way).toEqual(
      ['LOGIN', 'CONSENT', 'LOGOUT', 'ERROR', 'POST_LOGOUT_REDIRECT', 'REGISTRATION'].map((name) => ['ok', `URLS_${name}`]),
    );
    const devices = findings.filter(({ check }) => check === 'Devices').map(({ level, what }) => [level, what.split(' ', 1)[0]]);
    const names = hasCapability(hydra.version, 'deviceFlow') ? ['URLS_DEVICE_VERIFICATION', 'URLS_DEVICE_SUCCESS'] : ['This'];
    expect(devices).toEqual(names.map((name) => ['ok', name]));
    const clients = await new AdminApi(healthy.upstream.adminUrl).send('GET', '/admin/clients');
    expect(JSON.parse(clients.text)).toEqual([]);
  }, 180_000);

  it('reports a lifetime of seconds, which it reads from the cookie of a login request', async () => {
    const upstream = await hydra.start({ urls: toServedUrls(healthy.publicUrl), loginConsentRequestTtlSeconds: 20 });
    const { faults } = await diagnose({
      ...healthy.env,
      HYDRA_PUBLIC_URL: upstream.publicUrl,
      HYDRA_ADMIN_URL: upstream.adminUrl,
    });
    await upstream.close();
    expect(faults).toEqual([expect.stringMatching(/allows 20 s for a whole sign-in/)]);
  }, 180_000);

  it('reports addresses that are wrong or not set, by their names in Hydra', async () => {
    const urls = {
      ...toServedUrls(healthy.publicUrl),
      consent: `${healthy.publicUrl}/`,
      logout: '',
      error: '',
      postLogoutRedirect: '',
    };
    const upstream = await hydra.start({ urls });
    const { faults, findings } = await diagnose({
      ...healthy.env,
      HYDRA_PUBLIC_URL: upstream.publicUrl,
      HYDRA_ADMIN_URL: upstream.adminUrl,
    });
    await upstream.close();
    expect(faults).toEqual([
      expect.stringMatching(/URLS_CONSENT of Hydra is .*the path is \/, not \/consent/),
      expect.stringMatching(/URLS_LOGOUT of Hydra is not set/),
      expect.stringMatching(/URLS_ERROR of Hydra is not set/),
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'hint', what: expect.stringContaining('URLS_POST_LOGOUT_REDIRECT of Hydra is not set') }),
    );
  }, 180_000);

  it('reports a client for devices where Hydra has no device addresses or does not support devices', async () => {
    const urls = { ...toServedUrls(healthy.publicUrl), deviceVerification: '', deviceSuccess: '' };
    const upstream = await hydra.start({ urls });
    await new AdminApi(upstream.adminUrl).createClient({
      client_id: 'television',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      response_types: [],
    });
    const { findings } = await diagnose({
      ...healthy.env,
      HYDRA_PUBLIC_URL: upstream.publicUrl,
      HYDRA_ADMIN_URL: upstream.adminUrl,
    });
    await upstream.close();
    const devices = findings.filter(({ check }) => check === 'Devices').map(({ level, what }) => [level, what]);
    expect(devices).toEqual(
      hasCapability(hydra.version, 'deviceFlow')
        ? [
            ['fault', expect.stringMatching(/URLS_DEVICE_VERIFICATION of Hydra is not set.*"television"/)],
            ['fault', expect.stringMatching(/URLS_DEVICE_SUCCESS of Hydra is not set.*"television"/)],
          ]
        : [['hint', expect.stringMatching(/"television".*has no device authorization/)]],
    );
  }, 180_000);

  it('reports an issuer that differs from HYDRA_PUBLIC_URL, and swapped addresses', async () => {
    const { publicUrl, adminUrl } = healthy.upstream;
    const other = await diagnose({ ...healthy.env, HYDRA_PUBLIC_URL: publicUrl.replace('127.0.0.1', 'localhost') });
    expect(other.faults[0]).toContain('The issuer of Hydra is');
    const swapped = await diagnose({ ...healthy.env, HYDRA_PUBLIC_URL: adminUrl, HYDRA_ADMIN_URL: publicUrl });
    expect(swapped.faults).toEqual([expect.stringContaining('swapped')]);
  }, 180_000);
}
