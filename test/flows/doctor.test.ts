/** The doctor on a healthy installation, and on the same installation with one fault at a time. Every fault is real. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { startUpstream } from '../../embedded/upstream/start-upstream.js';
import { AccountNames } from '../../src/accounts/account/account-names.js';
import { Keys } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { lockDataDirectory } from '../../src/database/data-directory-lock.js';
import {
  createDatabase,
  execute,
  makeEmptyDataDirectory,
  makeMigratedDataDirectory,
  serverUrl,
  whyNoServer,
} from '../support/databases.js';
import {
  createDoctorDatabase,
  diagnose,
  doctor,
  startDoctorInstallation,
  type DoctorInstallation,
  type Env,
} from '../support/doctor-installation.js';
import { MailServer } from '../support/mail-server.js';
import { startReverseProxy } from '../support/reverse-proxy.js';
import { NO_SOURCES } from '../support/no-sources.js';
import { testConfig } from '../support/test-config.js';
import { AdminApi } from '../support/upstream-admin.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import { toServedUrls, type UpstreamUrls } from '../support/upstream-leg.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

let healthy: DoctorInstallation;
/** Removed at the end. */
const directories: string[] = [];

beforeAll(async () => {
  healthy = await startDoctorInstallation(embeddedLeg);
}, 180_000);
afterAll(async () => {
  await healthy.close();
  for (const directory of directories) await rm(directory, { recursive: true });
});

const withEnv = (more: Env): Env => ({ ...healthy.env, ...more });

/** Lists all faults that the doctor finds after this change. */
async function findFaults(more: Env): Promise<string[]> {
  const { code, faults } = await diagnose(withEnv(more));
  expect(code).toBe(faults.length > 0 ? 1 : 0);
  return faults;
}

/** Runs behind another upstream, which sends people to other pages. */
async function faultsWithPages(pages: Partial<UpstreamUrls>): Promise<string[]> {
  const upstream = await embeddedLeg.start({ urls: { ...toServedUrls(healthy.publicUrl), ...pages } });
  try {
    return await findFaults({ HYDRA_PUBLIC_URL: upstream.publicUrl, HYDRA_ADMIN_URL: upstream.adminUrl });
  } finally {
    await upstream.close();
  }
}

/** Runs with a proxy in front of the public address of the upstream, which is its issuer. */
async function faultsBehind(change: (headers: IncomingHttpHeaders) => IncomingHttpHeaders, toAdmin = /^$/): Promise<string[]> {
  const [port = 0] = await findFreePorts(1);
  const issuer = `http://localhost:${port}`;
  const options = { host: 'localhost', publicPort: 0, adminPort: 0, dataDir: null, secret: 'only for this test of the doctor' };
  const upstream = await startUpstream({ ...options, issuer, urls: toServedUrls(healthy.publicUrl) });
  const { publicUrl, adminUrl } = upstream;
  const proxy = await startReverseProxy({ port, change, toOrigin: (path) => (toAdmin.test(path) ? adminUrl : publicUrl) });
  try {
    return await findFaults({ HYDRA_PUBLIC_URL: proxy.url, HYDRA_ADMIN_URL: adminUrl });
  } finally {
    await proxy.close();
    await upstream.close();
  }
}

/** Opens another database on the same server. */
async function ownDatabase(): Promise<{ env: Env; database: Database; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-own-'));
  const { env, open } = await createDoctorDatabase(dataDir);
  return { env, database: await open(), remove: () => rm(dataDir, { recursive: true }) };
}

/** @returns the settings of a new database without a migration. It is on a server if there is one, because opening an embedded one takes seconds. */
async function databaseWith(statement: string): Promise<Env> {
  if (whyNoServer() === null) {
    const name = await createDatabase();
    await execute(statement, name);
    return { DATABASE_URL: serverUrl(name) };
  }
  const DATA_DIR = await makeEmptyDataDirectory('foyer-empty', statement);
  directories.push(DATA_DIR);
  return { DATABASE_URL: '', DATA_DIR };
}

