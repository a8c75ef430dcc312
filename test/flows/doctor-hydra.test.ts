/** What the doctor reports about Hydra’s settings that are not published, and about clients that Foyer’s settings name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startUpstream } from '../../embedded/upstream/start-upstream.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { diagnose, doctor, startDoctorInstallation, type DoctorInstallation } from '../support/doctor-installation.js';
import { startReverseProxy } from '../support/reverse-proxy.js';
import { AdminApi } from '../support/upstream-admin.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import { toServedUrls, type UpstreamUrls } from '../support/upstream-leg.js';

let healthy: DoctorInstallation;

beforeAll(async () => {
  healthy = await startDoctorInstallation(embeddedLeg);
}, 180_000);
afterAll(() => healthy.close());

describe('[INS-3] the time that Hydra gives a sign-in', () => {
  it.each([
    [20, 'fault', /allows 20 s .*TTL_LOGIN_CONSENT_REQUEST.*may end before the person has typed a password/],
    [300, 'hint', /allows 300 s .*can take longer/],
    [600, undefined, /./],
  ] as const)('of %i s is a %s', async (loginConsentRequestTtlSeconds, level, sentence) => {
    const upstream = await embeddedLeg.start({ urls: toServedUrls(healthy.publicUrl), loginConsentRequestTtlSeconds });
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

describe('[INS-3] devices', () => {
  const fallback = 'http://localhost:9/oauth2/fallbacks/device';
  const client = { client_id: 'television', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], response_types: [] };

  /** @param pages of the upstream in addition to the right ones @param clients that it has */
  async function diagnosePages(pages: Partial<UpstreamUrls>, clients: Record<string, unknown>[] = []): Promise<unknown[][]> {
    const upstream = await embeddedLeg.start({ urls: { ...toServedUrls(healthy.publicUrl), ...pages } });
    try {
      const admin = new AdminApi(upstream.adminUrl);
      for (const one of clients) await admin.createClient(one);
      const env = { ...healthy.env, HYDRA_PUBLIC_URL: upstream.publicUrl, HYDRA_ADMIN_URL: upstream.adminUrl };
      const { findings } = await diagnose(env);
      expect(JSON.parse((await admin.send('GET', '/admin/clients')).text)).toHaveLength(clients.length);
      return findings.filter(({ check }) => check === 'Devices').map(({ level, what, fix }) => [level, `${what} ${fix ?? ''}`]);
    } finally {
      await upstream.close();
    }
  }

  it('are led to their pages', async () => {
    const toAddressText = (path: string): unknown => expect.stringContaining(`of Hydra is ${healthy.publicUrl}${path}.`);
    expect(await diagnosePages({})).toEqual([
      ['ok', toAddressText('/device')],
      ['ok', toAddressText('/device/success')],
    ]);
  });

  it('are a hint while no client uses them, and a fault once one is registered for them', async () => {
    const unset = { deviceVerification: fallback, deviceSuccess: `${fallback}/done` };
    const sentences = [
      expect.stringMatching(/^URLS_DEVICE_VERIFICATION of Hydra is not set: .* Set .*urls\.device\.verification.*\/device, and/),
      expect.stringMatching(/^URLS_DEVICE_SUCCESS of Hydra is not set: .* Set .*urls\.device\.success.*\/device\/success, and/),
    ];
    expect(await diagnosePages(unset)).toEqual(sentences.map((sentence) => ['hint', sentence]));
    const found = await diagnosePages(unset, [client]);
    expect(found).toEqual(sentences.map((sentence) => ['fault', sentence]));
    expect(found.join()).toContain('"television" is registered for devices');
  });

  it('are a fault where an address leads elsewhere', async () => {
    const deviceVerification = `${healthy.publicUrl}/devices`;
    expect((await diagnosePages({ deviceVerification }))[0]).toEqual([
      'fault',
      expect.stringContaining('the path is /devices, not /device.'),
    ]);
  });
});

