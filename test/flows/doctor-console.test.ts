/** What the doctor finds about the console: its address, its client at Hydra, the way to Hydra and back, and who may use it. */
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { SystemClock } from '../../src/config/clock.js';
import { loadConfig } from '../../src/config/load-config.js';
import { openDatabase } from '../../src/database/open-database.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { consoleCheck } from '../../src/operator/doctor/checks/console.check.js';
import { examine } from '../../src/operator/doctor/examine.js';
import { freePorts } from '../../test-kit/free-ports.js';
import { OPERATOR_CERTIFICATE } from '../support/certificates.js';
import { startDoctorInstallation, type DoctorInstallation, type Env } from '../support/doctor-installation.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { startReverseProxy, type ReverseProxy } from '../support/reverse-proxy.js';
import { AdminApi } from '../support/upstream-admin.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import { TestClock } from '../support/test-clock.js';

const ANSWERS = /^ok: The console answers at http:\/\/localhost:\d+\/console\/\.$/;
const NOT_REGISTERED = /^hint: The client foyer-console is not registered at Hydra yet\. → Sign in/;
const NOBODY = /^hint: No active account has been granted a right.* → Run: foyer operator grant USERNAME admin/;

let healthy: DoctorInstallation;
let operator: TestOperator;
/** The public address of the console, in front of the operator API. */
let site: ReverseProxy;
let env: Env;

async function startConsole(console: boolean): Promise<{ operator: TestOperator; site: ReverseProxy }> {
  const [port = 0] = await freePorts(1);
  const url = `http://localhost:${port}`;
  const settings = { url, acr: 'urn:foyer:acr:mfa', backChannelUrl: url } as const;
  const started = await startTestOperator(console ? { config: () => ({ console: settings }) } : {});
  return { operator: started, site: await startReverseProxy({ port, toOrigin: () => started.url }) };
}

beforeAll(async () => {
  healthy = await startDoctorInstallation(embeddedLeg);
  ({ operator, site } = await startConsole(true));
  const { hostname, port } = new URL(operator.url);
  env = { ...healthy.env, CONSOLE_URL: site.url, OPERATOR_HOST: hostname, OPERATOR_PORT: port, OPERATOR_TRUST_PROXY: '1' };
}, 180_000);

afterAll(async () => {
  await site.close();
  await operator.close();
  await healthy.close();
});

/** @returns the findings of the check as `level: what → fix` */
async function diagnose(more: Env = {}, base: Env = env): Promise<string[]> {
  const requestHealth = () => Promise.resolve({ code: 'unreachable', explanation: 'This test does not ask.' });
  const { findings } = await examine({ env: { ...base, ...more }, clock: new SystemClock(), requestHealth }, [consoleCheck]);
  return findings.map(({ level, what, fix }) => (fix === undefined ? `${level}: ${what}` : `${level}: ${what} → ${fix}`));
}

/** @returns the findings without those about the client and the rights, which are the same in every test */
async function diagnoseOther(more: Env): Promise<string[]> {
  return (await diagnose(more)).filter((text) => !NOT_REGISTERED.test(text) && !NOBODY.test(text));
}

const toMatcher = (pattern: RegExp): unknown => expect.stringMatching(pattern);