async function withSeed({ db }: Database, name: string, keys: Keys): Promise<void> {
  const columns = sql`username, username_key, display_name, created_at, updated_at`;
  const { rows } = await sql<{ id: string }>`
    insert into account (${columns}) values (${name}, ${name}, ${name}, now(), now()) returning id
  `.execute(db);
  const secret = keys.seal('totp-seed', 'JBSWY3DPEHPK3PXP');
  await sql`insert into totp_factor (account_id, secret, last_step, created_at) values (${rows[0]?.id}, ${secret}, 0, now())`.execute(
    db,
  );
}

describe('[INS-3] a healthy installation', () => {
  it('has no fault, and the upstream is unchanged', async () => {
    const before = await new AdminApi(healthy.upstream.adminUrl).send('GET', '/admin/clients');
    const { code, faults, findings, counts } = await diagnose(healthy.env);
    expect(faults).toEqual([]);
    expect({ code, fault: counts.fault }).toEqual({ code: 0, fault: 0 });
    expect(findings.length).toBeGreaterThan(12);
    expect(findings.map(({ what }) => what)).toContain('All parts of the running gateway are ok: database, clock, upstream.');
    // The address of the doctor itself belongs to the command line and is not a setting of the gateway.
    expect(JSON.stringify(findings)).not.toContain('OPERATOR_URL');
    expect((await new AdminApi(healthy.upstream.adminUrl).send('GET', '/admin/clients')).text).toBe(before.text);
  });
});

