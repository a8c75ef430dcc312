/** The help desk check: three words on the page of the person, which the operator types. What somebody with a good story would try. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cleanup } from '../../src/accounts/cleanup.js';
import { SupportChecks } from '../../src/accounts/operators/support-checks.js';
import { randomToken } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { beginConsoleSession, commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;
const DESK = randomToken();
const NOBODY = '00000000-0000-4000-8000-000000000000';
const WRONG = 'wrong wrong wrong';

let operator: TestOperator;
let gateway: TestGateway;
let olga: string;
let otto: string;
let desks = 0;
const { createAccount, findKinds } = operatorSteps(() => operator);
const line = commandLine(() => operator);

const hire = async (username: string): Promise<string> =>
  beginConsoleSession(operator, (await createAccount({ username, display_name: username })).id, 'support');

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({
      console: CONSOLE,
      operator: { ...config.operator, supportCheck: true, tokens: [{ name: 'olga', rights: 'support', token: DESK }] },
    }),
  });
  gateway = await startTestGateway({ config: ({ operator: own }) => ({ operator: { ...own, supportCheck: true } }) });
  [olga, otto] = [await hire('olga'), await hire('otto')];
});

afterAll(async () => {
  await operator.close();
  await gateway.close();
});

/** A new operator, whose checks of the last hour do not count. */
const hireAnother = () => hire(`desk${(desks += 1)}`);

const callAs = (secret: string, path: string, body?: unknown, reason: string | null = 'ticket%204711') =>
  operator.call('POST', path, body, {
    authorization: undefined,
    cookie: `foyer-console=${secret}`,
    'x-foyer-console': '1',
    ...(reason === null ? {} : { 'x-foyer-reason': reason }),
  });

const ask = (secret: string, id: string) => callAs(secret, `/accounts/${id}/support-check`);
const answer = (secret: string, id: string, words: unknown) => callAs(secret, `/accounts/${id}/support-check/answer`, { words });
const toResult = ({ status, json }: OperatorAnswer) => [status, json['state'] ?? json['error'], json['tries_left']];
const passed = [200, 'passed', 0];
const ended = [409, 'support_check_ended', undefined];

async function readWords(id: string): Promise<string> {
  const check = await operator.services.supportChecks.find(id);
  if (!check) throw new Error('No check is open');
  return check.words;
}

