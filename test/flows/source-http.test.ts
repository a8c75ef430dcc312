/** A source over HTTP behind the whole gateway: its questions, the pages, the log and the metrics. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ScriptedPeople, type ScriptedHttpAnswer } from '../support/scripted-people.js';
import type { TestPage } from '../support/test-browser.js';

const THERE = 'linde kupfer 1284';

let people: ScriptedPeople;
let gateway: TestGateway;
let count = 0;

/** A service that knows anna and her password. */
const answerRight = ({ identifier, password, sub }: Record<string, unknown>): ScriptedHttpAnswer => {
  if (password !== undefined) return { claims: { result: sub === '1' && password === THERE ? 'proven' : 'wrong' } };
  const isAnna = identifier === 'anna' || sub === '1';
  return { claims: isAnna ? { result: 'found', person: { sub: '1', username: 'anna' } } : { result: 'nobody' } };
};

beforeAll(async () => {
  people = await ScriptedPeople.start();
  gateway = await startTestGateway({ config: () => ({ sources: [people.settings()] }) });
  await gateway.account('maria.musterfrau');
});
afterAll(async () => {
  await gateway.close();
  await people.close();
});
beforeEach(() => {
  people.answer = answerRight;
  people.questions.length = 0;
});

async function signIn(username: string, password = THERE): Promise<TestPage> {
  const browser = gateway.browser({ 'accept-language': 'en', 'x-forwarded-for': `192.0.2.${(count % 200) + 1}` });
  const challenge = `http-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  return browser.post(PATHS.loginNative, { _xsrf, ticket, login_challenge: challenge, username, password });
}

describe('[SRC-3] a source over HTTP', () => {
  it('signs a person in with two questions', async () => {
    expect((await signIn('anna')).status).toBe(303);
    expect(people.questions.map(({ call }) => call)).toEqual(['lookup', 'verify']);
  });

  it('[LOG-6] gets the same questions for every name that fails, and only the passwords of its own people', async () => {
    const work = [];
    for (const username of ['anna', 'nobody.at.all', 'maria.musterfrau']) {
      people.questions.length = 0;
      const { status, html } = await signIn(username, 'wrong password 1');
      const lengths = people.questions.map(({ password }) => typeof password);
      work.push({
        status,
        code: /data-code="([^"]+)"/.exec(html)?.[1],
        lengths,
        calls: people.questions.map(({ call }) => call),
      });
      const isTheirs = people.questions.some(({ password }) => password === 'wrong password 1');
      expect([username, isTheirs]).toEqual([username, username === 'anna']);
    }
    for (const one of work) expect(one).toEqual(work[0]);
    expect(work[0]).toMatchObject({ status: 422, calls: ['lookup', 'verify'] });
  });

  it.each<[string, ScriptedHttpAnswer, string]>([
    ['fails', { status: 500 }, 'it fails (HTTP 500)'],
    ['answers nonsense', { body: '<html>' }, 'its answer is not a JWT as documented (ERR_JWS_INVALID)'],
    ['answers for somebody else', { claims: { result: 'proven', sub: '2' } }, 'it answers for another person'],
  ])(
    'is not reported as a wrong password if it %s: the answer is 503, nothing is counted, and the log has the reason',
    async (_, said, reason) => {
      people.answer = (question) => (question['password'] === undefined ? answerRight(question) : said);
      for (let time = 0; time < 7; time += 1) {
        const answer = await signIn('anna');
        expect([answer.status, answer.state('server_error').server_error.code]).toEqual([503, 'source_unavailable']);
      }
      const line = gateway.logLines.findLast(({ msg }) => msg === 'a user source does not answer');
      expect(line).toMatchObject({ source: 'staff', reason });
      expect(JSON.stringify(gateway.logLines)).not.toContain(THERE);
      people.answer = answerRight;
      expect((await signIn('anna')).status).toBe(303);
    },
  );

  it.each([
    ['disabled', 403, 'not_allowed'],
    ['must_change', 403, 'password_change'],
  ])('reports that a person is %s', async (result, status, code) => {
    people.answer = (question) => (question['password'] === undefined ? answerRight(question) : { claims: { result } });
    const answer = await signIn('anna');
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([status, code]);
  });

  it('can read the keys of the questions, which differ from those of registration tickets', async () => {
    const answer = await fetch(gateway.url + SERVER_PATHS.sourceKeys);
    expect(answer.headers.get('content-type')).toContain('application/jwk-set+json');
    const { keys } = (await answer.json()) as { keys: Record<string, string>[] };
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
    const other = await startTestGateway();
    expect((await fetch(other.url + SERVER_PATHS.sourceKeys)).status).toBe(404);
    await other.close();
  });
});