describe('[INS-3] finds and says how to fix', () => {
  it('a login address on 127.0.0.1 where people use localhost', async () => {
    const login = `${healthy.publicUrl.replace('localhost', '127.0.0.1')}/login`;
    expect(await faultsWithPages({ login })).toEqual([
      expect.stringMatching(
        /^Pages of a sign-in: URLS_LOGIN .* different hosts for a browser.* → Set URLS_LOGIN \(urls.login\) of Hydra to http:..localhost/,
      ),
    ]);
  });

  it('a consent address with another path, another port, a slash too many', async () => {
    const consent = `${healthy.publicUrl}/consents`;
    const logout = `${healthy.publicUrl}/logout/`;
    const error = 'http://localhost:9/error';
    expect(await faultsWithPages({ consent, logout, error })).toEqual([
      expect.stringContaining('the path is /consents, not /consent'),
      expect.stringContaining('it ends with a slash'),
      expect.stringContaining('the port is 9, not '),
    ]);
  });

  it('a logout page and an error page that are not configured at the upstream', async () => {
    // Hydra puts the path of its public address before the path of the page.
    const error = 'http://localhost:9/hydra/oauth2/fallbacks/error';
    expect(await faultsWithPages({ logout: 'http://localhost:9/oauth2/fallbacks/logout', error })).toEqual([
      expect.stringMatching(/URLS_LOGOUT of Hydra is not set: nobody can log out.*Set URLS_LOGOUT \(urls.logout\)/),
      expect.stringMatching(/URLS_ERROR of Hydra is not set.*Set URLS_ERROR \(urls.error\)/),
    ]);
  });

  it('a PUBLIC_URL with another port, and one of another server', async () => {
    const [port = 0] = await findFreePorts(1);
    const nobody = await findFaults({ PUBLIC_URL: `http://localhost:${port}` });
    expect(nobody[0]).toMatch(
      /^Address: No server answers at PUBLIC_URL.*ECONNREFUSED.*but Foyer listens at http:..localhost:.*Set PUBLIC_URL/,
    );
    expect(nobody).toContainEqual(expect.stringContaining('URLS_LOGIN of Hydra is'));
    const { findings } = await diagnose(withEnv({ PUBLIC_URL: `http://localhost:${port}`, TRUST_PROXY: '1' }));
    const proxies = findings.filter(({ check }) => check === 'Proxies').map(({ what, fix }) => `${what} ${fix}`);
    expect(proxies).toEqual([expect.stringMatching(/only if Foyer answers at PUBLIC_URL. Make Foyer answer at PUBLIC_URL/)]);
    const other = createServer((_request, response) => void response.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => void other.listen(0, 'localhost', resolve));
    const taken = await findFaults({ PUBLIC_URL: `http://localhost:${(other.address() as AddressInfo).port}` });
    await new Promise((resolve) => other.close(resolve));
    expect(taken[0]).toMatch(/^Address: The server at PUBLIC_URL, .* is not Foyer/);
  });

  it('an upstream whose issuer is not HYDRA_PUBLIC_URL', async () => {
    const HYDRA_PUBLIC_URL = healthy.upstream.publicUrl.replace('localhost', '127.0.0.1');
    const faults = await findFaults({ HYDRA_PUBLIC_URL });
    expect(faults[0]).toMatch(
      /^Hydra: The issuer of Hydra is http:..localhost.*HYDRA_PUBLIC_URL is http:..127.*URLS_SELF_ISSUER \(urls.self.issuer\)/,
    );
  });

  it('swapped addresses of the upstream, and the public API at the admin address', async () => {
    const { publicUrl, adminUrl } = healthy.upstream;
    const swapped = await findFaults({ HYDRA_PUBLIC_URL: adminUrl, HYDRA_ADMIN_URL: publicUrl });
    expect(swapped).toEqual([expect.stringMatching(/HYDRA_ADMIN_URL and HYDRA_PUBLIC_URL are swapped.*SERVE_ADMIN_PORT/)]);
    expect(await findFaults({ HYDRA_ADMIN_URL: publicUrl })).toEqual([
      expect.stringMatching(/HYDRA_ADMIN_URL.*is the public API of Hydra/),
    ]);
  });

  it('an admin API that can be reached through the public address', async () => {
    const faults = await faultsBehind((headers) => headers, /^\/admin/);
    expect(faults).toEqual([expect.stringMatching(/The admin API of Hydra answers at the public address.*SERVE_ADMIN_HOST/)]);
  });

  it('a clock of the upstream that is five minutes behind', async () => {
    const delayClock = (headers: IncomingHttpHeaders) => {
      const date = new Date(Date.parse(headers.date ?? '') - 300_000).toUTCString();
      return { ...headers, date };
    };
    expect(await faultsBehind(delayClock)).toEqual([expect.stringMatching(/clock of Hydra is (299|300|301) s behind.*NTP/)]);
  });

  it('cookies of the upstream that no browser stores', async () => {
    const setForOtherDomain = (headers: IncomingHttpHeaders) => ({
      ...headers,
      'set-cookie': headers['set-cookie']?.map((line) => `${line}; Domain=auth.example.org`),
    });
    expect(await faultsBehind(setForOtherDomain)).toEqual([
      expect.stringMatching(/set for auth.example.org.*SERVE_COOKIES_DOMAIN/),
    ]);
  });

  it('a database that does not answer, and one without tables', async () => {
    const [port = 0] = await findFreePorts(1);
    expect(await findFaults({ DATABASE_URL: `postgres://foyer:geheim@localhost:${port}/foyer` })).toEqual([
      expect.stringMatching(/^Database: The database server in DATABASE_URL does not answer.*ECONNREFUSED.*Start it/),
    ]);
    expect(await findFaults(await databaseWith('select 1'))).toEqual([
      expect.stringMatching(/^Database: The database lacks .*accounts.*Foyer is running/),
    ]);
    expect(await findFaults(await databaseWith('create table account (username text)'))).toEqual([
      expect.stringMatching(/^Database: .*from before v0\.1\.0 is not migrated.*Set another DATA_DIR/),
    ]);
  });

  it('an embedded database that is in use, and who answers for it', async () => {
    const DATA_DIR = await makeMigratedDataDirectory('foyer-used');
    const embedded = withEnv({ DATABASE_URL: '', DATA_DIR });
    const lock = await lockDataDirectory(join(DATA_DIR, 'database.lock'), { onLost: () => undefined });
    const { code, findings } = await diagnose(embedded);
    await lock.release();
    const seen = findings.map(({ level, what }) => `${level}: ${what}`).join();
    expect([code, await findFaults(embedded), seen]).toEqual([0, [], expect.stringMatching(/ok: .*in use by the running Foyer/)]);
    await rm(DATA_DIR, { recursive: true });
  });

  it('a mail server that is missing, refuses, or offers no encryption', async () => {
    const [port = 0] = await findFreePorts(1);
    const findMailFaults = (url: string) => findFaults({ SMTP_URL: url });
    const refused = [expect.stringMatching(/^Mail: .*refuses connections \(.*SMTP_URL/)];
    expect([await findMailFaults(`smtp://localhost:${port}`), await findMailFaults(`smtps://localhost:${port}`)]).toEqual([
      refused,
      refused,
    ]);
    expect(await findMailFaults('smtps://mail.invalid')).toEqual([
      expect.stringMatching(/^Mail: The host name of the mail server, mail\.invalid, cannot be resolved \(.*SMTP_URL/),
    ]);
    const host = `localhost:${healthy.mail.port}`;
    expect(await findMailFaults(`smtp://${host}?starttls=required`)).toEqual([
      expect.stringMatching(/offers no trustworthy encryption.*STARTTLS/),
    ]);
    const { out } = await doctor(withEnv({ SMTP_URL: `smtp://foyer:Blumentopf-77@${host}` }));
    expect(out).toMatch(/FAULT {2}The mail server at .* refuses the login \(EAUTH/);
    expect(out).not.toContain('Blumentopf-77');
  });

  it('weak secrets, sample secrets and repeated secrets, without showing them', async () => {
    const SECRETS_SYSTEM = 'youReallyNeedToChangeThis-youReally';
    const { code, faults, findings } = await diagnose(withEnv({ NODE_ENV: 'production', DATABASE_URL: '', SECRETS_SYSTEM }));
    expect(code).toBe(1);
    expect(faults).toContainEqual(expect.stringMatching(/^Secrets: SECRETS_SYSTEM: secret 1 looks like a sample.*openssl rand/));
    expect(faults).toContainEqual(expect.stringMatching(/^Settings: DATABASE_URL: is required in production/));
    for (const secret of [SECRETS_SYSTEM, healthy.env['OPERATOR_TOKEN']]) expect(JSON.stringify(findings)).not.toContain(secret);
  });

  it('a database whose seeds were sealed with a secret that is not listed', async () => {
    const { env, database, remove } = await ownDatabase();
    for (const name of ['tina', 'tom']) await withSeed(database, name, new Keys([`a secret that belongs to ${name} alone`]));
    await database.close();
    expect(await findFaults({ ...env, SECRETS_SYSTEM: 'a secret that belongs to tom alone' })).toEqual([
      expect.stringMatching(
        /^Secrets: 1 of 2 checked authenticator apps was set up with a secret that is no longer in SECRETS_SYSTEM/,
      ),
    ]);
    await remove();
  });

  it('[VAL-5] usernames from before the rules for new ones, which are not a fault', async () => {
    const { env, database, remove } = await ownDatabase();
    const names = new AccountNames(database, testConfig(), NO_SOURCES);
    for (const [username, email] of [
      ['nina@example.org', null],
      ['nina', 'nina@example.org'],
      ['lola', null],
      ['1ola', null],
      ['ad-min', null],
      ['R00t', null],
      ['admiral', null],
    ] as const) {
      const row = {
        username,
        username_key: username.toLowerCase(),
        display_name: username,
        email,
        email_key: email,
        created_at: new Date(),
        updated_at: new Date(),
      };
      const { id } = await database.db.insertInto('account').values(row).returning('id').executeTakeFirstOrThrow();
      await names.storeSkeletons([{ accountId: id, username }], database.db);
    }
    await database.close();
    const { findings, faults } = await diagnose(withEnv(env));
    expect(findings.filter(({ check }) => check === 'Usernames').map(({ level, what }) => [level, what])).toEqual([
      ['hint', 'These usernames are the e-mail address of another account: nina@example.org.'],
      ['hint', 'These usernames look like the username of another account: 1ola, lola.'],
      ['hint', '2 accounts have a username that is reserved (RESERVED_USERNAMES): ad-min, R00t.'],
    ]);
    expect(faults).toEqual([]);
    const other = await diagnose(withEnv({ ...env, RESERVED_USERNAMES: 'admiral' }));
    expect(other.findings.filter(({ what }) => what.includes('RESERVED_USERNAMES')).map(({ what }) => what)).toEqual([
      '1 account has a username that is reserved (RESERVED_USERNAMES): admiral.',
    ]);
    const none = await diagnose(withEnv({ ...env, RESERVED_USERNAMES: 'none' }));
    expect(none.findings.filter(({ what }) => what.includes('RESERVED_USERNAMES'))).toEqual([]);
    await remove();
  });

  it('short passwords and factor resets by a token alone, which are not a fault', async () => {
    const hints = async (more: Env) => {
      const { findings } = await diagnose(withEnv(more));
      return findings.filter(({ check, level }) => check === 'Passwords' && level === 'hint').map(({ fix }) => fix);
    };
    expect(await hints({ PASSWORD_PROFILE: '', FACTOR_RESET_PROOF: 'none' })).toEqual([
      expect.stringContaining('PASSWORD_PROFILE=nist'),
      expect.stringContaining('FACTOR_RESET_PROOF=password'),
    ]);
    expect(await hints({ PASSWORD_PROFILE: 'nist', PASSWORD_MIN_LENGTH: '', FACTOR_RESET_PROOF: 'password' })).toEqual([]);
  });

  it('a short password and a missing mail server once each, with the better remedy', async () => {
    const { findings } = await diagnose(
      withEnv({ PASSWORD_PROFILE: '', PASSWORD_MIN_LENGTH: '6', SMTP_URL: '', SUPPORT_CHECK: 'true' }),
    );
    const listHints = (pattern: RegExp) =>
      findings.filter(({ level, what }) => level === 'hint' && pattern.test(what)).map(({ what, fix }) => `${what} ${fix}`);
    expect(listHints(/password needs|PASSWORD_MIN_LENGTH/)).toEqual([
      expect.stringMatching(/^A password needs only 6 characters.* Set PASSWORD_PROFILE=nist/),
    ]);
    expect(listHints(/mail server|SMTP_URL/)).toEqual([
      expect.stringMatching(/^SMTP_URL: is not set; mails stay in the database.*SUPPORT_CHECK=true.* Set SMTP_URL, for example/),
    ]);
  });

  it('codes by e-mail that people have and that cannot be sent, also if they are no longer offered', async () => {
    const { env, database, remove } = await ownDatabase();
    await sql`
      with one as (insert into account (username, username_key, display_name, created_at, updated_at)
        values ('tina', 'tina', 'tina', now(), now()) returning id)
      insert into email_code_factor (account_id, created_at) select id, now() from one`.execute(database.db);
    await database.close();
    const faults = await findFaults({ ...env, SMTP_URL: '' });
    expect(faults).toEqual([
      expect.stringMatching(/^Second factors: 1 account has the second factor email-code, but no mail server is set.*SMTP_URL/),
    ]);
    await remove();
  });

  it('codes by e-mail that open an account to whoever can read its mail', async () => {
    const { findings } = await diagnose(withEnv({ MFA_FACTORS: 'totp,email-code' }));
    const hints = findings.filter(({ level, what }) => level === 'hint' && what.includes('email-code'));
    expect(hints.map(({ what }) => what)).toEqual([expect.stringContaining('Anybody who reads the mail')]);
  });

  it('codes by e-mail without a mail server, and a required second factor for people who cannot set one up', async () => {
    const MFA_FACTORS = 'email-code';
    const faults = await findFaults({ MFA_FACTORS, MFA_POLICY: 'required', SMTP_URL: '' });
    expect(faults).toEqual([
      expect.stringMatching(/^Second factors: MFA_FACTORS names email-code, but no mail server is set.*SMTP_URL/),
      expect.stringMatching(/^Second factors: A second factor is required, but people cannot set one up.*MFA_POLICY=optional/),
    ]);
  });

  it('a setting whose required setting is missing, which is named', async () => {
    expect(await findFaults({ METRICS_TOKEN: 'eJ4vQ8sZ2mW6xK1pT9bN3rY7uH5cL0dGaFoE' })).toEqual([
      expect.stringMatching(
        /^Settings: METRICS_TOKEN: requires .* → Set OTEL_METRICS_EXPORTER=prometheus too, or remove METRICS_TOKEN from/,
      ),
    ]);
  });

  it('a proxy that is not trusted, and a trusted one that is missing', async () => {
    const proxy = await startReverseProxy({ toOrigin: () => healthy.publicUrl });
    const behind = await diagnose(withEnv({ PUBLIC_URL: proxy.url }));
    const believed = await diagnose(withEnv({ PUBLIC_URL: proxy.url, TRUST_PROXY: '1' }));
    await proxy.close();
    expect(behind.faults[0]).toMatch(/^Proxies: A proxy is in front.*TRUST_PROXY is 0.*Set TRUST_PROXY/);
    expect(believed.faults.filter((text) => text.startsWith('Proxies'))).toEqual([]);
    expect(await findFaults({ TRUST_PROXY: '1' })).toEqual([
      expect.stringMatching(/^Proxies: TRUST_PROXY is 1, but no proxy is in front/),
    ]);
  });

  it('another token of the operator API, and dead links', async () => {
    const OPERATOR_TOKEN = 'r4nD0mTok3nOfSomebodyElse-9xQ2vB7kL';
    expect(await findFaults({ OPERATOR_TOKEN })).toEqual([expect.stringMatching(/^Operator API: .*uses a different token/)]);
    const { code, findings } = await diagnose(withEnv({ LOGO_URL: `${healthy.publicUrl}/no-logo.svg` }));
    expect(code).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'hint', what: expect.stringMatching(/LOGO_URL.*status 404/) }),
    );
  });
});