async function withServer<Result>(server: Server, use: (port: number) => Promise<Result>): Promise<Result> {
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('[INS-3] a console', () => {
  it('that is off is not mentioned', async () => {
    expect(await diagnose({ CONSOLE_URL: '' })).toEqual([]);
  });

  it('that answers, without a client and an operator, has hints about both', async () => {
    expect(await diagnose()).toEqual([toMatcher(ANSWERS), toMatcher(NOT_REGISTERED), toMatcher(NOBODY)]);
  });

  it('of a Foyer that does not run is not a fault', async () => {
    const [port = 0, operatorPort = 0] = await freePorts(2);
    const more = { PUBLIC_URL: `http://localhost:${port}`, PORT: String(port), OPERATOR_PORT: String(operatorPort) };
    const CONSOLE_URL = `http://localhost:${operatorPort}`;
    expect(await diagnose({ ...more, CONSOLE_URL })).toEqual([toMatcher(/^hint: The console runs only while Foyer runs/)]);
  });
});

describe('[INS-3] the address of the console', () => {
  it('that leads nowhere', async () => {
    const [port = 0] = await freePorts(1);
    expect(await diagnoseOther({ CONSOLE_URL: `http://localhost:${port}` })).toEqual([
      toMatcher(
        /^fault: No server answers at CONSOLE_URL, .*ECONNREFUSED\), but the operator API answers on this machine\. → Configure the proxy .* forward every path to the operator API \(OPERATOR_HOST, OPERATOR_PORT; from this machine http:\/\/127/,
      ),
    ]);
  });

  it('that leads to the sign-in pages', async () => {
    expect(await diagnoseOther({ CONSOLE_URL: healthy.publicUrl })).toEqual([
      toMatcher(/^fault: CONSOLE_URL, .*, leads to the sign-in pages, not to the operator API/),
    ]);
  });

  it('that leads to another server', async () => {
    const server = createServer((_request, response) => void response.writeHead(302, { Location: '/' }).end());
    const found = await withServer(server, (port) => diagnoseOther({ CONSOLE_URL: `http://localhost:${port}` }));
    expect(found).toEqual([toMatcher(/^fault: The server at CONSOLE_URL, .* is not the console \(status 302\)/)]);
  });

  it('whose proxy sends another host name', async () => {
    const proxy = await startReverseProxy({ toOrigin: () => operator.url, host: 'foyer-operator' });
    const found = await diagnoseOther({ CONSOLE_URL: proxy.url });
    await proxy.close();
    expect(found).toEqual([
      toMatcher(/^fault: .* refuses the host name .*421.* → .*proxy_set_header Host \$host.*OPERATOR_HOST_NAMES/),
    ]);
  });

  it('whose Foyer has another CONSOLE_URL, or none', async () => {
    const proxy = await startReverseProxy({ toOrigin: () => operator.url });
    const another = await diagnoseOther({ CONSOLE_URL: proxy.url });
    await proxy.close();
    expect(another).toEqual([
      toMatcher(/^fault: The running Foyer has a different CONSOLE_URL, not http:.* → Set CONSOLE_URL to the address/),
    ]);
    const off = await startConsole(false);
    const none = await diagnoseOther({ CONSOLE_URL: off.site.url });
    await off.site.close();
    await off.operator.close();
    expect(none).toEqual([toMatcher(/^fault: .*but the running Foyer has no console\. → Set CONSOLE_URL, and restart Foyer/)]);
  });

  it('whose proxy forwards the pages alone', async () => {
    // The proxy has to have the address of the console.
    await site.close();
    const port = Number(new URL(site.url).port);
    const toOrigin = (path: string): string => (path.startsWith('/console/') ? operator.url : healthy.publicUrl);
    const partial = await startReverseProxy({ port, toOrigin });
    const found = await diagnoseOther({});
    await partial.close();
    site = await startReverseProxy({ port, toOrigin: () => operator.url });
    expect(found).toEqual([toMatcher(/^fault: .* leads to the console, but not to the operator API.* forward every path/)]);
  });

  it('whose certificate is not accepted', async () => {
    const server = createTlsServer(
      { cert: OPERATOR_CERTIFICATE.certificate, key: OPERATOR_CERTIFICATE.key },
      (_request, response) => void response.end(),
    );
    const found = await withServer(server, (port) => diagnoseOther({ CONSOLE_URL: `https://localhost:${port}` }));
    expect(found).toEqual([
      toMatcher(/^fault: The connection to CONSOLE_URL, .* is not secure \([A-Z_]+\)\. → .*certificate.*NODE_EXTRA_CA_CERTS/),
    ]);
    const plain = createServer((_request, response) => void response.end());
    const spoken = await withServer(plain, (port) => diagnoseOther({ CONSOLE_URL: `https://localhost:${port}` }));
    expect(spoken).toEqual([toMatcher(/^fault: The connection to CONSOLE_URL, .* is not secure/)]);
  });
});

describe('[INS-3] proxies in front of the console', () => {
  it('that are there and not trusted', async () => {
    expect(await diagnoseOther({ OPERATOR_TRUST_PROXY: '0' })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(
        /^hint: A proxy is in front of the console .*OPERATOR_TRUST_PROXY is 0: the audit log .* → Set OPERATOR_TRUST_PROXY/,
      ),
    ]);
  });

  it('that are trusted and not there', async () => {
    const { hostname: OPERATOR_HOST, port: OPERATOR_PORT } = new URL(site.url);
    const direct = { OPERATOR_HOST, OPERATOR_PORT };
    expect(await diagnoseOther({ ...direct, OPERATOR_TRUST_PROXY: '1' })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(/^fault: OPERATOR_TRUST_PROXY is 1, but no proxy is in front.* → Set OPERATOR_TRUST_PROXY to 0/),
    ]);
    expect(await diagnoseOther({ ...direct, OPERATOR_TRUST_PROXY: '0' })).toEqual([toMatcher(ANSWERS)]);
  });
});