describe('[INS-3] clients that a setting names', () => {
  const diagnoseClients = async (more: Record<string, string>) =>
    (await diagnose({ ...healthy.env, ...more })).findings
      .filter(({ check }) => check === 'Clients')
      .map(({ level, what }) => [level, what]);

  it('are looked up in Hydra', async () => {
    const admin = new AdminApi(healthy.upstream.adminUrl);
    await admin.createClient({ client_id: 'portal', redirect_uris: ['http://localhost:9/cb'] });
    expect(await diagnoseClients({})).toEqual([]);
    expect(await diagnoseClients({ MANAGE_CLIENTS: 'portal', CONFIRM_SESSION_CLIENTS: 'portal' })).toEqual([
      ['ok', 'Every client that a setting names exists.'],
    ]);
    expect(await diagnoseClients({ MANAGE_CLIENTS: 'portal,portla' })).toEqual([
      ['hint', 'MANAGE_CLIENTS names "portla", which is not registered at Hydra.'],
    ]);
    expect(await diagnoseClients({ MANAGE_CLIENTS: 'portla', CONFIRM_SESSION_CLIENTS: 'protal' })).toEqual([
      ['fault', expect.stringContaining('no app can open the account area')],
      ['hint', 'CONFIRM_SESSION_CLIENTS names "protal", which is not registered at Hydra.'],
    ]);
  });

  it('are looked up in Hydra for terms too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-terms-'));
    try {
      writeFileSync(join(folder, 'use.txt'), 'Terms of use\n');
      const terms = { id: 'use', version: '1', files: { en: join(folder, 'use.txt') }, clients: ['protal'] };
      expect(await diagnoseClients({ TERMS: JSON.stringify([terms]) })).toEqual([
        ['hint', 'TERMS names "protal", which is not registered at Hydra.'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('metadata.foyer of clients', () => {
  it('[S-149] is reported with the client and the member that cannot be read', async () => {
    const admin = new AdminApi(healthy.upstream.adminUrl);
    const create = (id: string, metadata: unknown) =>
      admin.createClient({ client_id: id, redirect_uris: ['http://localhost:9/cb'], metadata });
    await create('bank', { foyer: { mfa: ['required'], return_urls: 'https://more.example', colour: 'red' } });
    await create('tv', { foyer: { device_acr_values: ['phrr'] } });
    await create('shelf', JSON.stringify({ foyer: { mfa: 'required' } }));
    const { findings } = await diagnose(healthy.env);
    for (const id of ['bank', 'tv', 'shelf'])
      await fetch(`${healthy.upstream.adminUrl}/admin/clients/${id}`, { method: 'DELETE' });
    const said = findings.filter(({ what }) => what.startsWith('metadata.foyer')).map(({ level, what }) => [level, what]);
    expect(said).toHaveLength(5);
    expect(said).toEqual(
      expect.arrayContaining([
        ['fault', 'metadata.foyer of the client "bank": mfa is not "required"; its requests are refused.'],
        ['hint', 'metadata.foyer of the client "bank": return_urls is not a list of strings and is ignored.'],
        ['hint', 'metadata.foyer of the client "bank": colour is not a member that Foyer knows and is ignored.'],
        [
          'fault',
          'metadata.foyer of the client "shelf": the value is part of metadata that is not a JSON object; its requests are refused.',
        ],
        [
          'fault',
          'metadata.foyer of the client "tv": device_acr_values names no class that this installation knows; its requests are refused.',
        ],
      ]),
    );
  });
});

describe('looks of clients that a setting names', () => {
  it('[LKS-6] are read from Hydra: unknown clients and ignored values are reported', async () => {
    const admin = new AdminApi(healthy.upstream.adminUrl);
    const look = { colour: '#b3005e', radius: 'round', logo: 'http://app.example/logo.png' };
    await admin.createClient({ client_id: 'shop', redirect_uris: ['http://localhost:9/cb'], metadata: { foyer: { look } } });
    const { findings } = await diagnose({ ...healthy.env, CLIENT_LOOKS: 'shop,shpo' });
    expect(findings.filter(({ level }) => level === 'hint').map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'CLIENT_LOOKS names "shpo", which is not registered at Hydra.',
        'The look of the client "shop": radius is not a length like 8px or 0.5rem and is ignored.',
        'The look of the client "shop": logo is neither an https address nor a data: image of at most 64 KiB and is ignored.',
      ]),
    );
    expect(findings.filter(({ what }) => what.includes('"shop"'))).toHaveLength(2);
  });
});

describe('[INS-3] several sign-ins at once', () => {
  it('are tried only on request, and leave nothing behind', async () => {
    const clientsAt = async (): Promise<unknown> => (await fetch(`${healthy.upstream.adminUrl}/admin/clients`)).json();
    const before = await clientsAt();
    const diagnoseBurst = async (...args: readonly string[]): Promise<string[]> =>
      (await diagnose(healthy.env, ...args)).findings.flatMap(({ check, what }) =>
        check === 'Concurrent sign-ins' ? [what] : [],
      );
    expect(await diagnoseBurst()).toEqual([]);
    expect(await diagnoseBurst('--burst=6')).toEqual([
      expect.stringMatching(/^6 browsers .* took \d+ ms .* single sign-in took \d+ ms\.$/),
    ]);
    expect(await diagnoseBurst('--burst')).toEqual([expect.stringMatching(/^16 browsers/)]);
    for (const size of ['1', '65', 'x', '']) expect((await doctor(healthy.env, `--burst=${size}`)).code).toBe(2);
    expect(await clientsAt()).toEqual(before);
  });

  it('are a fault if one succeeds but several at once do not', async () => {
    const found = await diagnoseThreeBrowsers((exchange) => (exchange > 1 ? 'silent' : 'answered'));
    const sentence = /^3 of 3 browsers .* at the same time got no answer .* within 5 s.*max_conns=40/;
    expect(found).toEqual([['fault', expect.stringMatching(sentence)]]);
  });

  it('give no finding about the pool if not even one succeeds, or if a request is refused', async () => {
    const silent = await diagnoseThreeBrowsers(() => 'silent');
    expect(silent).toEqual([['hint', expect.stringMatching(/not be tested: a single sign-in is not answered within 5 s/)]]);
    // All requests of a sign-in together may take longer than a single request.
    let ms = 0;
    const slow = jest.spyOn(performance, 'now').mockImplementation(() => (ms += 10_000));
    const refused = await diagnoseThreeBrowsers((exchange) => (exchange > 1 ? 'refused' : 'answered')).finally(() =>
      slow.mockRestore(),
    );
    expect(refused).toEqual([['hint', expect.stringMatching(/not be tested: Hydra answered with status 429 instead of/)]]);
  });
});

/** Findings of the doctor about three browsers at once. @param chooseEnd of the first token exchange, the second, … */
async function diagnoseThreeBrowsers(
  chooseEnd: (exchange: number) => 'answered' | 'silent' | 'refused',
): Promise<[level: string, said: string][]> {
  const silent = createServer(() => undefined);
  const refusing = createServer((_, response) => response.writeHead(429).end());
  const [port = 0] = await findFreePorts(1);
  const options = { host: 'localhost', publicPort: 0, adminPort: 0, dataDir: null, secret: 'only for this test of the doctor' };
  const urls = toServedUrls(healthy.publicUrl);
  const upstream = await startUpstream({ ...options, issuer: `http://localhost:${port}`, urls });
  const ends = { answered: upstream.publicUrl, silent: await toOrigin(silent), refused: await toOrigin(refusing) };
  let exchanges = 0;
  const chooseOrigin = (path: string): string => (path === '/oauth2/token' ? ends[chooseEnd(++exchanges)] : upstream.publicUrl);
  const proxy = await startReverseProxy({ port, toOrigin: chooseOrigin });
  const env = { HYDRA_PUBLIC_URL: proxy.url, HYDRA_ADMIN_URL: upstream.adminUrl, HYDRA_TIMEOUT_MS: '5000' };
  const { findings } = await diagnose({ ...healthy.env, ...env }, '--burst=3');
  for (const server of [silent, refusing]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await proxy.close();
  await upstream.close();
  return findings
    .filter(({ check }) => check === 'Concurrent sign-ins')
    .map(({ level, what, fix = '' }) => [level, `${what} ${fix}`]);
}

async function toOrigin(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
