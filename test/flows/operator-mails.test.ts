/** Mails that did not arrive: the list, their causes, and the calls that let them be tried again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { ClaimedMail, MailFailure } from '../../src/accounts/queue/outbox-claims.js';
import type { MailAnswer } from '../../src/operator/wire-mails.js';
import { OutboxWorker } from '../../src/mail/outbox-worker.js';
import { SmtpSender } from '../../src/mail/smtp-sender.js';
import { TELEMETRY_OFF } from '../../src/telemetry/telemetry.js';
import { MailServer } from '../support/mail-server.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import { testConfig } from '../support/test-config.js';

const DAY = 86_400;
const REFUSED: MailFailure = { cause: 'refused', code: 'EENVELOPE RCPT TO 550' };
const UNREACHABLE: MailFailure = { cause: 'server-unreachable', code: 'ETIMEDOUT CONN' };

let operator: TestOperator;
let server: MailServer;
let count = 0;
const { createAccount } = operatorSteps(() => operator);
const line = commandLine(() => operator);
const api = loadApi();

beforeAll(async () => {
  server = await MailServer.start(0);
  operator = await startTestOperator({ config: (config) => ({ mail: { ...config.mail, server: serverSettings() } }) });
});

afterAll(async () => {
  await operator.close();
  await server.stop();
});

beforeEach(async () => {
  server.taken.length = 0;
  server.answer = undefined;
  await operator.database.db.deleteFrom('outbox').execute();
});

const serverSettings = () => ({ host: 'localhost', port: server.port, encryption: 'none' }) as const;

/** Queues a link for a new account, and makes one try that fails. @returns the claimed mail and the account */
async function failMail(
  failure: MailFailure,
  isAbandoned = true,
): Promise<{ mail: ClaimedMail; account: string; email: string }> {
  const email = `person-${(count += 1)}@example.org`;
  const { id: account } = await createAccount({ email, password: 'kupfer linde 4821' });
  expect((await operator.call('POST', `/accounts/${account}/password-reset-mail`)).status).toBe(200);
  const { mails } = operator.services;
  const [mail] = (await mails.claim(50)).filter(({ recipient }) => recipient === email);
  if (!mail) throw new Error('No mail was queued.');
  await (isAbandoned ? mails.abandon(mail, 'refused', failure) : mails.postpone(mail, failure));
  return { mail, account, email };
}

async function list(query = ''): Promise<{ mails: MailAnswer[]; next_cursor?: string }> {
  const answer = await operator.call('GET', `/mails${query}`);
  expect(api.findAnswerFaults('GET', '/operator/v1/mails', answer)).toBeNull();
  return answer.json as unknown as { mails: MailAnswer[]; next_cursor?: string };
}

const retry = (id: number | string) => operator.call('POST', `/mails/${id}/retry`, undefined, { 'x-foyer-reason': 'repaired' });

async function deliver(): Promise<void> {
  const log = pino({ level: 'silent' });
  const sender = new SmtpSender(serverSettings(), { name: 'Accounts', address: 'accounts@example.com' });
  const worker = new OutboxWorker(operator.services.mails, sender, testConfig(), log, TELEMETRY_OFF);
  // Long enough that the worker sends nothing on its own.
  worker.intervalMs = 3_600_000;
  worker.onApplicationBootstrap();
  await worker.deliver();
  await worker.onApplicationShutdown();
}

async function findEvents(): Promise<unknown[]> {
  const { json } = await operator.call('GET', '/audit?kind=mail.retried');
  return (json['entries'] as { account_id: string; detail: object }[]).map(({ account_id, detail }) => [account_id, detail]);
}