describe('[INS-3] the ways between the console and Hydra', () => {
  it('back to the console, where nobody answers or the sign-in pages do', async () => {
    const [port = 0] = await freePorts(1);
    expect(await diagnoseOther({ CONSOLE_BACKCHANNEL_URL: `http://localhost:${port}` })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(
        /^hint: No server answers at CONSOLE_BACKCHANNEL_URL.*ECONNREFUSED.*does not end when the session of the person ends only at Hydra/,
      ),
    ]);
    expect(await diagnoseOther({ CONSOLE_BACKCHANNEL_URL: healthy.publicUrl })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(/^fault: CONSOLE_BACKCHANNEL_URL, .* does not lead to the operator API.* → Set CONSOLE_BACKCHANNEL_URL/),
    ]);
    expect(await diagnoseOther({ CONSOLE_BACKCHANNEL_URL: operator.url })).toEqual([toMatcher(ANSWERS)]);
  });

  it('to Hydra, where nobody, the admin API or another Hydra answers', async () => {
    const [port = 0] = await freePorts(1);
    const silent = await diagnoseOther({ HYDRA_INTERNAL_URL: `http://localhost:${port}` });
    expect(silent).toEqual([
      toMatcher(ANSWERS),
      toMatcher(
        /^fault: Foyer does not reach Hydra at HYDRA_INTERNAL_URL, .*ECONNREFUSED\).* → Set HYDRA_INTERNAL_URL .*SERVE_PUBLIC_PORT/,
      ),
    ]);
    expect(await diagnoseOther({ HYDRA_INTERNAL_URL: healthy.upstream.adminUrl })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(/^fault: The server at HYDRA_INTERNAL_URL, .* is not the public API of Hydra \(status 404\)/),
    ]);
    const another = await embeddedLeg.start();
    const found = await diagnoseOther({ HYDRA_INTERNAL_URL: another.publicUrl });
    await another.close();
    expect(found).toEqual([
      toMatcher(ANSWERS),
      toMatcher(/^fault: The Hydra at HYDRA_INTERNAL_URL, .*has the issuer .* not HYDRA_PUBLIC_URL/),
    ]);
    const internal = healthy.upstream.publicUrl.replace('localhost', '127.0.0.1');
    expect(await diagnoseOther({ HYDRA_INTERNAL_URL: internal })).toEqual([toMatcher(ANSWERS)]);
  });

  it('to a HYDRA_PUBLIC_URL that only browsers reach', async () => {
    const [port = 0] = await freePorts(1);
    expect(await diagnoseOther({ HYDRA_PUBLIC_URL: `http://localhost:${port}` })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(
        /^fault: Foyer does not reach Hydra at HYDRA_PUBLIC_URL, .* → Set HYDRA_INTERNAL_URL to an address at which this machine/,
      ),
    ]);
  });
});