describe('[INS-3] the report', () => {
  it('is grouped, has a summary, and fits the window', async () => {
    const { code, out } = await doctor(withEnv({ TRUST_PROXY: '1' }));
    expect(code).toBe(1);
    expect(out).toMatch(/^Settings\n/);
    expect(out).toMatch(/\nProxies\n {2}FAULT {2}TRUST_PROXY is 1.*\n(.*\n)*? {9}→ Set TRUST_PROXY to 0/);
    expect(out).toMatch(/\n1 fault, \d+ hints?, \d+ ok\.\n$/);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  it('names what could not be checked where nothing runs', async () => {
    const free = await findFreePorts(5);
    const [port = 0, upstreamPublic = 0, upstreamAdmin = 0, smtp = 0, operator = 0] = free;
    const { code, findings } = await diagnose({
      PORT: String(port),
      OPERATOR_PORT: String(operator),
      EMBEDDED_UPSTREAM_PUBLIC_PORT: String(upstreamPublic),
      EMBEDDED_UPSTREAM_ADMIN_PORT: String(upstreamAdmin),
      EMBEDDED_SMTP_PORT: String(smtp),
      DATA_DIR: join(tmpdir(), `foyer-absent-${port}`),
    });
    expect({ code, faults: findings.filter(({ level }) => level === 'fault') }).toEqual({ code: 0, faults: [] });
    expect(findings).toContainEqual(expect.objectContaining({ check: 'Address', what: expect.stringContaining('not running') }));
    expect(findings.filter(({ check }) => check === 'Console').map(({ level }) => level)).toEqual(['hint']);
  });

  it('sends a mail only on request, and to one address', async () => {
    const server = await MailServer.start();
    const env = withEnv({ SMTP_URL: `smtp://localhost:${server.port}` });
    await doctor(env);
    expect(server.tries).toBe(0);
    expect((await doctor(env, '--send-test', 'a@example.org, b@example.org')).code).toBe(2);
    const { out } = await doctor(env, '--send-test', 'admin@example.org');
    expect(out).toContain('The server accepted the test mail');
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([['admin@example.org']]);
    await server.stop();
  });
});
