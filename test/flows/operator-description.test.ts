/** The real answers of the operator API, compared with its description: every operation, successful and refused. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TermsAcceptances } from '../../src/accounts/terms/terms-acceptances.js';
import { randomToken } from '../../src/config/keys.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { trustBrowser } from '../support/finished-sign-in.js';
import { loadApi } from '../support/operator-api.js';
import { beginConsoleSession, operatorSteps } from '../support/operator-story.js';
import { OWN_CHANGE } from '../support/proven-session.js';
import { buildScimSettings, noteScimFault } from '../support/scim-people.js';
import { addSignUp } from '../support/waiting-sign-up.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const BCRYPT = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';
const NIGHT = randomToken();
const LINES = { 'content-type': 'application/x-ndjson' };

const SINK = {
  name: 'crm',
  kind: 'webhook',
  address: 'https://crm.example.org/',
  secrets: [],
  events: ['account.created'],
  person: [],
} as const;

const TERMS_TEXT = { locale: 'en', title: 'Terms', text: 'Terms\n', sha256: 'a'.repeat(64) } as const;
const TERMS = { id: 'use', version: '1', texts: [TERMS_TEXT], clients: ['portal'], laterUntil: new Date('2100-01-01') };

let operator: TestOperator;
const staff = new FakeUserSource('staff');
const api = loadApi();
const { createAccount, beginSession } = operatorSteps(() => operator);
const answered = new Set<string>();

beforeAll(async () => {
  operator = await startTestOperator({
    config: () => ({ scim: [buildScimSettings()], eventSinks: [SINK], terms: [TERMS] }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
});

afterAll(() => operator.close());

async function check(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  replica = operator,
): Promise<number> {
  const answer = await replica.call(method, path, body, headers);
  expect([method, path, api.findAnswerFaults(method, `/operator/v1${path}`, answer)]).toEqual([method, path, null]);
  if (answer.status < 300) answered.add(api.find(method, `/operator/v1${path}`).name);
  return answer.status;
}

describe('[OPR-13] the description of the operator API', () => {
  it('describes the answers of a check of who is calling', async () => {
    const replica = await startTestOperator({
      config: (config) => ({ operator: { ...config.operator, supportCheck: true } }),
    });
    const { json } = await replica.call('POST', '/accounts', { username: 'calling.person' });
    const path = `/accounts/${String(json['id'])}/support-check`;
    expect(await check('POST', path, undefined, {}, replica)).toBe(200);
    expect(await check('GET', path, undefined, {}, replica)).toBe(200);
    expect(await check('POST', `${path}/answer`, { words: 'lantern river tulip' }, {}, replica)).toBe(200);
    await replica.close();
  });

  it('describes the answers of successful calls', async () => {
    const whole = {
      password: 'kupfer linde 4821',
      display_name: 'Eine Person',
      email: 'whole@example.org',
      language: 'de',
      group_name: 'G',
    };
    const { id } = await createAccount(whole);
    expect(await check('POST', '/accounts', { username: 'described.person', ...whole })).toBe(201);
    expect(await check('GET', '/accounts')).toBe(200);
    expect(await check('GET', '/accounts?limit=1&email=whole@example.org')).toBe(200);
    expect(await check('GET', `/accounts/${id}`)).toBe(200);
    expect(
      await check('PATCH', `/accounts/${id}`, { email: null, second_factor: 'required', picture: 'https://example.org/p.png' }),
    ).toBe(200);
    await beginSession(id, 'upstream session');
    expect(await check('GET', `/accounts/${id}/sessions`)).toBe(200);
    const { sessions } = (await operator.call('GET', `/accounts/${id}/sessions`)).json as { sessions: { id: string }[] };
    expect(await check('DELETE', `/accounts/${id}/sessions/${String(sessions[0]?.id)}`)).toBe(200);
    expect(await check('DELETE', `/accounts/${id}/sessions`)).toBe(200);
    await trustBrowser(operator.database, id);
    expect(await check('GET', `/accounts/${id}/trusted-browsers`)).toBe(200);
    const browsers = (await operator.call('GET', `/accounts/${id}/trusted-browsers`)).json as {
      trusted_browsers: { id: string }[];
    };
    expect(await check('DELETE', `/accounts/${id}/trusted-browsers/${String(browsers.trusted_browsers[0]?.id)}`)).toBe(200);
    expect(await check('DELETE', `/accounts/${id}/trusted-browsers`)).toBe(200);
    expect(await check('POST', `/accounts/${id}/operator-rights`, { right: 'read' })).toBe(200);
    expect(await check('GET', `/accounts/${id}/operator-rights`)).toBe(200);
    expect(await check('GET', '/operators?limit=1')).toBe(200);
    expect(await check('DELETE', `/accounts/${id}/operator-rights/read`)).toBe(200);
    await beginConsoleSession(operator, id);
    expect(await check('GET', '/operator-sessions')).toBe(200);
    const { sessions: ofOperators } = (await operator.call('GET', '/operator-sessions')).json as { sessions: { id: string }[] };
    expect(await check('DELETE', `/operator-sessions/${ofOperators[0]?.id}`)).toBe(200);
    const seed = { account_id: id, secret: 'sealed', last_step: 0, created_at: operator.clock.now() };
    await operator.database.db.insertInto('totp_factor').values(seed).execute();
    expect(await check('DELETE', `/accounts/${id}/factors/totp`)).toBe(200);
    expect(await check('GET', `/search?q=${id}`)).toBe(200);
    const wanted = { action: 'end_sessions', filter: { username: 'nobody.has.it' } };
    expect(await check('POST', '/jobs/count', wanted)).toBe(200);
    expect(await check('POST', '/jobs', { ...wanted, count: 0 })).toBe(200);
    expect(await check('GET', '/jobs')).toBe(200);
    const { jobs } = (await operator.call('GET', '/jobs')).json as { jobs: { id: string }[] };
    expect(await check('GET', `/jobs/${jobs[0]?.id}`)).toBe(200);
    expect(await check('GET', `/jobs/${jobs[0]?.id}/failures`)).toBe(200);
    expect(await check('POST', `/jobs/${jobs[0]?.id}/stop`)).toBe(200);
    expect(await check('POST', '/filters', { page: 'people', name: 'Described', filter: { status: 'disabled' } })).toBe(200);
    expect(await check('GET', '/filters')).toBe(200);
    const { filters } = (await operator.call('GET', '/filters')).json as { filters: { id: string }[] };
    expect(await check('DELETE', `/filters/${filters[0]?.id}`)).toBe(200);
    expect(await check('POST', `/accounts/${id}/unlock`)).toBe(200);
    const owner = await createAccount({ password: 'kupfer linde 4821' });
    expect(await check('POST', `/accounts/${owner.id}/require-password-change`)).toBe(200);
    const { id: withoutPassword } = await createAccount();
    expect(await check('POST', `/accounts/${withoutPassword}/require-password-change`)).toBe(409);
    expect(await check('POST', `/accounts/${id}/password-reset`)).toBe(200);
    expect(await check('POST', `/accounts/${id}/factor-reset`)).toBe(200);
    expect(await check('POST', `/accounts/${id}/disable`)).toBe(200);
    expect(await check('POST', `/accounts/${id}/enable`)).toBe(200);
    const invited = await createAccount({ email: 'invited@example.org' });
    expect(await check('POST', `/accounts/${invited.id}/invitation`)).toBe(200);
    expect(await check('POST', `/accounts/${invited.id}/password-reset-mail`)).toBe(200);
    const invitation = await operator.call('POST', '/invitations', { email: 'new@example.org' });
    expect(await check('POST', '/invitations', { email: 'newer@example.org', groups: ['Sales'], days: 3 })).toBe(201);
    expect(await check('POST', '/invitations', { email: 'invited@example.org' })).toBe(409);
    expect(await check('POST', '/invitations/many', { invitations: [{ email: 'newest@example.org' }, { email: 'x' }] })).toBe(
      200,
    );
    expect(await check('GET', '/invitations?state=open&limit=1')).toBe(200);
    const invitationPath = `/invitations/${String(invitation.json['id'])}`;
    expect(await check('GET', invitationPath)).toBe(200);
    expect(await check('GET', `/invitations/${NOBODY}`)).toBe(404);
    expect(await check('POST', `${invitationPath}/resend`)).toBe(200);
    expect(await check('POST', `${invitationPath}/withdraw`)).toBe(200);
    const [mail] = await operator.services.mails.claim(1);
    await operator.services.mails.abandon(mail!, 'refused', { cause: 'refused', code: 'RCPT TO 550' });
    for (const path of ['/today', '/sources', '/settings']) expect(await check('GET', path)).toBe(200);
    expect(await check('POST', '/doctor')).toBe(200);
    expect(await check('GET', '/sinks')).toBe(200);
    expect(await check('GET', '/sinks/crm/deliveries?state=waiting&limit=1')).toBe(200);
    expect(await check('POST', '/sinks/crm/pause')).toBe(200);
    expect(await check('POST', '/sinks/crm/resume')).toBe(200);
    expect(await check('POST', '/sinks/crm/replay', { since: '2026-01-01' })).toBe(200);
    const { deliveries } = (await operator.call('GET', '/sinks/crm/deliveries')).json as { deliveries: { event: string }[] };
    expect(await check('POST', '/sinks/crm/deliveries/replay', { event: deliveries[0]?.event })).toBe(200);
    const offered = await createAccount();
    const offer = { account: offered.id, source: 'entra', external_id: 'object-1' };
    expect(await check('POST', '/scim/offers', offer)).toBe(200);
    expect(await check('GET', '/scim/offers?source=entra')).toBe(200);
    expect(await check('DELETE', `/scim/offers/${offered.id}`)).toBe(200);
    expect(await check('POST', '/scim/offers/many', { source: 'entra', filter: { username: offered.username } })).toBe(200);
    const refused = await noteScimFault(operator);
    expect(await check('GET', '/scim/faults?source=entra')).toBe(200);
    expect(await check('DELETE', `/scim/faults/${refused}`)).toBe(200);
    const [signUp, otherSignUp] = [await addSignUp(operator), await addSignUp(operator)];
    expect(await check('GET', '/sign-ups?limit=1')).toBe(200);
    expect(await check('POST', `/sign-ups/${signUp}/approve`, { username: 'described.sign-up' })).toBe(200);
    expect(await check('POST', `/sign-ups/${otherSignUp}/refuse`, { message: 'described' })).toBe(200);
    await new TermsAcceptances(operator.database, operator.services.audit).accept(
      { accountId: offered.id, terms: TERMS, text: TERMS_TEXT, clientId: 'portal' },
      { actor: 'person', signIn: OWN_CHANGE.manageSession },
    );
    expect(await check('GET', `/accounts/${offered.id}/terms?limit=1`)).toBe(200);
    expect(await check('GET', '/terms')).toBe(200);
    expect(await check('GET', `/terms/texts/${TERMS_TEXT.sha256}`)).toBe(200);
    expect(await check('GET', '/mails?limit=1')).toBe(200);
    expect(await check('GET', '/mails/causes')).toBe(200);
    expect(await check('POST', `/mails/${mail!.id}/retry`)).toBe(200);
    expect(await check('POST', '/mails/retry', { cause: 'refused' })).toBe(200);
    expect(await check('POST', `/accounts/${invited.id}/deletion`, { days: 3 })).toBe(200);
    expect(await check('DELETE', `/accounts/${invited.id}/deletion`)).toBe(200);
    expect(await check('DELETE', `/accounts/${invited.id}`)).toBe(200);
    expect(await check('POST', `/accounts/${id}/unfreeze`)).toBe(200);
    const person = { subject: '1', username: 'of.a.source', emailVerified: false, attributes: {}, isActive: true };
    const entered = await operator.services.sourceAccounts.createOrUpdate({
      source: 'staff',
      person,
      auditContext: { actor: 'operator' },
    });
    const sourceAccountId = 'account' in entered ? entered.account.id : '';
    expect(await check('POST', `/accounts/${sourceAccountId}/refresh`)).toBe(200);
    expect(await check('DELETE', `/accounts/${sourceAccountId}/source`)).toBe(200);
    staff.people.push({ ...person, password: 'unused' });
    expect(await check('POST', `/accounts/${sourceAccountId}/source`, { source: 'staff', subject: '1' })).toBe(200);
    const identity = { provider: 'google', issuer: 'https://accounts.google.com', subject: 'described', label: null };
    const auditContext = { actor: 'person' } as const;
    await operator.services.identities.connect({
      accountId: id,
      provider: 'google',
      providerName: 'Google',
      identity,
      auditContext,
    });
    expect(await check('GET', `/accounts/${id}/providers`)).toBe(200);
    expect(await check('DELETE', `/accounts/${id}/providers/google`)).toBe(200);
    operator.hydra.addClient(operator.hydra.client({ id: 'portal' }), ['openid', 'email']);
    expect(await check('GET', `/accounts/${id}/claims?client=portal`)).toBe(200);
    const app = {
      preset: 'server',
      client_id: 'shop',
      client_name: 'Shop',
      redirect_uris: ['https://shop.example.org/callback'],
    };
    expect(await check('POST', '/clients', app)).toBe(201);
    expect(await check('GET', '/clients?limit=1')).toBe(200);
    expect(await check('GET', '/clients/presets')).toBe(200);
    expect(await check('GET', '/clients/shop')).toBe(200);
    const { version } = (await operator.call('GET', '/clients/shop')).json;
    expect(await check('PATCH', '/clients/shop', { version, client_name: 'Laden', foyer: { mfa: 'required' } })).toBe(200);
    expect(await check('GET', '/clients/shop/people?limit=1')).toBe(200);
    expect(await check('GET', `/clients/shop/preview?account=${id}`)).toBe(200);
    expect(await check('DELETE', `/accounts/${id}/apps/shop`)).toBe(200);
    expect(await check('POST', '/clients/shop/secret')).toBe(200);
    expect(await check('DELETE', '/clients/shop')).toBe(200);
    expect(await check('GET', `/accounts/${id}/audit?kind=account&limit=5`)).toBe(200);
    expect(await check('GET', `/audit?account=${id}`)).toBe(200);
    expect(await check('GET', '/health')).toBe(200);
    const lines = [
      { username: 'described.import', password_hash: BCRYPT, providers: [{ provider: 'google', subject: 'imported' }] },
      { username: 'DESCRIBED.import' },
      { username: 'x' },
      'none',
    ];
    const batch = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(await check('POST', '/imports?dry_run=true', batch, LINES)).toBe(200);
    expect(await check('POST', '/imports', batch, LINES)).toBe(200);
    expect(await check('POST', '/imports', batch, LINES)).toBe(200);
    expect(await check('GET', '/exports?password_hashes=true')).toBe(200);
    await checkApprovals();
    const all = Object.entries(api.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect([...answered].sort()).toEqual(all.sort());
  });

  /** With a second operator: a replica with this setting, whose token approves what another token asked for. */
  async function checkApprovals(): Promise<void> {
    const { database } = operator;
    const tokens = [{ name: 'night', rights: 'admin', token: NIGHT }] as const;
    const replica = await startTestOperator({
      database,
      config: (config) => ({ operator: { ...config.operator, approval: 'operators-and-tokens', tokens } }),
    });
    const { id } = await createAccount();
    const reason = { 'x-foyer-reason': 'described' };
    const night = { ...reason, authorization: `Bearer ${NIGHT}` };
    const ask = async (): Promise<string> => {
      const path = `/accounts/${id}/factor-reset`;
      expect(await check('POST', path, undefined, night, replica)).toBe(202);
      return String((await replica.call('POST', path, undefined, night)).json['id']);
    };
    const first = await ask();
    expect(await check('GET', '/approvals', undefined, {}, replica)).toBe(200);
    expect(await check('GET', `/approvals/${first}`, undefined, {}, replica)).toBe(200);
    expect(await check('POST', `/approvals/${first}/approve`, undefined, reason, replica)).toBe(200);
    expect(await check('POST', `/approvals/${await ask()}/reject`, undefined, reason, replica)).toBe(200);
    expect(await check('DELETE', `/approvals/${await ask()}`, undefined, night, replica)).toBe(200);
    expect(await check('GET', '/exports?password_hashes=true', undefined, reason, replica)).toBe(202);
    await replica.close();
  }

  it('describes the answers of refused calls', async () => {
    const { id, username } = await createAccount();
    await operator.call('POST', `/accounts/${id}/disable`);
    const refused: [string, string, unknown?, Record<string, string>?][] = [
      ['POST', '/accounts'],
      ['POST', '/accounts', '{"username":'],
      ['POST', '/accounts', { username }],
      ['POST', '/accounts', { username: 'ab' }],
      ['POST', '/accounts', { username: ' ' }],
      ['POST', '/accounts', { username: 'a b c' }],
      ['POST', '/accounts', { username: 'x'.repeat(65) }],
      ['POST', '/accounts', { username: 'weak', password: '1' }],
      ['POST', '/accounts', { username: 'mail', email: 'x' }],
      ['POST', '/accounts', { username: 'more', more: 1 }],
      ['POST', '/accounts', { username: 'x'.repeat(70_000) }],
      ['POST', '/accounts', 'username=x', { 'content-type': 'text/plain' }],
      ['GET', '/accounts?limit=0'],
      ['GET', '/accounts?more=1'],
      ['GET', `/accounts/${NOBODY}`],
      ['GET', '/accounts/nobody'],
      ['PATCH', `/accounts/${id}`, { display_name: '' }],
      ['PATCH', `/accounts/${id}`, { display_name: 'x'.repeat(129) }],
      ['PATCH', `/accounts/${id}`, { group_name: 'a\nb' }],
      ['PATCH', `/accounts/${id}`, { language: 'xx' }],
      ['PATCH', `/accounts/${NOBODY}`, {}],
      ['POST', `/accounts/${id}/password-reset`],
      ['POST', `/accounts/${id}/factor-reset`],
      ['POST', `/accounts/${id}/invitation`],
      ['POST', `/accounts/${id}/refresh`],
      ['POST', `/accounts/${id}/source`, { source: 'nowhere', subject: 'x' }],
      ['POST', `/accounts/${id}/source`, { source: 'nowhere' }],
      ['POST', `/accounts/${NOBODY}/source`, { source: 'nowhere', subject: 'x' }],
      ['DELETE', `/accounts/${id}/source`],
      ['DELETE', `/accounts/${NOBODY}/source`],
      ['DELETE', `/accounts/${NOBODY}`],
      ['DELETE', `/accounts/${NOBODY}/deletion`],
      ['POST', `/accounts/${NOBODY}/deletion`],
      ['POST', `/accounts/${id}/deletion`, { days: 91 }],
      ['POST', `/accounts/${id}/deletion`, { days: '7' }],
      ['GET', '/accounts?search=...'],
      ['GET', `/accounts?search=${'a+'.repeat(11)}`],
      ['GET', '/accounts?status=gone'],
      ...[
        'disable',
        'invitation',
        'password-reset-mail',
        'enable',
        'unlock',
        'require-password-change',
        'unfreeze',
        'refresh',
        'password-reset',
        'factor-reset',
      ].map((what): [string, string] => ['POST', `/accounts/${NOBODY}/${what}`]),
      ['GET', `/accounts/${NOBODY}/sessions`],
      ['DELETE', `/accounts/${NOBODY}/sessions`],
      ['DELETE', `/accounts/${id}/sessions/${NOBODY}`],
      ['DELETE', `/accounts/${id}/trusted-browsers/${NOBODY}`],
      ['POST', `/accounts/${id}/operator-rights`],
      ['POST', `/accounts/${id}/operator-rights`, { right: 'root' }],
      ['POST', `/accounts/${id}/operator-rights`, { right: 'read' }],
      ['POST', `/accounts/${NOBODY}/operator-rights`, { right: 'read' }],
      ['GET', `/accounts/${NOBODY}/operator-rights`],
      ['DELETE', `/accounts/${NOBODY}/operator-rights/read`],
      ['DELETE', `/accounts/${id}/operator-rights/read`],
      ['GET', '/operators?cursor=%00'],
      ['GET', '/health', undefined, { 'x-foyer-reason': '%' }],
      ['POST', `/accounts/${id}/enable`, undefined, { 'x-foyer-reason': '%' }],
      ['GET', `/accounts/${NOBODY}/providers`],
      ['DELETE', `/accounts/${id}/providers/google`],
      ['GET', `/accounts/${NOBODY}/audit`],
      ['GET', '/audit?kind=nothing'],
      ['GET', '/audit?since=yesterday'],
      ['GET', `/accounts/${id}/audit?cursor=x`],
      ['POST', '/imports'],
      ['POST', '/imports?dry_run=1', '{}', LINES],
      ['POST', '/imports', Buffer.from([0xff]), LINES],
      ['POST', '/imports', '{}'],
      ['POST', '/imports', '\n'.repeat(1001), LINES],
      ['GET', '/exports?password_hashes=yes'],
      ['GET', '/health', undefined, { authorization: 'Bearer none' }],
      ['GET', '/health', undefined, { host: 'evil.example' }],
    ];
    for (const [method, path, body, headers] of refused)
      expect(await check(method, path, body, headers)).toBeGreaterThanOrEqual(400);
  });
});
