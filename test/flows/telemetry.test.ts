/** The traces and metrics of the product: all requests, linked, and without data of people. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { INSTRUMENTS } from '../../src/telemetry/catalogue.js';
import { SPANS } from '../../src/telemetry/span-catalogue.js';
import { toPrometheusName } from '../../src/telemetry/prometheus-name.js';
import { ManageUser, signIn } from '../support/manage.js';
import { PASSWORD } from '../support/gateway.js';
import type { ReceivedSpan } from '../support/otlp-collector.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import { SecondStepStory } from '../support/second-step.js';
import { startWatchedGateway, type WatchedGateway } from '../support/watched-gateway.js';

const CLIENT = 'geheimer-mandant';
const ADDRESS = '203.0.113.77';
const STRANGER = '4bf92f3577b34da6a3ce929d0e0e4736';
const AWAY = '127.0.0.1';

let watched: WatchedGateway;
let scraped: string;
let spans: ReceivedSpan[];
let auditCounts: Map<string, number>;
/** Everything that was entered, generated, or given to somebody. */
const secrets = new Set<string>();

/** Everything on a page that could give access. */
function keep(...texts: readonly (string | undefined | null)[]): void {
  for (const text of texts) if (text && text.length > 3) secrets.add(text);
}

beforeAll(async () => {
  // No proxy is in front, so trace headers of a client are ignored.
  watched = await startWatchedGateway({ config: (base) => ({ trustProxyHops: 0, hydra: base.hydra }) });
  await walk();
  auditCounts = await countAuditLog();
  scraped = (await watched.telemetry.scrape()) ?? '';
  await watched.finish();
  spans = watched.collector.spans();
}, 180_000);

afterAll(() => watched.close());

async function walk(): Promise<void> {
  const { gateway } = watched;
  const story = new SecondStepStory(gateway);
  const { account, app, recoveryCodes } = await story.createPerson('elfriede.kaltenbrunner');
  keep(account.id, account.username, PASSWORD, NEW_PASSWORD, ...recoveryCodes, CLIENT, ADDRESS);
  const client = gateway.hydra.client({ id: CLIENT, name: CLIENT });
  const browser = gateway.browser({ traceparent: `00-${STRANGER}-00f067aa0ba902b7-01`, 'x-forwarded-for': ADDRESS });
  const opened = await story.openLogin({ client, loginHint: account.username, challenge: 'challenge-of-the-walk' }, browser);
  await browser.post(PATHS.loginNative, { ...opened.fields, username: account.username, password: 'falsch und geheim' });
  await browser.post(PATHS.loginNative, { ...opened.fields, username: 'niemand.bekanntes', password: 'falsch und geheim' });
  keep('falsch und geheim', 'niemand.bekanntes', 'challenge-of-the-walk', ...Object.values(opened.fields));
  const waiting = await story.reachStep(account, { client, challenge: 'challenge-with-factor' }, browser);
  keep('challenge-with-factor', waiting.state.token, ...Object.values(waiting.fields));
  await browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: '000000' });
  await browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: app.code() });
  gateway.hydra.addConsent({ challenge: 'consent-of-the-walk', subject: account.id, client });
  const consent = (await browser.get(`${PATHS.consent}?consent_challenge=consent-of-the-walk`)).state('consent').consent;
  keep('consent-of-the-walk', consent.xsrf_token, consent.ticket);
  await browser.post(PATHS.consentAccept, {
    _xsrf: consent.xsrf_token,
    consent_challenge: 'consent-of-the-walk',
    ticket: consent.ticket,
  });
  await browser.get('/gibt/es/nicht/geheimer-pfad?geheime=anfrage');
  keep('geheimer-pfad', 'geheime=anfrage', ...browser.cookies(PATHS.login).map((cookie) => cookie.split('=')[1]));
  await browser.get(`${PATHS.error}?error=invalid_client&error_description=geheime+worte`);
  await browser.get(`${PATHS.error}?error=geheimer+code`);
  keep('geheime worte', 'geheimer code');
  await reset();
  await useManagePages();
  await rollBackChange();
  await abortRequest();
}

async function reset(): Promise<void> {
  const { gateway } = watched;
  const forgetful = await gateway.account('theodor.vergesslich', { email: 'theodor@vergesslich.example' });
  const story = new ResetStory(gateway);
  const token = await story.requestToken(forgetful.username);
  keep(token, forgetful.id, forgetful.username, 'theodor@vergesslich.example');
  expect((await story.reset(token)).status).toBeLessThan(400);
}

