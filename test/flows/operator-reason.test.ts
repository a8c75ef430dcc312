/** The reason of a call and the operator's account are in every event that an operation writes, and the person is not shown them. */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AccountJobs } from '../../src/accounts/jobs/account-jobs.js';
import type { ProviderSettings } from '../../src/config/config.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { getRule, OPERATION_IDS, type OperationId } from '../../src/operator/operations.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { beginConsoleSession, commandLine, operatorSteps } from '../support/operator-story.js';
import { buildScimSettings, noteScimFault } from '../support/scim-people.js';
import { addSignUp } from '../support/waiting-sign-up.js';

const REASON = 'ticket 4711, Ä';
const OPERATOR = '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';
const COMPANY = { id: 'company', name: 'Musterwerk', issuer: 'https://id.example', provision: {} } as ProviderSettings;

const SINK = {
  name: 'crm',
  kind: 'webhook',
  address: 'https://crm.example.org/',
  secrets: [],
  events: ['account.created'],
  person: [],
} as const;

type Call = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];

let operator: TestOperator;
let staff: FakeUserSource;
let people = 0;
const { createAccount, beginSession } = operatorSteps(() => operator);
const line = commandLine(() => operator);

beforeAll(async () => {
  staff = new FakeUserSource('staff', undefined, 'Staff directory');
  operator = await startTestOperator({
    config: ({ mail, operator: own }) => ({
      operator: { ...own, supportCheck: true, tokens: [{ name: 'night', rights: 'admin', token: 'x'.repeat(32) }] },
      providers: [COMPANY],
      scim: [buildScimSettings()],
      eventSinks: [SINK],
      mail: { ...mail, server: { host: 'localhost', port: 1, encryption: 'none' as const } },
    }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
    onRequest: setOperator,
  });
  await operator.services.accounts.create({ username: 'olga.operator', subject: OPERATOR });
});

afterAll(() => operator.close());

/** Sets the operator of the call, as the console does. */
function setOperator(request: IncomingMessage): void {
  let context = {};
  Object.defineProperty(request, 'context', {
    get: () => context,
    set(value: object) {
      context = { ...value, operator: 'olga.operator', operatorAccount: OPERATOR };
    },
  });
}

function addPerson(): string {
  const username = `person-of-staff-${(people += 1)}`;
  staff.people.push({ subject: `id-${username}`, username, emailVerified: false, attributes: {}, isActive: true, password: 'x' });
  return username;
}

function buildApp(id: string) {
  return { preset: 'server', client_id: id, client_name: 'Shop', redirect_uris: ['https://shop.example.org/callback'] };
}

/** @returns the id of a mail that does not arrive */
async function abandonMail(): Promise<number> {
  const email = `person-${(people += 1)}@example.org`;
  const { id } = await createAccount({ email, password: 'kupfer linde 4821' });
  await operator.call('POST', `/accounts/${id}/password-reset-mail`);
  const { mails } = operator.services;
  const mail = (await mails.claim(50)).find(({ recipient }) => recipient === email);
  if (!mail) throw new Error('No mail was queued.');
  await mails.abandon(mail, 'refused', { cause: 'refused', code: 'EENVELOPE RCPT TO 550' });
  return mail.id;
}

const newAddress = (): string => `invited-${(people += 1)}@example.org`;

/** @returns the id of an invitation */
async function invite(): Promise<string> {
  return String((await operator.call('POST', '/invitations', { email: newAddress() })).json['id']);
}

/** @returns a job on one account */
async function buildJob() {
  const { username } = await createAccount();
  return { action: 'disable', filter: { username }, count: 1 };
}

async function createClient() {
  const { json } = await operator.call('POST', '/clients', buildApp(`client-${(people += 1)}`));
  return json as { client: { client_id: string; version: string } };
}

async function createLinked(): Promise<{ id: string; username: string }> {
  const username = addPerson();
  const id = await createChecked();
  await operator.call('POST', `/accounts/${id}/source`, { source: 'staff', username });
  return { id, username };
}

async function addTrustedBrowser(accountId: string): Promise<string> {
  const times = { created_at: operator.clock.now(), expires_at: new Date(operator.clock.now().getTime() + 600_000) };
  const row = { account_id: accountId, secret_hash: `hash of ${accountId}`, stamp: 'stamp', browser: null, last_used_at: null };
  const added = operator.database.db.insertInto('trusted_browser').values({ ...row, ...times });
  return (await added.returning('id').executeTakeFirstOrThrow()).id;
}

/** @returns the path of an approval that a token or this operator has asked for */
async function ask(by: { operator: string; operatorAccount?: string }): Promise<string> {
  const asked = { operation: 'resets.factors', accountId: (await createAccount()).id, body: {} };
  const context = { actor: 'operator', ...by, reason: 'asked before' } as const;
  return `/approvals/${(await operator.services.approvals.ask(asked, context)).id}`;
}

/** The operator has checked that this person is calling. */
async function createChecked(): Promise<string> {
  const { id } = await createAccount();
  const until = new Date(operator.clock.now().getTime() + 600_000);
  const by = { asked_by: 'operator:olga.operator', asked_account: OPERATOR, asked_at: operator.clock.now() };
  const check = { account_id: id, words: 'sealed', ...by, expires_at: until, passed_at: operator.clock.now() };
  await operator.database.db.insertInto('support_check').values(check).execute();
  return id;
}

/** @returns an account with a verified address */
async function createVerified(): Promise<{ id: string; username: string }> {
  const account = await createAccount({ email: `mail-${(people += 1)}@example.org` });
  await operator.database.db.updateTable('account').set({ email_verified: true }).where('id', '=', account.id).execute();
  return account;
}

/** Prepares a call of each operation in which it changes something. */
const CALLS: Partial<Record<OperationId, () => Promise<Call>>> = {
  'accounts.create': async () => ['POST', '/accounts', { username: `created-${(people += 1)}`, password: 'kupfer linde 4821' }],
  'accounts.change': async () => ['PATCH', `/accounts/${(await createAccount()).id}`, { display_name: 'Maria' }],
  'access.disable': async () => ['POST', `/accounts/${(await createAccount()).id}/disable`],
  'access.enable': async () => {
    const { id } = await createAccount();
    await operator.call('POST', `/accounts/${id}/disable`);
    return ['POST', `/accounts/${id}/enable`];
  },
  'access.unlock': async () => {
    const { id, username } = await createAccount({ password: 'kupfer linde 4821' });
    const wrong = { username, password: 'wrong', address: '192.0.2.7', device: null, requestId: 'attempt' };
    for (let count = 0; count < 6; count += 1) await operator.services.signIn.prove(wrong);
    return ['POST', `/accounts/${id}/unlock`];
  },
  'resets.requirePassword': async () => {
    const { id } = await createAccount({ password: 'kupfer linde 4821' });
    return ['POST', `/accounts/${id}/require-password-change`];
  },
  'access.unfreeze': async () => {
    const { id } = await createAccount();
    const credentials_frozen_until = new Date(operator.clock.now().getTime() + 600_000);
    await operator.database.db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', id).execute();
    return ['POST', `/accounts/${id}/unfreeze`];
  },
  'access.refresh': async () => {
    const { id, username } = await createLinked();
    staff.people = staff.people.filter((person) => person.username !== username);
    return ['POST', `/accounts/${id}/refresh`];
  },
  'deletion.delete': async () => ['DELETE', `/accounts/${(await createAccount()).id}`],
  'deletion.schedule': async () => ['POST', `/accounts/${(await createAccount()).id}/deletion`, { days: 3 }],
  'deletion.cancel': async () => {
    const { id } = await createAccount();
    await operator.call('POST', `/accounts/${id}/deletion`, {});
    return ['DELETE', `/accounts/${id}/deletion`];
  },
  'sessions.endAll': async () => {
    const { id } = await createAccount();
    await beginSession(id, `session of ${id}`);
    return ['DELETE', `/accounts/${id}/sessions`];
  },
  'sessions.endOne': async () => {
    const { id } = await createAccount();
    await beginSession(id, `session of ${id}`);
    const { sessions } = (await operator.call('GET', `/accounts/${id}/sessions`)).json as { sessions: { id: string }[] };
    return ['DELETE', `/accounts/${id}/sessions/${sessions[0]?.id}`];
  },
  'trustedBrowsers.endAll': async () => {
    const { id } = await createAccount();
    await addTrustedBrowser(id);
    return ['DELETE', `/accounts/${id}/trusted-browsers`];
  },
  'trustedBrowsers.endOne': async () => {
    const { id } = await createAccount();
    return ['DELETE', `/accounts/${id}/trusted-browsers/${await addTrustedBrowser(id)}`];
  },
  'factors.remove': async () => {
    const id = await createChecked();
    const seed = { account_id: id, secret: 'sealed', last_step: 0, created_at: operator.clock.now() };
    await operator.database.db.insertInto('totp_factor').values(seed).execute();
    return ['DELETE', `/accounts/${id}/factors/totp`];
  },
  'operators.endSession': async () => {
    const { id } = await createAccount();
    await beginConsoleSession(operator, id);
    const { sessions } = (await operator.call('GET', '/operator-sessions')).json as {
      sessions: { id: string; account_id: string }[];
    };
    return ['DELETE', `/operator-sessions/${sessions.find(({ account_id }) => account_id === id)?.id}`];
  },
  'resets.password': async () => ['POST', `/accounts/${await createChecked()}/password-reset`],
  'resets.mailPassword': async () => {
    const { id } = await createAccount({ email: `mail-${(people += 1)}@example.org` });
    return ['POST', `/accounts/${id}/password-reset-mail`];
  },
  'resets.invite': async () => {
    const { id } = await createAccount({ email: `mail-${(people += 1)}@example.org` });
    return ['POST', `/accounts/${id}/invitation`];
  },
  'resets.factors': async () => ['POST', `/accounts/${await createChecked()}/factor-reset`],
  'supportCheck.ask': async () => ['POST', `/accounts/${(await createAccount()).id}/support-check`],
  'supportCheck.answer': async () => {
    const { id } = await createAccount();
    await operator.call('POST', `/accounts/${id}/support-check`);
    return ['POST', `/accounts/${id}/support-check/answer`, { words: 'lantern river tulip' }];
  },
  'providers.disconnect': async () => {
    const { id: accountId } = await createAccount();
    const identity = { issuer: COMPANY.issuer, subject: `sub-${accountId}`, label: null };
    const auditContext = { actor: 'person' } as const;
    await operator.services.identities.connect({
      accountId,
      provider: 'company',
      providerName: 'Musterwerk',
      identity,
      auditContext,
    });
    return ['DELETE', `/accounts/${accountId}/providers/company`];
  },
  'invitations.create': () => Promise.resolve(['POST', '/invitations', { email: newAddress() }]),
  'invitations.createMany': () => Promise.resolve(['POST', '/invitations/many', { invitations: [{ email: newAddress() }] }]),
  'invitations.resend': async () => ['POST', `/invitations/${await invite()}/resend`],
  'invitations.withdraw': async () => ['POST', `/invitations/${await invite()}/withdraw`],
  'source.link': async () => {
    const username = addPerson();
    return ['POST', `/accounts/${await createChecked()}/source`, { source: 'staff', username }];
  },
  'source.unlink': async () => ['DELETE', `/accounts/${(await createLinked()).id}/source`],
  'operators.grant': async () => ['POST', `/accounts/${(await createAccount()).id}/operator-rights`, { right: 'read' }],
  'operators.revoke': async () => {
    const { id } = await createAccount();
    await operator.call('POST', `/accounts/${id}/operator-rights`, { right: 'read' });
    return ['DELETE', `/accounts/${id}/operator-rights/read`];
  },
  'clients.create': () => Promise.resolve(['POST', '/clients', buildApp(`client-${(people += 1)}`)]),
  'clients.change': async () => {
    const { client } = await createClient();
    return ['PATCH', `/clients/${client.client_id}`, { version: client.version, client_name: 'Laden' }];
  },
  'clients.rotateSecret': async () => ['POST', `/clients/${(await createClient()).client.client_id}/secret`],
  'clients.delete': async () => ['DELETE', `/clients/${(await createClient()).client.client_id}`],
  'accountApps.remove': async () => ['DELETE', `/accounts/${(await createAccount()).id}/apps/portal`],
  'jobs.start': async () => ['POST', '/jobs', await buildJob()],
  'jobs.stop': async () => {
    // The worker is not told of this job, so it does not end before it is stopped.
    const { filter, ...job } = await buildJob();
    const auditContext = { actor: 'operator', operator: 'busy', address: '192.0.2.1', requestId: 'r' } as const;
    const started = await new AccountJobs(operator.database, operator.services.audit).start(
      { ...job, days: null, filter, query: filter },
      auditContext,
    );
    if (started.kind !== 'started') throw new Error('The job has not started.');
    return ['POST', `/jobs/${started.job.id}/stop`];
  },
  'mails.retry': async () => ['POST', `/mails/${await abandonMail()}/retry`],
  'mails.retryAll': async () => {
    await abandonMail();
    return ['POST', '/mails/retry', { cause: 'refused' }];
  },
  // Where a second operator has to agree, an account is offered by its verified address only.
  'scimOffers.offer': async () => ['POST', '/scim/offers', { account: (await createVerified()).id, source: 'entra' }],
  'scimOffers.offerMany': async () => {
    const { username } = await createVerified();
    return ['POST', '/scim/offers/many', { source: 'entra', filter: { username } }];
  },
  'scimOffers.withdraw': async () => {
    const { id: account } = await createVerified();
    await operator.call('POST', '/scim/offers', { account, source: 'entra' });
    return ['DELETE', `/scim/offers/${account}`];
  },
  'signUps.approve': async () => ['POST', `/sign-ups/${await addSignUp(operator)}/approve`],
  'signUps.refuse': async () => ['POST', `/sign-ups/${await addSignUp(operator)}/refuse`],
  'scimFaults.dismiss': async () => ['DELETE', `/scim/faults/${await noteScimFault(operator)}`],
  'sinks.pause': async () => {
    await operator.call('POST', '/sinks/crm/resume');
    return ['POST', '/sinks/crm/pause'];
  },
  'sinks.resume': async () => {
    await operator.call('POST', '/sinks/crm/pause');
    return ['POST', '/sinks/crm/resume'];
  },
  'sinks.replay': async () => {
    await createAccount();
    await sql`update event_delivery set delivered_at = now()`.execute(operator.database.db);
    return ['POST', '/sinks/crm/replay', { since: '2020-01-01' }];
  },
  'sinks.replayOne': async () => {
    await createAccount();
    const { rows } = await sql<{ event: number }>`update event_delivery set dead_at = now() returning event`.execute(
      operator.database.db,
    );
    return ['POST', '/sinks/crm/deliveries/replay', { event: String(rows[0]?.event) }];
  },
  'approvals.approve': async () => ['POST', `${await ask({ operator: 'night' })}/approve`],
  'approvals.reject': async () => ['POST', `${await ask({ operator: 'night' })}/reject`],
  'approvals.withdraw': async () => ['DELETE', await ask({ operator: 'olga.operator', operatorAccount: OPERATOR })],
  'transfer.import': async () => {
    const imported = `{"username":"imported-${(people += 1)}"}\n`;
    return ['POST', '/imports', imported, { 'content-type': 'application/x-ndjson' }];
  },
  'transfer.export': async () => ['GET', '/exports'],
};

async function send([method, path, body, headers = {}]: Call, reason = REASON) {
  const answer = await operator.call(method, path, body, { ...headers, 'x-foyer-reason': encodeURIComponent(reason) });
  const request = String(answer.headers['x-request-id']);
  const events = await operator.database.db.selectFrom('audit_event').selectAll().where('request_id', '=', request).execute();
  return { answer, events };
}

describe('[OPR-7] the reason of a call', () => {
  const writing = OPERATION_IDS.filter((id) => getRule(id).changes || id === 'transfer.export');

  it.each(writing)('is in every event of %s, with the account of the operator', async (id) => {
    const prepare = CALLS[id];
    if (!prepare) throw new Error(`This test has no call of ${id}.`);
    const { answer, events } = await send(await prepare());
    expect([200, 201]).toContain(answer.status);
    expect(events.length).toBeGreaterThan(0);
    for (const { actor, operator_name, detail } of events) {
      expect({ actor, operator_name, ...detail }).toMatchObject({
        actor: 'operator',
        operator_name: 'olga.operator',
        reason: REASON,
        operatorAccount: OPERATOR,
      });
    }
  });

  it('does not replace what else an event says', async () => {
    const { id, username } = await createLinked();
    staff.people = staff.people.filter((person) => person.username !== username);
    const { events } = await send(['POST', `/accounts/${id}/refresh`]);
    expect(events.find(({ kind }) => kind === 'account.disabled')?.detail).toEqual({
      source: 'staff',
      state: 'gone',
      reason: REASON,
      operatorAccount: OPERATOR,
    });
  });

  it('is not in the log, in mails and in what reading writes', async () => {
    const secret = 'a reason that nobody else reads';
    const { id } = await createAccount({ email: `mail-${(people += 1)}@example.org` });
    await send(['POST', `/accounts/${id}/password-reset-mail`], secret);
    await send(['PATCH', `/accounts/${id}`, { nonsense: 1 }], secret);
    expect((await send(['GET', `/accounts/${id}`], secret)).events).toEqual([]);
    const mails = await operator.database.db.selectFrom('outbox').selectAll().where('account_id', '=', id).execute();
    expect(mails.length).toBeGreaterThan(0);
    expect(JSON.stringify([operator.logLines, mails])).not.toContain(secret);
  });

  it('is found in the audit log under the username of the operator', async () => {
    const { id } = await createAccount();
    await send(['POST', `/accounts/${id}/disable`]);
    const { json } = await operator.call('GET', `/accounts/${id}/audit?kind=account.disabled&actor=operator:olga.operator`);
    expect(json['entries']).toMatchObject([
      { actor: 'operator:olga.operator', detail: { reason: REASON, operatorAccount: OPERATOR } },
    ]);
  });
});

describe('[OPR-2] the option --reason', () => {
  it('belongs to every command that changes something, and to no other', async () => {
    const [commands = ''] = (await line('--help')).out.split('Options of all commands:');
    const names = [...commands.matchAll(/^ {2}((?:[a-z-]+ ?)+?)(?: <| {2})/gm)].map(([, name = '']) => name.trim());
    const helps = await Promise.all(names.map(async (name) => [name, (await line(`${name} --help`)).out] as const));
    const without = helps.filter(([, help]) => !help.includes('--reason TEXT')).map(([name]) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(without).toEqual([
      'init',
      'account list',
      'account show',
      'account sessions list',
      'account trusted-browsers list',
      'account terms list',
      'account providers',
      'account audit',
      'invitation list',
      'operator list',
      'operator show',
      'client list',
      'client show',
      'client people',
      'client preview',
      'clients plan',
      'today',
      'source list',
      'scim offers',
      'scim faults',
      'settings',
      'mail list',
      'events sinks',
      'events deliveries',
      'job list',
      'job show',
      'job failures',
      'filter list',
      'filter save',
      'filter remove',
      'approval list',
      'approval show',
      'sign-up list',
      'terms list',
      'terms text',
      'claims',
      'audit',
      'explain',
      'health',
      'doctor',
      'languages check',
      'breached build',
      'breached check',
    ]);
  });

  it('is sent with every call of the command, and refused before anything is done', async () => {
    const { id, username } = await createAccount();
    expect((await line(['account', 'disable', username, '--reason', REASON])).code).toBe(0);
    const { json } = await operator.call('GET', `/accounts/${id}/audit?kind=account.disabled`);
    expect(json['entries']).toMatchObject([{ detail: { reason: REASON } }]);
    for (const wrong of ['', 'x'.repeat(501), 'two\nlines']) {
      const refused = await line(['account', 'enable', username, '--reason', wrong]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The reason in the header X-Foyer-Reason')]);
    }
    expect((await operator.call('GET', `/accounts/${id}`)).json['status']).toBe('disabled');
  });
});
