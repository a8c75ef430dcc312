/** Operators list, approve and refuse people who signed up, by the API and the commands. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { OperatorRule } from '../../src/config/config.js';
import type { SignUpListAnswer } from '../../src/operator/wire-sign-ups.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import { addSignUp } from '../support/waiting-sign-up.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const RULES: readonly OperatorRule[] = [{ attribute: 'customer', value: '1', right: 'admin' }];

let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const line = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({
      accounts: { ...config.accounts, schema: { properties: { customer: { type: 'string' } } } },
      operator: { ...config.operator, approval: 'operators', rules: RULES },
    }),
  });
});
afterAll(() => operator.close());
beforeEach(async () => {
  await operator.database.db.deleteFrom('sign_up_application').execute();
  await takeMails();
});

const list = async (query = '') => (await operator.call('GET', `/sign-ups${query}`)).json as unknown as SignUpListAnswer;
const approve = (id: string, body?: object) => operator.call('POST', `/sign-ups/${id}/approve`, body);
const refuse = (id: string, body?: object) => operator.call('POST', `/sign-ups/${id}/refuse`, body);

async function takeMails() {
  const mails = await operator.services.mails.claim(100);
  for (const mail of mails) await operator.services.mails.markSent(mail);
  return mails;
}

describe('people who signed up', () => {
  it('[JOI-30] are listed in the order in which they signed up, in pages, without their password', async () => {
    const ids: string[] = [];
    for (let people = 0; people < 3; people += 1) ids.push(await addSignUp(operator, { attributes: '{"customer":"4711"}' }));
    const first = await list('?limit=2');
    expect(first.sign_ups[0]).toEqual({
      id: ids[0],
      email: expect.stringMatching(/^waiting-/),
      username: expect.stringMatching(/^waiting-/),
      display_name: 'Nele Neumann',
      attributes: { customer: '4711' },
      client_id: 'portal',
      client_name: 'Portal',
      asked_at: expect.any(String),
      expires_at: '2100-01-01T00:00:00.000Z',
    });
    const next = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.sign_ups, ...next.sign_ups].map(({ id }) => id)).toEqual(ids);
    expect(next).not.toHaveProperty('next_cursor');
    const { rows } = (await operator.call('GET', '/today')).json as { rows: unknown[] };
    expect(rows).toContainEqual({ kind: 'sign-ups', count: 3, names: [], id: null, since: null });
  });

  it('[JOI-21] get an account by an approval, which is an event with the reason', async () => {
    const id = await addSignUp(operator);
    const answer = await operator.call('POST', `/sign-ups/${id}/approve`, undefined, { 'x-foyer-reason': 'ticket' });
    expect(answer.status).toBe(200);
    expect(await findKinds(String(answer.json['id']))).toContainEqual([
      'account.created',
      { by: 'sign-up', application: id, reason: 'ticket' },
    ]);
    expect((await takeMails()).map(({ kind, values }) => [kind, values])).toEqual([
      ['sign-up-approved', { url: 'https://portal.example/' }],
    ]);
    expectError(await approve(id), 404, 'sign_up_not_found');
    expectError(await refuse(id), 404, 'sign_up_not_found');
    for (const unknown of [NOBODY, 'x']) expectError(await approve(unknown), 404, 'sign_up_not_found');
  });

  it('[JOI-27] can be approved with another username; a name that cannot be used changes nothing', async () => {
    const { username } = await createAccount();
    const id = await addSignUp(operator, { username });
    expectError(await approve(id), 409, 'username_taken', 'username');
    expectError(await approve(id, { username: 'a' }), 422, 'too_short', 'username');
    expectError(await approve(id, { username: 'admin' }), 422, 'reserved', 'username');
    expectError(await approve(id, { more: 1 }), 400, 'unknown_member');
    expect((await list()).sign_ups).toHaveLength(1);
    expect((await approve(id, { username: `${username}2` })).json).toMatchObject({ username: `${username}2` });
  });

  it('[JOI-26] whose address has an account by now can only be refused', async () => {
    const { id: account } = await createAccount({ email: 'now@example.org' });
    await sql`update account set email_verified = true where id = ${account}`.execute(operator.database.db);
    const id = await addSignUp(operator, { email: 'now@example.org', email_key: 'now@example.org' });
    expectError(await approve(id), 409, 'email_taken', 'email');
    expect([(await refuse(id)).json, await takeMails()]).toEqual([{ id }, []]);
  });

  it('[JOI-30] cannot become operators if the settings give a right for what they have entered', async () => {
    const id = await addSignUp(operator, { attributes: '{"customer":"1"}' });
    expectError(await approve(id), 409, 'approval_required');
    expect((await list()).sign_ups).toHaveLength(1);
  });

  it('[JOI-30] are not approved if the settings exclude their address, or give any right for what they have entered, by now', async () => {
    const replica = await startTestOperator({
      database: operator.database,
      config: (config) => ({
        accounts: { ...config.accounts, schema: { properties: { customer: { type: 'string' } } } },
        operator: { ...config.operator, rules: [{ attribute: 'customer', value: '1', right: 'support' }] },
        registration: {
          ...config.registration,
          signUp: { fields: [], domains: ['example.org'], deniedDomains: ['no.example.org'], codesPerHour: 10 },
        },
      }),
    });
    const approveThere = (id: string) => replica.call('POST', `/sign-ups/${id}/approve`);
    try {
      const operatorToBe = await addSignUp(operator, { attributes: '{"customer":"1"}' });
      expectError(await approveThere(operatorToBe), 409, 'grants_right', 'attributes');
      for (const email of ['nele@another.example', 'nele@no.example.org']) {
        const id = await addSignUp(operator, { email, email_key: email });
        expectError(await approveThere(id), 409, 'domain_excluded', 'email');
      }
      expect((await list()).sign_ups).toHaveLength(3);
      expect((await approveThere(await addSignUp(operator, { attributes: '{"customer":"2"}' }))).status).toBe(200);
      expect((await refuse(operatorToBe)).status).toBe(200);
    } finally {
      await replica.close();
    }
  });

  it('[JOI-30] wait no longer if an account that has proven their address is deleted', async () => {
    const addWithAccount = async (isVerified: boolean): Promise<void> => {
      const email = `deleted-${isVerified}@example.org`;
      const { id } = await createAccount({ email });
      await operator.database.db.updateTable('account').set({ email_verified: isVerified }).where('id', '=', id).execute();
      await addSignUp(operator, { email, email_key: email });
      expect((await operator.call('DELETE', `/accounts/${id}`)).status).toBe(200);
    };
    await addWithAccount(true);
    await addWithAccount(false);
    expect((await list()).sign_ups.map(({ email }) => email)).toEqual(['deleted-false@example.org']);
  });

  it('[JOI-30] whose entries the schema no longer allows are not approved', async () => {
    const id = await addSignUp(operator, { attributes: '{"former":"x"}' });
    expectError(await approve(id), 422, 'format', 'attributes');
    expect((await list()).sign_ups).toHaveLength(1);
  });

  it('[JOI-22] are told what was written for them, and nothing else', async () => {
    const id = await addSignUp(operator);
    expectError(await refuse(id, { message: 'x'.repeat(501) }), 422, 'too_long', 'message');
    expectError(await refuse(id, { message: 'a\nb' }), 422, 'characters', 'message');
    expectError(await refuse(id, { message: 7 }), 400, 'wrong_type');
    const answer = await operator.call('POST', `/sign-ups/${id}/refuse`, { message: ' No. ' }, { 'x-foyer-reason': 'ticket' });
    expect([answer.status, answer.json]).toEqual([200, { id }]);
    expect((await takeMails()).map(({ kind, values }) => [kind, values])).toEqual([['sign-up-refused', { words: 'No.' }]]);
    const { json } = await operator.call('GET', '/audit?kind=sign-up.refused');
    const [event] = json['entries'] as unknown[];
    expect(event).toMatchObject({ actor: 'operator', detail: { application: id, reason: 'ticket' } });
    await refuse(await addSignUp(operator), { message: '  ' });
    expect((await takeMails()).map(({ values }) => values)).toEqual([{}]);
  });
});

describe('[OPR-2] foyer sign-up', () => {
  it('[JOI-30] lists, approves and refuses', async () => {
    const [one, other] = [await addSignUp(operator), await addSignUp(operator, { display_name: 'Nele\u202E' })];
    const listed = (await line('sign-up list')).out;
    expect(listed).toMatch(new RegExp(`Portal +${one}`));
    expect(listed).not.toContain('\u202E');
    expect((await line(`sign-up approve ${one} --username by.command --reason ticket`)).out).toMatch(
      /^by\.command has an account now: /,
    );
    expect((await line(['sign-up', 'refuse', other, '--message', 'Sorry.', '--reason', 'ticket'])).out).toBe(
      `The sign-up ${other} was refused.\n`,
    );
    const none = await line('sign-up list');
    expect([none.out, none.err]).toEqual(['', 'Nobody is waiting for a decision.\n']);
    expect((await line(`sign-up refuse ${other}`)).code).not.toBe(0);
  });
});