async function useManagePages(): Promise<void> {
  const { gateway } = watched;
  const owner = await gateway.account('ottilie.verwalterin');
  const browser = gateway.browser();
  keep(owner.id, owner.username);
  await signIn(gateway, browser, owner);
  const user = await ManageUser.enter(gateway, { account: owner, fresh: true });
  const page = await user.page(PATHS.manage, 'manage');
  keep(page.area.xsrf_token, page.api.token, ...user.browser.cookies(PATHS.manage).map((cookie) => cookie.split('=')[1]));
  const changed = await user.post(PATHS.managePassword, { password: NEW_PASSWORD, password_repeat: NEW_PASSWORD });
  keep(changed.location);
}

/** A change that was rolled back. */
async function rollBackChange(): Promise<void> {
  const { gateway } = watched;
  const changing = gateway.database.transaction(async (trx) => {
    await gateway.get(AuditLog).record({ kind: 'account.disabled', actor: 'operator' }, trx);
    throw new Error('taken back');
  });
  await expect(changing).rejects.toThrow('taken back');
}

/** A request whose sender disconnects during it. */
async function abortRequest(): Promise<void> {
  const { hostname, port } = new URL(watched.gateway.url);
  const socket = connect(Number(port), hostname);
  const head = ['Host: x', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100'];
  const before = watched.gateway.hydra.calls.length;
  socket.write(`POST ${PATHS.loginNative} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\nusername=`, () => socket.destroy());
  await once(socket, 'close');
  while (!findAbortedLine()) await new Promise((resolve) => setImmediate(resolve));
  expect(watched.gateway.hydra.calls).toHaveLength(before);
}

const findAbortedLine = () => watched.gateway.logLines.find(({ aborted }) => aborted === true);

async function countAuditLog(): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; events: number }>`
    select kind, count(*)::integer as events from audit_event group by kind`.execute(watched.gateway.database.db);
  return new Map(rows.map(({ kind, events }) => [kind, events]));
}

/** The values of a metric by the text of its labels. */
function toValues(name: keyof typeof INSTRUMENTS, labels = ''): number[] {
  const lines = scraped
    .split('\n')
    .filter((line) => new RegExp(`^${toPrometheusName(name)}[{ ]`).test(line) && line.includes(labels));
  return lines.map((line) => Number(line.slice(line.lastIndexOf(' '))));
}

const sumValues = (name: keyof typeof INSTRUMENTS, labels: string): number =>
  toValues(name, labels).reduce((sum, value) => sum + value, 0);

const toSpan = (name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`No span ${name} among ${[...new Set(spans.map((span) => span.name))].join(', ')}`);
  return found;
};