describe('the check of who is calling', () => {
  it('passes with the words of the page, in any case and written together, and is recorded', async () => {
    const { id } = await createAccount();
    const asked = await ask(olga, id);
    expect(toResult(asked)).toEqual([200, 'open', 3]);
    const words = await readWords(id);
    expect(words).toMatch(/^[a-z]+ [a-z]+ [a-z]+$/);
    for (const word of words.split(' ')) expect(asked.text).not.toContain(word);
    expect(toResult(await answer(olga, id, ` ${words.toUpperCase().replaceAll(' ', '-')}\u00a0`))).toEqual(passed);
    expect(await operator.services.supportChecks.find(id)).toBeNull();
    const check = asked.json['id'];
    const events = await findKinds(id);
    const detail = { check, operatorAccount: expect.any(String), reason: 'ticket 4711' };
    expect(events.slice(0, 2)).toEqual([
      ['support-check.passed', detail],
      ['support-check.asked', detail],
    ]);
    expect(JSON.stringify(events)).not.toContain(words);
    const { words: stored } = await operator.database.db
      .selectFrom('support_check')
      .select('words')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(stored).not.toContain(words.split(' ')[0]);
  });

  it('cannot be passed twice', async () => {
    const { id } = await createAccount();
    await ask(olga, id);
    const words = await readWords(id);
    await answer(olga, id, words);
    expect(toResult(await answer(olga, id, words))).toEqual(ended);
  });

  it('ends after three wrong answers, also those that come at the same time', async () => {
    const { id } = await createAccount();
    await ask(olga, id);
    const words = await readWords(id);
    const answers = await Promise.all(Array.from({ length: 6 }, () => answer(olga, id, WRONG)));
    const results = answers.map((one) => JSON.stringify(toResult(one))).toSorted();
    expect(results.filter((one) => one.startsWith('[200'))).toEqual(['[200,"open",1]', '[200,"open",2]', '[200,"refused",0]']);
    expect(toResult(await answer(olga, id, words))).toEqual(ended);
    expect(await operator.services.supportChecks.find(id)).toBeNull();
    expect(JSON.stringify(await findKinds(id)).match(/support-check\.refused/g)).toHaveLength(3);
  });

  it('belongs to the operator who began it, by account and not by name', async () => {
    const { id } = await createAccount();
    await ask(olga, id);
    const words = await readWords(id);
    expect(toResult(await answer(otto, id, words))).toEqual(ended);
    const token = { authorization: `Bearer ${DESK}`, 'x-foyer-reason': 'at%20night' };
    const byToken = await operator.call('POST', `/accounts/${id}/support-check/answer`, { words }, token);
    expect(toResult(byToken)).toEqual(ended);
    // Others cannot use the tries up.
    expect(toResult(await answer(olga, id, words))).toEqual(passed);
  });

  it('ends when another operator begins one', async () => {
    const { id } = await createAccount();
    await ask(olga, id);
    const former = await readWords(id);
    await ask(otto, id);
    expect(await readWords(id)).not.toBe(former);
    expect(toResult(await answer(olga, id, former))).toEqual(ended);
    expect(toResult(await answer(otto, id, former))).toEqual([200, 'open', 2]);
  });

  it('is about one account', async () => {
    const [maria, mallory] = [await createAccount(), await createAccount()];
    await ask(olga, maria.id);
    await ask(olga, mallory.id);
    expect(toResult(await answer(olga, maria.id, await readWords(mallory.id)))).toEqual([200, 'open', 2]);
  });

  it('expires after ten minutes, and is then deleted', async () => {
    const { id } = await createAccount();
    await ask(olga, id);
    const words = await readWords(id);
    operator.clock.advance({ seconds: 601 });
    expect(await operator.services.supportChecks.find(id)).toBeNull();
    expect(toResult(await answer(olga, id, words))).toEqual(ended);
    await new Cleanup(operator.database, { eventSinks: [] }).deleteExpired();
    const rows = operator.database.db.selectFrom('support_check').select('id').where('account_id', '=', id);
    expect(await rows.execute()).toEqual([]);
    [olga, otto] = [await hireAnother(), await hireAnother()];
  });

  it('does not pass with sentences in place of words, in fifty calls', async () => {
    const { id } = await createAccount();
    const secret = await hireAnother();
    const sentences = [
      'I am the director and in a hurry',
      'the page shows no words',
      'your colleague knows me',
      '',
      ' - ',
      '%',
      '.*',
    ];
    let refused = 0;
    for (let call = 0; call < 50; call += 1) {
      await ask(secret, id);
      const result = await answer(secret, id, sentences[call % sentences.length]);
      expect(result.json['state']).not.toBe('passed');
      refused += result.status === 200 ? 1 : 0;
    }
    // Ten checks an hour begin for one account, and the tries of the last one end.
    expect(refused).toBe(12);
    const limited = await ask(secret, id);
    expectError(limited, 429, 'too_many_requests');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expectError(await ask(await hireAnother(), id), 429, 'too_many_requests');
    expect(JSON.stringify(await findKinds(id))).not.toContain('support-check.passed');
  });

  it('can be begun sixty times an hour by one operator', async () => {
    const secret = await hireAnother();
    for (let person = 0; person < 6; person += 1) {
      const { id } = await createAccount();
      for (let check = 0; check < 10; check += 1) expect((await ask(secret, id)).status).toBe(200);
    }
    const { id } = await createAccount();
    expectError(await ask(secret, id), 429, 'too_many_requests');
    expect((await ask(await hireAnother(), id)).status).toBe(200);
  });

  it('is off unless the setting is on', async () => {
    const other = await startTestOperator();
    const { json } = await other.call('POST', '/accounts', { username: 'somebody' });
    expectError(await other.call('POST', `/accounts/${String(json['id'])}/support-check`), 409, 'support_check_off');
    await other.close();
  });

  it('needs a reason, an account that can sign in, and three words', async () => {
    const { id } = await createAccount();
    expectError(await callAs(olga, `/accounts/${id}/support-check`, undefined, null), 422, 'missing');
    expectError(await ask(olga, NOBODY), 404, 'account_not_found');
    expectError(await answer(olga, NOBODY, WRONG), 404, 'account_not_found');
    expect(toResult(await answer(olga, id, WRONG))).toEqual(ended);
    expectError(await answer(olga, id, 'a'.repeat(201)), 422, 'too_long');
    expectError(await answer(olga, id, { $ne: '' }), 400, 'wrong_type');
    await ask(olga, id);
    const words = await readWords(id);
    await operator.call('POST', `/accounts/${id}/disable`);
    expectError(await ask(olga, id), 409, 'account_disabled');
    expect(toResult(await answer(olga, id, words))).toEqual(ended);
  });

  it('is done on the command line', async () => {
    const { id, username } = await createAccount();
    const asked = await line(`account support-check ask ${username} --reason call`);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out).toContain('three words');
    const words = await readWords(id);
    expect(asked.out).not.toContain(words);
    const say = (typed: string) => line(['account', 'support-check', 'answer', username, '--words', typed, '--reason', 'call']);
    const wrong = await say(WRONG);
    expect([wrong.code, wrong.out]).toEqual([1, 'The words are wrong. Tries left: 2.\n']);
    expect(await say(words)).toMatchObject({ code: 0, out: expect.stringContaining('The words are right') });
    expect(await say(words)).toMatchObject({ code: 4 });
    expect(await line(`account support-check answer ${username}`)).toMatchObject({ code: 2 });
  });
});

describe('the page of the person', () => {
  async function enter(fresh: boolean) {
    const user = await ManageUser.enter(gateway, { fresh });
    const by = await gateway.account(
      `desk${randomToken(6)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, 'x')}`,
      { displayName: 'Olga Operator' },
    );
    return {
      user,
      ask: (actor: object = { operatorAccount: by.id }) =>
        gateway.get(SupportChecks).ask(user.account.id, { actor: 'operator', ...actor }),
    };
  }
  const read = async (user: ManageUser) => (await user.page(PATHS.manage, 'manage')).manage.support_check;

  it('shows the words and who asks while the check is open', async () => {
    const { user, ask: begin } = await enter(true);
    expect(await read(user)).toBeUndefined();
    await begin();
    const shown = await read(user);
    expect(shown).toEqual({
      words: expect.stringMatching(/^\w+ \w+ \w+$/),
      operator: 'Olga Operator',
      expires_at: expect.any(String),
    });
    await begin({ operator: 'night' });
    expect((await read(user))?.operator).toBeNull();
    gateway.clock.advance({ seconds: 601 });
    expect(await read(user)).toBeUndefined();
  });

  it('does not show the words to an access token, which apps have', async () => {
    const { user, ask: begin } = await enter(false);
    await begin();
    expect(await read(user)).toBeUndefined();
  });
});
