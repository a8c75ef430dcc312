/** "Stop this": the link in the mail about what somebody asked the help desk to do, without a check of who was asking. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog, type AuditContext } from '../../src/accounts/audit/audit-log.js';
import { ApprovalAnnouncement } from '../../src/accounts/operators/approval-announcement.js';
import { OperatorApprovals, type NewApproval } from '../../src/accounts/operators/operator-approvals.js';
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import { renderMail } from '../../src/mail/render-mail.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const OLGA = { actor: 'operator', operator: 'olga', reason: 'call 4711' } as const;
const OTTO = { actor: 'operator', operator: 'otto', reason: 'call 4711' } as const;
const DAY_SECONDS = 24 * 3600;
const toStatusUrl = (status: string) => `${PATHS.stopChangeStatus}?status=${status}`;

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ limits, operator }) => ({
      limits: { ...limits, addressFailures: 3 },
      operator: {
        ...operator,
        supportCheck: true,
        approval: 'operators-and-tokens',
        tokens: ['olga', 'otto'].map((name) => ({ name, rights: 'admin' as const, token: 'x'.repeat(43) })),
      },
    }),
  });
});

afterAll(() => gateway.close());

const person = (more: Parameters<TestGateway['account']>[1] = {}): Promise<Account> =>
  newPerson(gateway, { email: `person${(count += 1)}@example.org`, ...more });

/** The mails that were queued since the last call. */
async function listMails(): Promise<ClaimedMail[]> {
  const claims = gateway.get(OutboxClaims);
  const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
  for (const mail of mails) await claims.markSent(mail);
  return mails.filter(({ kind }) => kind === 'change-announced');
}

interface Announced {
  id: string;
  mail: ClaimedMail;
  token: string;
}

/** Asks for an operation without a check of who is calling, and reads the mail that announces it. */
async function announce(
  { id: accountId }: Account,
  asked: Pick<NewApproval, 'operation' | 'body'> = { operation: 'resets.factors', body: {} },
  auditContext: AuditContext = OLGA,
): Promise<Announced> {
  const { id } = await gateway.get(OperatorApprovals).ask({ ...asked, accountId, check: 'missing' }, auditContext);
  const mail = (await listMails()).at(-1);
  const token = mail?.values['stop'];
  if (!mail || typeof token !== 'string') throw new Error('There is no mail with a link');
  return { id, mail, token };
}

const open = (token: string, browser = gateway.browser()) => browser.get(`${PATHS.stopChange}?token=${token}`);
const read = (page: TestPage) => page.state('stop_change').stop_change;

async function stop(token: string, browser: TestBrowser = gateway.browser()): Promise<string | null> {
  const question = read(await open(token, browser));
  if (question.status !== 'ask') throw new Error(`The page is ${question.status}`);
  return (await browser.post(PATHS.stopChange, { token, _xsrf: question.xsrf_token })).location;
}

const findDecision = async (id: string) => (await gateway.get(OperatorApprovals).get(id)).decision;
const findKinds = async ({ id }: Account) => (await gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind);
const approve = (id: string) =>
  gateway.database.transaction((trx) =>
    gateway
      .get(OperatorApprovals)
      .approve(id, OTTO, () => true)
      .require(trx),
  );