describe('[INS-9] metrics', () => {
  it('count each event of the audit log as often as the audit log has it', () => {
    expect(auditCounts.size).toBeGreaterThan(8);
    const counted = new Set(
      [...scraped.matchAll(/foyer_event_kind="([^"]+)",foyer_actor="\w+"\} [1-9]/g)].map(([, kind]) => kind),
    );
    expect([...counted].sort()).toEqual([...auditCounts.keys()].sort());
    for (const [kind, events] of auditCounts) {
      expect([kind, sumValues('foyer.events', `foyer_event_kind="${kind}"`)]).toEqual([kind, events]);
    }
  });

  it('count sign-ins by method and result, factors, and consents', () => {
    const countAttempts = (result: string) => sumValues('foyer.login.attempts', `foyer_login_result="${result}"`);
    expect([countAttempts('refused'), countAttempts('proven')]).toEqual([2, 3]);
    const countCompleted = (factor: string) => sumValues('foyer.login.completed', `foyer_login_factor="${factor}"`);
    expect([countCompleted('otp'), countCompleted('none'), countCompleted('hwk')]).toEqual([1, 2, 0]);
    const factor = (result: string) => toValues('foyer.factor.attempts', `foyer_factor="totp",foyer_factor_result="${result}"`);
    expect([factor('refused'), factor('proven'), factor('stopped')]).toEqual([[1], [1], [0]]);
    expect(toValues('foyer.consent.decisions', 'foyer_consent_result="granted",foyer_consent_asked="true"')).toEqual([1]);
  });

  it('count the errors that Hydra reported at the error page, by known codes, as the log does', () => {
    expect(sumValues('foyer.oauth.errors', 'foyer_oauth_error="invalid_client"')).toBe(1);
    expect(sumValues('foyer.oauth.errors', 'foyer_oauth_error="other"')).toBe(1);
    const lines = watched.gateway.logLines.filter(({ msg }) => String(msg).includes('Hydra reported an error'));
    expect(lines.map(({ error }) => error)).toEqual(['invalid_client', 'other']);
    expect(lines.every(({ requestId }) => typeof requestId === 'string')).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('geheim');
  });

  it('measure requests by route, calls by operation, and the lengths of queues', () => {
    const post = `http_server_request_duration_seconds_count{http_request_method="POST",http_route="${PATHS.loginNative}"`;
    expect(scraped).toContain(post);
    expect(scraped).toContain('url_template="/admin/oauth2/auth/requests/login/accept"');
    expect(toValues('foyer.hash.waiting')).toEqual([0]);
    expect(toValues('foyer.hash.waiting.max')).toEqual([watched.gateway.config.hashing.queueLength]);
    expect(toValues('foyer.mail.waiting')).toHaveLength(2);
    expect(toValues('foyer.part.ready')).toEqual([1, 1, 1]);
    expect(toValues('process.memory.usage')[0]).toBeGreaterThan(1e6);
  });

  it('are exactly those of the catalogue, here and at the receiver', () => {
    const known = new Set<string>(Object.keys(INSTRUMENTS));
    const delivered = watched.collector.metrics();
    expect(delivered.length).toBeGreaterThan(20);
    expect(delivered.filter((name) => !known.has(name))).toEqual([]);
    const names = new Set(Object.keys(INSTRUMENTS).map((name) => toPrometheusName(name as keyof typeof INSTRUMENTS)));
    const typed = [...scraped.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
    expect(typed.filter((name) => !names.has(name))).toEqual(['target_info']);
  });
});

describe('[INS-9] traces', () => {
  it('lead from a request of a browser to its calls, statements and hashes, and on to the upstream', () => {
    const request = toSpan(`POST ${PATHS.mfaVerify}`);
    const accept = toSpan('PUT /admin/oauth2/auth/requests/login/accept');
    const inTrace = spans.filter(({ traceId }) => traceId === accept.traceId);
    expect(inTrace.map(({ name }) => name)).toContain(`POST ${PATHS.mfaVerify}`);
    expect(inTrace.some(({ name }) => name === 'totp.take')).toBe(true);
    expect(request.kind).toBe(2);
    const call = watched.admin.calls.find(({ method, path }) => method === 'PUT' && path.endsWith('/login/accept'));
    expect(call?.headers['traceparent']).toBe(`00-${accept.traceId}-${accept.spanId}-01`);
    const login = spans.filter(({ name }) => name === `POST ${PATHS.loginNative}`).map(({ spanId }) => spanId);
    expect(login).toContain(toSpan('hash verify').parentSpanId);
  });

  it('start again for unknown senders, whatever their headers are', () => {
    expect(spans.filter(({ traceId }) => traceId === STRANGER)).toEqual([]);
  });

  it('contain what the catalogue allows and nothing else', () => {
    const allowed = new Set<string>(Object.values(SPANS).flatMap(({ attributes }) => [...attributes]));
    const carried = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...carried].filter((name) => !allowed.has(name))).toEqual([]);
    expect(spans.filter(({ status }) => status.message)).toEqual([]);
  });

  it('are named in the lines of the log', () => {
    const lines = watched.gateway.logLines.filter(({ path }) => path === PATHS.mfaVerify);
    const ids = spans.filter(({ kind }) => kind === 2).map(({ traceId, spanId }) => `${traceId} ${spanId}`);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of [...lines, findAbortedLine()])
      expect(ids).toContain(`${String(line?.['trace_id'])} ${String(line?.['span_id'])}`);
  });
});

it('[INS-9] nothing that leaves holds a name, an id, a password, a challenge, a token, a client, an address or a query', () => {
  const everything = [scraped, ...watched.collector.bodies].join('\n');
  expect(secrets.size).toBeGreaterThan(25);
  expect([...secrets].filter((secret) => everything.includes(secret))).toEqual([]);
  expect(everything).not.toContain('?');
  const endpoint = new URL(watched.collector.endpoint).host;
  expect(everything.replaceAll(endpoint, '')).not.toContain(AWAY);
});
