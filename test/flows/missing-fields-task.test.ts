/** The task of filling in attributes that the account lacks (`MISSING_FIELDS`). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { loadConfig } from '../../src/config/load-config.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FieldsTaskState } from '../../src/contract/task-state.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { SecondStepStory } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const SCHEMA = {
  properties: {
    customer: { type: 'integer', title: 'Customer number' },
    branch: { type: 'string', enum: ['North', 'South'] },
    news: { type: 'boolean' },
    code: { type: 'string', maxLength: 3 },
  },
  required: ['customer', 'branch', 'news'],
};

let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  const { tasks, accounts } = loadConfig({ MISSING_FIELDS: 'ask', ACCOUNT_SCHEMA: JSON.stringify(SCHEMA) }).config;
  gateway = await startTestGateway({ config: () => ({ tasks, accounts }) });
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

const taskAddress = (challenge: string): string => `${PATHS.loginTask}?login_challenge=${challenge}`;
const findAttributes = async ({ id }: Account) => (await gateway.get(Accounts).find(id))?.attributes;
const listChanges = async ({ id }: Account) =>
  (await gateway.get(AuditLog).list(id)).entries.filter(({ kind }) => kind === 'account.changed');

/** Creates an account with all attributes, and leaves these in the database. */
async function createPerson(attributes: object = { branch: 'North' }): Promise<Account> {
  const all = { customer: 1, branch: 'North', news: false };
  const account = await gateway.account(`lacking.${(count += 1)}`, { attributes: all });
  const text = JSON.stringify(attributes);
  await gateway.database.db.updateTable('account').set({ attributes: text }).where('id', '=', account.id).execute();
  return account;
}

interface Task {
  browser: TestBrowser;
  challenge: string;
  state: FieldsTaskState;
  fields: Record<string, string>;
}

async function openTask(browser: TestBrowser, challenge: string): Promise<Task> {
  const { task: state } = (await browser.get(taskAddress(challenge))).state('task');
  if (state.kind !== 'fields') throw new Error(`The task is ${state.kind}`);
  const { xsrf_token: _xsrf, login_challenge, ticket, kind: task } = state;
  return { browser, challenge, state, fields: { _xsrf, login_challenge, ticket, task } };
}

async function reachTask(account: Account): Promise<Task> {
  const opened = await story.openLogin();
  const answer = await story.signIn(opened.browser, opened.fields, account);
  expect(answer.location).toBe(taskAddress(opened.challenge));
  return openTask(opened.browser, opened.challenge);
}

const fill = ({ browser, fields }: Task, details: Record<string, string>): Promise<TestPage> =>
  browser.post(PATHS.loginTask, { ...fields, ...details });

describe('[TSK-33] attributes that the account lacks', () => {
  it('are filled in on the way, once, and the person reaches the app', async () => {
    const account = await createPerson();
    const task = await reachTask(account);
    expect(task.state.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['customer', 'text'],
      ['news', 'flag'],
    ]);
    const form = { detail_customer: ' 4711 ', detail_news: 'true', detail_branch: 'South', detail_code: 'xyz' };
    const [one, two] = await Promise.all([fill(task, form), fill(task, form)]);
    expect([one.location, two.location]).toEqual([one.location, one.location]);
    expect(one.location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
    expect(await findAttributes(account)).toEqual({ branch: 'North', customer: 4711, news: true });
    expect(await listChanges(account)).toMatchObject([{ actor: 'person', detail: { fields: ['attributes'] } }]);
    const next = await story.openLogin();
    expect((await story.signIn(next.browser, next.fields, account)).location).toContain('login_verifier=');
  });

  it.each([
    [{}, 'missing'],
    [{ detail_customer: 'many' }, 'format'],
    [{ detail_customer: '9'.repeat(201) }, 'too-long'],
  ])('names what is wrong at the field: %j, %s', async (details, error) => {
    const account = await createPerson();
    const answer = await fill(await reachTask(account), details);
    const { task: state } = answer.state('task');
    expect([answer.status, state.error]).toEqual([422, 'fields']);
    expect((state as FieldsTaskState).fields[0]).toMatchObject({ name: 'customer', error });
    expect(await findAttributes(account)).toEqual({ branch: 'North' });
  });

  it('cannot be postponed, however the form is changed', async () => {
    const task = await reachTask(await createPerson());
    expect((await fill(task, { proceed: 'later' })).status).toBe(422);
    expect((await fill(task, { task: 'none' })).location).toBe(taskAddress(task.challenge));
    expect((await fill(task, { task: 'email', proceed: 'later' })).location).toBe(taskAddress(task.challenge));
    expect(story.findAccepted(task.challenge)).toEqual([]);
  });

  it('are stored beside attributes that do not satisfy the schema, which stay as they are', async () => {
    const stored = { branch: 'West', code: 'longer', former: [1] };
    const account = await createPerson(stored);
    const task = await reachTask(account);
    const wrong = await fill(task, { detail_customer: 'many', detail_news: 'true' });
    expect([wrong.status, wrong.state('task').task]).toMatchObject([
      422,
      { fields: [{ name: 'customer', error: 'format' }, {}] },
    ]);
    expect((await fill(task, { detail_customer: '4711', detail_news: 'true' })).location).toContain('login_verifier=');
    expect(await findAttributes(account)).toEqual({ ...stored, customer: 4711, news: true });
    const next = await story.openLogin();
    expect((await story.signIn(next.browser, next.fields, account)).location).toContain('login_verifier=');
  });

  it('do not hold up a person whose account has more attributes than can be stored', async () => {
    const stored = { branch: 'North', news: true, code: 'x'.repeat(9000) };
    const account = await createPerson(stored);
    const task = await reachTask(account);
    expect((await fill(task, { detail_customer: '4711' })).location).toContain('login_verifier=');
    expect(await findAttributes(account)).toEqual(stored);
  });

  it('are announced in the account area', async () => {
    const account = await gateway.account(`lacking.${(count += 1)}`, {
      attributes: { customer: 1, branch: 'North', news: true },
    });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const readAnnounced = async () => (await user.page(PATHS.manage, 'manage')).manage.fields_required;
    expect(await readAnnounced()).toBeUndefined();
    await gateway.database.db.updateTable('account').set({ attributes: '{}' }).where('id', '=', account.id).execute();
    expect(await readAnnounced()).toBe(true);
  });
});