describe('[INS-3] the client of the console', () => {
  async function diagnoseClient(changes: Record<string, unknown>): Promise<string[]> {
    const admin = new AdminApi(healthy.upstream.adminUrl);
    const hydra = new OryHydraAdapter(loadConfig(env).config.hydra);
    await hydra.saveClient({
      id: 'foyer-console',
      name: 'Foyer console',
      secret: 'a secret of this test',
      redirectUris: [`${site.url}/console/callback`],
      postLogoutRedirectUris: [],
      backChannelLogoutUri: `${site.url}/console/backchannel-logout`,
      scope: 'openid',
      ...changes,
    });
    const found = await diagnose();
    await admin.send('DELETE', '/admin/clients/foyer-console');
    return found.slice(1, -1);
  }

  it('as Foyer registers it', async () => {
    expect(await diagnoseClient({})).toEqual([toMatcher(/^ok: The client foyer-console is registered .* with the addresses/)]);
  });

  it('with addresses of another console', async () => {
    expect(await diagnoseClient({ redirectUris: ['https://old.example/console/callback'] })).toEqual([
      toMatcher(
        /^fault: The client foyer-console at Hydra redirects to https:\/\/old\.example\/console\/callback, not to http:.* → Restart Foyer and sign in/,
      ),
    ]);
    expect(await diagnoseClient({ backChannelLogoutUri: 'https://old.example/x' })).toEqual([
      toMatcher(
        /^fault: Hydra reports the end of sessions to the console at https:\/\/old\.example\/x, not at .*another CONSOLE_URL uses this Hydra/,
      ),
    ]);
  });

  it('cannot be looked for where Hydra does not answer, which another check says', async () => {
    const [port = 0] = await freePorts(1);
    const found = await diagnose({ HYDRA_ADMIN_URL: `http://localhost:${port}` });
    expect(found.filter((text) => text.includes('client'))).toEqual([]);
  });
});

describe('[INS-3] who can sign in to the console', () => {
  it('with a password alone, by CONSOLE_ACR', async () => {
    expect(await diagnoseOther({ CONSOLE_ACR: 'urn:foyer:acr:pwd' })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(/^hint: CONSOLE_ACR is urn:foyer:acr:pwd: anybody who knows the password of an operator .* → Remove CONSOLE_ACR/),
    ]);
  });

  it.each([
    [
      { PASSKEYS: 'off' },
      /^fault: The console requires a second factor \(CONSOLE_ACR\).* nobody can sign in.* → Add a kind of second factor to MFA_FACTORS/,
    ],
    [{ PASSKEYS: 'on' }, /^hint: The console requires a second factor .* operators need a passkey before/],
    [
      { PASSKEYS: 'off', MFA_FACTORS: 'totp', CONSOLE_ACR: 'urn:foyer:acr:phr' },
      /^fault: The console requires a security key or passkey .* → Add fido2/,
    ],
  ])('nobody, where what it needs cannot be set up: %j', async (more, finding) => {
    expect(await diagnoseOther({ MFA_FACTORS: 'email-code', SMTP_URL: '', ...more })).toEqual([
      toMatcher(ANSWERS),
      toMatcher(finding),
    ]);
  });

  it('an account with a right by a grant that has not ended', async () => {
    const { database: settings } = loadConfig(env).config;
    const database = await openDatabase({ database: settings, clock: new TestClock() });
    const create = async (name: string, right: string, more: { ends?: string; status?: string } = {}): Promise<void> => {
      const { rows } = await sql<{ id: string }>`
        insert into account (username, username_key, display_name, status, created_at, updated_at)
        values (${name}, ${name}, ${name}, ${more.status ?? 'active'}, now(), now()) returning id`.execute(database.db);
      await sql`
        insert into operator_grant (account_id, right_name, granted_at, granted_by, ends_at)
        values (${rows[0]?.id}, ${right}, now(), 'operator', now() + ${more.ends ?? null}::interval)`.execute(database.db);
    };
    await create('olga.left', 'admin', { ends: '-1 hour' });
    await create('olga.disabled', 'admin', { status: 'disabled' });
    expect((await diagnose()).at(-1)).toMatch(NOBODY);
    await create('otto.support', 'support');
    expect((await diagnose()).at(-1)).toMatch(
      /^hint: No active account has been granted the right "admin": nobody in the console can grant/,
    );
    await create('olga.admin', 'admin', { ends: '1 hour' });
    await database.close();
    expect(await diagnose()).toEqual([toMatcher(ANSWERS), toMatcher(NOT_REGISTERED)]);
  });
});