describe('[OPR-3] mails that did not arrive', () => {
  it('are listed with the cause and the codes of the last try, without their content, newest first', async () => {
    const first = await failMail(REFUSED);
    const second = await failMail(UNREACHABLE, false);
    const { id } = await createAccount({ email: 'fine@example.org', password: 'kupfer linde 4821' });
    await operator.call('POST', `/accounts/${id}/password-reset-mail`);
    const { mails } = await list();
    expect(mails).toMatchObject([
      { recipient: second.email, state: 'waiting', cause: 'server-unreachable', tries: 1, abandoned_at: null },
      { recipient: first.email, state: 'abandoned', cause: 'refused', code: 'EENVELOPE RCPT TO 550', next_try_at: null },
    ]);
    expect(mails[1]).toMatchObject({ id: String(first.mail.id), kind: 'reset-link', account_id: first.account, expired: false });
    expect(JSON.stringify(mails)).not.toContain(String(first.mail.values['token']));
    expect((await list('?state=waiting')).mails.map(({ recipient }) => recipient)).toEqual([second.email]);
    expect((await list('?cause=refused')).mails.map(({ recipient }) => recipient)).toEqual([first.email]);
  });

  it('are listed page by page', async () => {
    for (let index = 0; index < 3; index += 1) await failMail(REFUSED);
    const page = await list('?limit=2&cause=refused');
    const rest = await list(`?limit=2&cause=refused&cursor=${page.next_cursor}`);
    const ids = [...page.mails, ...rest.mails].map(({ id }) => Number(id));
    expect([ids.length, ids.toSorted((one, other) => other - one), rest.next_cursor]).toEqual([3, ids, undefined]);
  });

  it('of a previous version, which stores no cause, are listed once they are abandoned', async () => {
    const { mail } = await failMail(REFUSED, false);
    await operator.database.db.updateTable('outbox').set({ cause: null }).where('id', '=', mail.id).execute();
    expect((await list()).mails).toEqual([]);
    const abandoned_at = operator.clock.now();
    await operator.database.db.updateTable('outbox').set({ abandoned_at }).where('id', '=', mail.id).execute();
    expect((await list('?cause=unknown')).mails).toMatchObject([{ cause: 'unknown', state: 'abandoned' }]);
  });

  it('keep the codes of the mail server without its texts', async () => {
    const { id } = await createAccount({ email: 'codes@example.org', password: 'kupfer linde 4821' });
    await operator.call('POST', `/accounts/${id}/password-reset-mail`);
    server.answer = { at: 'rcpt', code: 550 };
    await deliver();
    expect((await list()).mails).toMatchObject([
      { account_id: id, cause: 'refused', code: expect.stringMatching(/^[A-Z ]+ 550$/) },
    ]);
  });

  it('are counted for each cause', async () => {
    await failMail(REFUSED);
    await failMail(UNREACHABLE, false);
    await failMail(UNREACHABLE);
    const answer = await operator.call('GET', '/mails/causes');
    expect(api.findAnswerFaults('GET', '/operator/v1/mails/causes', answer)).toBeNull();
    expect(answer.json['causes']).toEqual([
      { cause: 'refused', count: 1, retryable: 1 },
      { cause: 'server-unreachable', count: 2, retryable: 2 },
    ]);
  });

  it.each([
    ['?cause=nonsense', 422, 'unknown_cause', 'cause'],
    ['?state=sent', 400, 'wrong_type', 'state'],
    ['?cursor=-1', 400, 'wrong_type', 'cursor'],
    ['?limit=201', 400, 'wrong_type', 'limit'],
  ] as const)('refuse %s', async (query, status, code, field) => {
    expectError(await operator.call('GET', `/mails${query}`), status, code, field);
  });
});