describe('the mail', () => {
  it('says what would be done and when at the earliest, in the language of the account, with a link to the configured address', async () => {
    const account = await person({ language: 'en' });
    const { mail } = await announce(account, { operation: 'accounts.change', body: { email: 'thief@example.net' } });
    expect([mail.recipient, mail.locale]).toEqual([account.email, 'en']);
    const { publicUrl, app, manage, sources, scim, language } = gateway.config;
    const { subject, text } = renderMail({ ...mail, kind: mail.kind }, { publicUrl, app, manage, sources, scim, language });
    expect(subject).toBe('Somebody asked the help desk to change your account');
    expect(text).toContain('change the e-mail address of your account to thief@example.net');
    expect(text).toMatch(/The change will be made on \d+ \w+ \d{4}/);
    expect(text).toContain('you don’t need to do anything');
    expect(text).toMatch(new RegExp(`^${publicUrl}${PATHS.stopChange}\\?token=[\\w-]{43}$`, 'm'));
  });

  it.each([
    ['resets.factors', {}, 'factors'],
    ['resets.password', {}, 'password'],
    ['factors.remove', { factor: 'totp' }, 'factor'],
    ['accounts.change', { email: null }, 'no-address'],
    ['source.link', { source: 'staff' }, 'source'],
  ])('and the page name the change (%s)', async (operation, body, change) => {
    const { mail, token } = await announce(await person(), { operation, body });
    expect(mail.values).toMatchObject({ change });
    expect(read(await open(token))).toMatchObject({ status: 'ask', change: { kind: change }, not_before: expect.any(String) });
  });

  it('is not queued for an account without an address, and not if the request is rolled back', async () => {
    const [without, account] = [await newPerson(gateway), await person()];
    const announcement = gateway.get(ApprovalAnnouncement);
    const times = { notBefore: new Date(), expiresAt: new Date(Date.now() + DAY_SECONDS * 1000) };
    const build = ({ id: accountId }: Account) => ({ id: accountId, operation: 'resets.factors', body: {}, accountId, ...times });
    expect(await gateway.database.transaction((trx) => announcement.announce(build(without), trx))).toBe(false);
    const failed = gateway.database.transaction(async (trx) => {
      await announcement.announce(build(account), trx);
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    expect(await listMails()).toEqual([]);
  });
});

describe('the link', () => {
  it('[S-39] asks first: following it changes nothing, and the form of another site does nothing', async () => {
    const account = await person();
    const { id, token } = await announce(account);
    for (let look = 0; look < 3; look++) {
      expect(read(await open(token)).status).toBe('ask');
      await gateway.browser().request(`${PATHS.stopChange}?token=${token}`, { method: 'HEAD' });
    }
    expect((await gateway.browser().post(PATHS.stopChange, { token })).status).toBe(403);
    const browser = gateway.browser();
    await open(token, browser);
    const outdated = await browser.post(PATHS.stopChange, { token, _xsrf: 'old' }, { 'sec-fetch-site': 'same-origin' });
    expect(read(outdated).status).toBe('ask');
    expect(await findDecision(id)).toBeNull();
  });

  it('stops the change: no operator can approve it any more, and the second time says so', async () => {
    const account = await person();
    const { id, token } = await announce(account);
    const twice = gateway.browser();
    const question = read(await open(token, twice));
    const fields = { token, _xsrf: question.status === 'ask' ? question.xsrf_token : '' };
    expect(await stop(token)).toBe(toStatusUrl('success'));
    expect(read(await gateway.browser().get(toStatusUrl('success')))).toEqual({ status: 'success' });
    expect(await findDecision(id)).toBe('stopped');
    expect(await findKinds(account)).toContain('approval.stopped');
    expect((await open(token)).location).toBe(toStatusUrl('used'));
    expect((await twice.post(PATHS.stopChange, fields)).location).toBe(toStatusUrl('used'));
    gateway.clock.advanceSeconds(DAY_SECONDS + 60);
    await expect(approve(id)).rejects.toThrow();
  });

  it('[ACT-1] the person sees what was asked for without a check, and that it was stopped, among the activity', async () => {
    const account = await person();
    const checked = { require: () => Promise.resolve() };
    await gateway
      .get(OperatorApprovals)
      .ask({ operation: 'resets.password', accountId: account.id, body: {}, check: checked }, OLGA);
    await stop((await announce(account)).token);
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const { entries } = (await user.page(PATHS.manageActivity, 'manage_activity')).manage_activity;
    const [stopped, asked, next] = entries;
    expect(stopped?.activity).toBe('change-stopped');
    expect(stopped).not.toHaveProperty('by_operator');
    expect(asked).toMatchObject({ activity: 'change-asked', by_operator: true });
    expect(next?.activity).not.toBe('change-asked');
    expect(JSON.stringify(entries)).not.toMatch(/olga|4711/);
  });

  it('stops only its own change', async () => {
    const [mine, other] = [await announce(await person()), await announce(await person())];
    expect(await stop(mine.token)).toBe(toStatusUrl('success'));
    expect([await findDecision(mine.id), await findDecision(other.id)]).toEqual(['stopped', null]);
  });

  it.each([
    [
      'approved',
      'done',
      async (id: string) => {
        gateway.clock.advanceSeconds(DAY_SECONDS + 60);
        await approve(id);
      },
    ],
    ['rejected', 'ended', (id: string) => gateway.get(OperatorApprovals).reject(id, OTTO)],
    ['withdrawn', 'ended', (id: string) => gateway.get(OperatorApprovals).withdraw(id, OLGA)],
  ])('says that it is too late, or that there is nothing to stop, after the change was %s', async (decision, status, decide) => {
    const { id, token } = await announce(await person());
    const browser = gateway.browser();
    const question = read(await open(token, browser));
    const fields = { token, _xsrf: question.status === 'ask' ? question.xsrf_token : '' };
    await decide(id);
    expect((await browser.post(PATHS.stopChange, fields)).location).toBe(toStatusUrl(status));
    expect((await open(token)).location).toBe(toStatusUrl(status));
    expect(await findDecision(id)).toBe(decision);
  });

  it('works for a disabled account, and ends with the approval and with the account', async () => {
    const [disabled, late, deleted] = [await person(), await person(), await person()];
    const links = [await announce(disabled), await announce(late), await announce(deleted)] as const;
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    expect(await stop(links[0].token)).toBe(toStatusUrl('success'));
    await gateway.database.db.deleteFrom('account').where('id', '=', deleted.id).execute();
    expect((await open(links[2].token)).location).toBe(toStatusUrl('error-token'));
    gateway.clock.advanceSeconds(3 * DAY_SECONDS + 60);
    expect((await open(links[1].token)).location).toBe(toStatusUrl('error-token'));
  });

  it('is no longer valid after the account of the operator who requested the change was deleted', async () => {
    const olga = await person();
    const { token } = await announce(await person(), undefined, { ...OLGA, operatorAccount: olga.id });
    const browser = gateway.browser();
    const question = read(await open(token, browser));
    const fields = { token, _xsrf: question.status === 'ask' ? question.xsrf_token : '' };
    await gateway.database.db.deleteFrom('account').where('id', '=', olga.id).execute();
    expect((await open(token)).location).toBe(toStatusUrl('error-token'));
    expect((await browser.post(PATHS.stopChange, fields)).location).toBe(toStatusUrl('error-token'));
  });

  it('is one of 2²⁵⁶, and unknown ones are limited for one address', async () => {
    const { token } = await announce(await person());
    const browser = gateway.browser();
    const question = read(await open(token, browser));
    const fields = { _xsrf: question.status === 'ask' ? question.xsrf_token : '', token: `${token.slice(0, -1)}_` };
    const answers: unknown[] = [];
    for (let guess = 0; guess < 4; guess++) answers.push((await browser.post(PATHS.stopChange, fields)).status);
    expect(answers).toEqual([303, 303, 303, 429]);
    const stored = await gateway.database.db
      .selectFrom('one_time_secret')
      .selectAll()
      .where('purpose', '=', 'approval-stop')
      .execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    for (const status of ['', '?status=<b>']) {
      expect(read(await browser.get(PATHS.stopChangeStatus + status))).toEqual({ status: 'error' });
    }
  });
});