describe('[OPR-3] a retry', () => {
  it('sends an abandoned mail, and is recorded with its reason', async () => {
    const { mail, account, email } = await failMail(REFUSED);
    const answer = await retry(mail.id);
    expect(api.findAnswerFaults('POST', '/operator/v1/mails/{mail}/retry', answer)).toBeNull();
    expect(answer.json).toMatchObject({ id: String(mail.id), state: 'waiting', tries: 0, retried: true });
    await deliver();
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([[email]]);
    expect((await list()).mails).toEqual([]);
    expect(await findEvents()).toEqual([[account, { mail: 'reset-link', tries: 1, reason: 'repaired' }]]);
    expectError(await retry(mail.id), 409, 'mail_sent');
  });

  it('of two operators at the same moment sends the mail once', async () => {
    const before = (await findEvents()).length;
    const { mail } = await failMail(UNREACHABLE, false);
    const answers = await Promise.all([retry(mail.id), retry(mail.id), retry(mail.id)]);
    expect(answers.map(({ json }) => json['retried']).toSorted()).toEqual([false, false, true]);
    await Promise.all([deliver(), deliver()]);
    expect([server.taken.length, (await findEvents()).length - before]).toEqual([1, 1]);
  });

  it('does not disturb a worker that has the mail', async () => {
    const { mail } = await failMail(UNREACHABLE, false);
    operator.clock.advanceSeconds(120);
    const [claimed] = await operator.services.mails.claim(1);
    expect((await retry(mail.id)).json).toMatchObject({ retried: false, tries: claimed?.tries });
  });

  it('while the mail server is down lets the mail wait again, with the new cause', async () => {
    const { mail } = await failMail(REFUSED);
    server.answer = { at: 'connect', code: 421 };
    await retry(mail.id);
    await deliver();
    expect((await list()).mails).toMatchObject([{ state: 'waiting', tries: 1, cause: 'server-other' }]);
  });

  it('is refused for a link that has ended, and for one to a former address', async () => {
    const { mail } = await failMail(REFUSED);
    const { mail: other, account } = await failMail(REFUSED);
    await operator.call('PATCH', `/accounts/${account}`, { email: 'moved@example.org' });
    expectError(await retry(other.id), 409, 'mail_outdated');
    operator.clock.advanceSeconds(30 * DAY);
    expectError(await retry(mail.id), 409, 'mail_expired');
    expect((await list()).mails).toMatchObject([{ expired: true }, { expired: true }]);
    expect((await operator.call('POST', '/mails/retry', { cause: 'refused' })).json).toEqual({ retried: 0, more: false });
    await deliver();
    expect((await list('?state=abandoned')).mails).toHaveLength(2);
  });

  it('of a mail of a deleted account finds nothing', async () => {
    const { mail, account } = await failMail(REFUSED);
    await operator.call('DELETE', `/accounts/${account}`);
    expectError(await retry(mail.id), 404, 'mail_not_found');
    for (const id of ['0', '999999999999999', '-1', '1e3', '%00', 'x']) expectError(await retry(id), 404, 'mail_not_found');
  });

  it('of one cause leaves the mails of other causes, and is one event', async () => {
    const [one, two] = [await failMail(UNREACHABLE), await failMail(UNREACHABLE, false)];
    await failMail(REFUSED);
    const answer = await operator.call('POST', '/mails/retry', { cause: 'server-unreachable' });
    expect(api.findAnswerFaults('POST', '/operator/v1/mails/retry', answer)).toBeNull();
    expect(answer.json).toEqual({ retried: 2, more: false });
    expect((await findEvents())[0]).toEqual([null, { cause: 'server-unreachable', mails: 2 }]);
    await deliver();
    expect(server.taken.map(({ recipients }) => recipients[0]).toSorted()).toEqual([one.email, two.email].toSorted());
    expectError(await operator.call('POST', '/mails/retry', { cause: 'nonsense' }), 422, 'unknown_cause', 'cause');
    expectError(await operator.call('POST', '/mails/retry', {}), 400, 'missing', 'cause');
  });

  it('needs a mail server', async () => {
    const other = await startTestOperator({
      database: operator.database,
      config: (config) => ({ mail: { from: config.mail.from } }),
    });
    const { mail } = await failMail(REFUSED);
    expectError(await other.call('POST', `/mails/${mail.id}/retry`), 409, 'no_mail');
    expectError(await other.call('POST', '/mails/retry', { cause: 'refused' }), 409, 'no_mail');
    await other.close();
  });
});

describe('[OPR-2] foyer mail', () => {
  it('lists the mails, and lets one or all of a cause be tried again', async () => {
    const { mail, email } = await failMail(REFUSED);
    await failMail(UNREACHABLE);
    const listed = await line('mail list --cause refused');
    expect(listed.out).toMatch(new RegExp(`${mail.id} .*reset-link.*${email}.*abandoned.*refused.*550`));
    expect((await line(`mail retry ${mail.id} --reason repaired`)).out).toBe(`Mail ${mail.id} to ${email} is tried again now.\n`);
    expect((await line(`mail retry ${mail.id}`)).out).toContain('is already due');
    expect(await line('mail retry 0')).toMatchObject({ code: 3, err: expect.stringContaining('There is no such mail') });
    const counted = await line('mail retry-all server-unreachable --dry-run');
    expect(counted.out).toBe('Would be tried again: 1 mail. Not delivered: 1 mail.\n');
    expect((await line('mail retry-all server-unreachable')).out).toBe('1 mail is tried again now.\n');
    const again = await line('mail retry-all server-unreachable');
    expect(again.err).toContain('There is no mail with this cause');
    expect((await line('mail list --state abandoned')).err).toContain('No mail was found');
  });

  it.each(['', ' --dry-run'])('refuses an unknown cause (mail retry-all serverunreachable%s)', async (options) => {
    const { code, out, err } = await line(`mail retry-all serverunreachable${options}`);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('There is no such cause; the causes are')]);
  });
});
