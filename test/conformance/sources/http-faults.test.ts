/**
 * Tests the HTTP source: behind a network that fails, with more requests than it sends at once, and with right, wrong and forged
 * answers. Also tests the example service.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { hashPassword, startPeopleService } from '../../../embedded/people/people-service.js';
import { Keys } from '../../../src/config/keys.js';
import { HttpCalls } from '../../../src/sources/http/http-calls.js';
import { HttpSource } from '../../../src/sources/http/http-source.js';
import { SourceUnavailable } from '../../../src/sources/source.errors.js';
import { FaultProxy, SHORT_MS, askUntilAvailable, type Fault } from '../../support/fault-proxy.js';
import { TestPeopleService, sourceParts } from '../../support/people-service.js';
import { SHARED_SECRET, ScriptedPeople, type ScriptedHttpAnswer } from '../../support/scripted-people.js';
import { TestClock } from '../../support/test-clock.js';
import { MARIA } from './contract.js';

const FAULTS: Fault[] = ['hang', 'cut', 'half', 'nonsense'];
const httpSources: HttpSource[] = [];
const lines: string[] = [];
let clock = new TestClock();

function open(settings: ConstructorParameters<typeof HttpSource>[0]): HttpSource {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const source = new HttpSource(settings, sourceParts(log, clock));
  httpSources.push(source);
  return source;
}

afterEach(async () => {
  clock = new TestClock();
  await Promise.all(httpSources.splice(0).map((source) => source.close()));
});

const toReason = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'an answer',
    (error: unknown) => {
      if (error instanceof SourceUnavailable) return error.reason;
      throw error;
    },
  );

describe('many tries of names that nobody has', () => {
  it('do not keep a person with the right password out, although the service does not answer for names that nobody has', async () => {
    const people = await ScriptedPeople.start();
    const person = { sub: '1', username: 'maria' };
    people.answer = ({ call, sub }) => {
      if (call === 'lookup') return { claims: { result: 'found', person } };
      return sub === undefined ? { isSilent: true } : { claims: { result: 'proven', sub } };
    };
    const source = open(people.settings({ timeout_ms: 10_000 }));
    const tries = Array.from({ length: 200 }, () => source.verifyDummy().catch(() => undefined));
    try {
      const foundPerson = await source.find({ identifier: 'maria' });
      expect(foundPerson && (await source.verify(foundPerson, MARIA.password)).kind).toBe('proven');
    } finally {
      await people.close();
      await Promise.all(tries);
    }
  });

  it('are refused as unavailable if too many of them wait', async () => {
    const people = await ScriptedPeople.start();
    people.answer = () => ({ isSilent: true });
    const source = open(people.settings({ timeout_ms: 10_000 }));
    const tries = Promise.allSettled(Array.from({ length: 32 + 1024 }, () => source.verifyDummy()));
    try {
      await expect(source.verifyDummy()).rejects.toMatchObject({ reason: 'too many requests at once' });
    } finally {
      await people.close();
      await tries;
    }
  });
});

describe('more questions at once than there are connections', () => {
  const LIMIT_MS = 3000;
  let people: ScriptedPeople;

  beforeEach(async () => {
    people = await ScriptedPeople.start();
  });
  afterEach(() => people.close());

  it('wait for their turn, which does not count towards their time limit', async () => {
    jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    let hasFailed = false;
    const waitForQuestions = async (count: number): Promise<void> => {
      while (people.questions.length < count && !hasFailed) await new Promise((resolve) => setImmediate(resolve));
    };
    const waitingAnswers: (() => void)[] = [];
    const sendWaitingAnswers = (): void => waitingAnswers.splice(0).forEach((answer) => answer());
    people.answer = () => ({ claims: { result: 'nobody' }, after: new Promise<void>((resolve) => waitingAnswers.push(resolve)) });
    try {
      const source = open(people.settings({ timeout_ms: LIMIT_MS }));
      const burst = Array.from({ length: 65 }, (_, index) => toReason(source.find({ identifier: `person ${index}` })));
      // Without this, the loop of `waitForQuestions` would not end after a failure.
      for (const question of burst) void question.then((reason) => (hasFailed ||= reason !== 'an answer'));
      for (const questionCount of [64, 65]) {
        await waitForQuestions(questionCount);
        jest.advanceTimersByTime((LIMIT_MS * 2) / 3);
        expect(people.questions).toHaveLength(questionCount);
        sendWaitingAnswers();
      }
      expect(new Set(await Promise.all(burst))).toEqual(new Set(['an answer']));
    } finally {
      jest.useRealTimers();
    }
  });

  it('end at once when the service does not answer the questions before them', async () => {
    people.answer = () => ({ isSilent: true });
    const source = open(people.settings({ timeout_ms: SHORT_MS }));
    const burst = Array.from({ length: 130 }, (_, index) => toReason(source.find({ identifier: `person ${index}` })));
    const reasons = await Promise.all(burst);
    expect(reasons.filter((reason) => reason === 'no answer in time a moment ago').length).toBeGreaterThanOrEqual(130 - 64);
    expect(people.questions.length).toBeLessThanOrEqual(64);
  });

  it('are refused if too many wait, which does not count as a failure of the service', async () => {
    let sendAnswers: () => void = () => undefined;
    const startOfAnswers = new Promise<void>((resolve) => (sendAnswers = resolve));
    people.answer = () => ({ claims: { result: 'nobody' }, after: startOfAnswers });
    const source = open(people.settings({ timeout_ms: 20_000 }));
    const burst = Array.from({ length: 64 + 1024 }, (_, index) => toReason(source.find({ identifier: `person ${index}` })));
    expect(await toReason(source.find({ identifier: 'one more' }))).toBe('too many requests at once');
    sendAnswers();
    expect(new Set(await Promise.all(burst))).toEqual(new Set(['an answer']));
  }, 180_000);
});

describe('a request for keys', () => {
  it('is sent again if a kept connection ended without an answer', async () => {
    const people = await ScriptedPeople.start();
    const calls = new HttpCalls({ timeoutMs: 30_000 }, clock);
    people.answer = () =>
      people.questions.length === 2 ? { isDropped: true } : { body: '{"keys":[]}', type: 'application/json' };
    for (let time = 0; time < 2; time += 1)
      expect(await calls.get(people.url, 'application/json')).toMatchObject({ status: 200, body: '{"keys":[]}' });
    expect(people.questions).toHaveLength(3);
    calls.close();
    await people.close();
  });
});

describe('an HTTP source behind a network', () => {
  let service: TestPeopleService;
  let proxy: FaultProxy;

  beforeAll(async () => {
    service = await TestPeopleService.start([{ sub: '1', username: 'maria', hash: hashPassword(MARIA.password) }]);
    proxy = await FaultProxy.start(service.port, 'localhost');
  });
  afterEach(() => {
    proxy.fault = 'none';
    proxy.dropAll();
  });
  afterAll(async () => {
    await proxy.close();
    await service.close();
  });

  const openBehindProxy = (timeout_ms = 10_000) => open(service.settings({ url: `http://localhost:${proxy.port}`, timeout_ms }));
  const maria = (source: HttpSource) => askUntilAvailable(() => source.find({ identifier: 'maria' }), clock);

  it.each(FAULTS)('is unavailable while the network fails (%s), and available again afterwards', async (fault) => {
    const source = openBehindProxy(SHORT_MS);
    proxy.fault = fault;
    await expect(source.find({ identifier: 'maria' })).rejects.toBeInstanceOf(SourceUnavailable);
    proxy.fault = 'none';
    proxy.dropAll();
    expect(await maria(source)).not.toBeNull();
  });

  it.each(FAULTS)('never reports a wrong password when it fails (%s) while a password is verified', async (fault) => {
    const source = openBehindProxy(SHORT_MS);
    const foundPerson = await maria(source);
    if (!foundPerson) throw new Error('nobody was found');
    proxy.fault = fault;
    await expect(source.verify(foundPerson, MARIA.password)).rejects.toBeInstanceOf(SourceUnavailable);
    await expect(source.verify(foundPerson, 'wrong')).rejects.toBeInstanceOf(SourceUnavailable);
  });

  it('is not asked for a moment after a failure, so that nobody waits twice', async () => {
    const source = openBehindProxy(SHORT_MS);
    proxy.fault = 'hang';
    expect(await toReason(source.find({ identifier: 'maria' }))).toBe('no answer in time');
    const { connections } = proxy;
    expect(await toReason(source.find({ identifier: 'maria' }))).toBe('no answer in time a moment ago');
    expect(proxy.connections).toBe(connections);
  });

  it('is asked again on the same connection, and on another one if it has closed the connection meanwhile', async () => {
    const source = openBehindProxy();
    await source.find({ identifier: 'maria' });
    const { connections } = proxy;
    await source.find({ identifier: 'maria' });
    expect(proxy.connections).toBe(connections);
    proxy.dropAll();
    expect(await source.find({ identifier: 'maria' })).not.toBeNull();
  });
});

describe('[SRC-3] what an HTTP source answers', () => {
  let people: ScriptedPeople;

  beforeAll(async () => {
    people = await ScriptedPeople.start();
  });
  afterAll(() => people.close());

  const find = (answer: ScriptedHttpAnswer | (() => ScriptedHttpAnswer), more: Record<string, unknown> = {}) => {
    people.answer = typeof answer === 'function' ? answer : () => answer;
    return open(people.settings(more)).find({ identifier: 'maria' });
  };
  const personAnswer = (more: object): ScriptedHttpAnswer => ({
    claims: { result: 'found', person: { sub: '1', username: 'maria', ...more } },
  });

  it('is not requested for a moment after a slow failure, and is requested again afterwards', async () => {
    const source = open(people.settings());
    const failAfter = (seconds: number): void => {
      people.answer = () => {
        clock.advance({ seconds });
        return { status: 503 };
      };
    };
    const ask = () => toReason(source.find({ identifier: 'maria' }));
    failAfter(0);
    // A fast failure costs nobody any time.
    expect([await ask(), await ask()]).toEqual(['it fails (HTTP 503)', 'it fails (HTTP 503)']);
    failAfter(3);
    expect(await ask()).toBe('it fails (HTTP 503)');
    const questionCount = people.questions.length;
    expect([await ask(), await ask()]).toEqual(Array(2).fill('it failed slowly (HTTP 503) a moment ago'));
    expect(people.questions).toHaveLength(questionCount);
    clock.advance({ seconds: 6 });
    expect(await ask()).toBe('it fails (HTTP 503)');
  });

  it.each<[string, ScriptedHttpAnswer, RegExp]>([
    ['HTTP 500', { status: 500 }, /^it fails \(HTTP 500\)$/],
    ['HTTP 404', { status: 404 }, /^it fails \(HTTP 404\)$/],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }, /HTTP 302/],
    ['another protocol', { status: 101, headers: { connection: 'upgrade', upgrade: 'x' } }, /^no answer$/],
    ['a refusal', { status: 401 }, /^it refuses the request \(HTTP 401\)$/],
    [
      'a refusal by a service whose clock is behind',
      { status: 401, headers: { date: new Date(Date.now() - 95_000).toUTCString() } },
      /^it refuses the request \(HTTP 401\): its clock is \d+ seconds behind$/,
    ],
    ['another content type', { type: 'text/html' }, /content type/],
    ['no token', { body: '{"result":"nobody"}' }, /not a JWT/],
    ['nothing', { body: '' }, /not a JWT/],
    ['a token of too many bytes', { body: 'x'.repeat(70_000) }, /too large/],
    ['a signature with another secret', { secret: `${SHARED_SECRET} `, claims: { result: 'nobody' } }, /signature .* is wrong/],
    ['another algorithm', { alg: 'HS512', claims: { result: 'nobody' } }, /not a JWT/],
    ['a token of another type', { typ: 'JWT', claims: { result: 'nobody' } }, /the member typ/],
    ['another issuer', { claims: { result: 'nobody', iss: 'x' } }, /the member iss/],
    ['another audience', { claims: { result: 'nobody', aud: 'x' } }, /the member aud/],
    ['the answer to another question', { claims: { result: 'nobody', nonce: 'x' } }, /another question/],
    ['no nonce', { claims: { result: 'nobody', nonce: undefined } }, /the member nonce/],
    ['no expiration time', { claims: { result: 'nobody', exp: undefined } }, /the member exp/],
    ['an expiration time that is a duration', { claims: { result: 'nobody', exp: 60 } }, /^the member exp of its answer is not/],
    ['no result', { claims: {} }, /result of lookup/],
    ['a result of the other call', { claims: { result: 'proven' } }, /result of lookup/],
    ['the result "found" without a person', { claims: { result: 'found' } }, /no person/],
    ['an id that is a number', personAnswer({ sub: 7 }), /the member sub of a person is not a string/],
    ['an id that is empty', personAnswer({ sub: '' }), /the member sub of a person is empty, longer/],
    ['an id with a control character', personAnswer({ sub: '1\n2' }), /the member sub of a person is empty, longer/],
    ['an id that is too long', personAnswer({ sub: 'x'.repeat(201) }), /the member sub of a person is empty, longer/],
    ['a name that is a list', personAnswer({ username: ['maria'] }), /the member username/],
    ['email_verified as a string', personAnswer({ email_verified: 'false' }), /the member email_verified/],
    ['active as a string', personAnswer({ active: 'no' }), /the member active/],
    ['login as a string', personAnswer({ login: 'maria' }), /the member login/],
  ])('%s makes the source unavailable', async (_, answer, reason) => {
    expect(await toReason(find(answer, { email_verified: true }))).toMatch(reason);
  });

  it.each([
    ['ahead', 120],
    ['behind', -120],
  ])('is refused with a reason that says how far the clock of the service is %s', async (direction, seconds) => {
    const answer = (): ScriptedHttpAnswer => {
      const now = Math.floor(Date.now() / 1000) + seconds;
      return { claims: { result: 'nobody', iat: now, exp: now + 30 } };
    };
    expect(await toReason(find(answer))).toMatch(new RegExp(`its clock is 1[12]\\d seconds ${direction}$`));
  });

  it('is requested again, with another question, if a kept connection ended without an answer', async () => {
    const source = open(people.settings());
    people.answer = () => ({ claims: { result: 'nobody' } });
    await source.find({ identifier: 'maria' });
    people.questions.length = 0;
    people.answer = () => (people.questions.length === 1 ? { isDropped: true } : { claims: { result: 'nobody' } });
    expect(await source.find({ identifier: 'maria' })).toBeNull();
    expect(new Set(people.questions.map(({ jti }) => jti)).size).toBe(2);
  });

  it('is not accepted without a signature', async () => {
    const payload = Buffer.from('{"result":"nobody"}').toString('base64url');
    const unsignedToken = `${Buffer.from('{"alg":"none","typ":"foyer-source-answer+jwt"}').toString('base64url')}.${payload}.`;
    expect(await toReason(find({ body: unsignedToken }))).toMatch(/not a JWT/);
  });

  it('has to be about the person who was asked for', async () => {
    const source = open(people.settings());
    people.answer = () => personAnswer({ sub: '2' });
    expect(await toReason(source.find({ subject: '1' }))).toBe('it answers for another person');
    expect(await source.find({ identifier: 'anna' })).toBeNull();
    people.answer = () => personAnswer({});
    const foundPerson = await source.find({ subject: '1' });
    people.answer = () => ({ claims: { result: 'proven', sub: '2' } });
    if (!foundPerson) throw new Error('nobody was found');
    expect(await toReason(source.verify(foundPerson, 'right one'))).toBe('it answers for another person');
    people.answer = () => ({ claims: { result: 'right' } });
    expect(await toReason(source.verify(foundPerson, 'right one'))).toMatch(/result of verify/);
  });

  it.each([
    ['proven', 'proven'],
    ['wrong', 'refused'],
    ['locked', 'refused'],
    ['disabled', 'not-allowed'],
    ['must_change', 'password-change'],
  ])('with the result %s becomes the verdict %s', async (result, kind) => {
    const foundPerson = await find(personAnswer({}));
    if (!foundPerson) throw new Error('nobody was found');
    people.answer = () => ({ claims: { result } });
    expect(await httpSources[0]?.verify(foundPerson, 'a password')).toMatchObject({ kind });
  });

  it.each([
    [true, { subject: '1' }],
    [false, undefined],
  ])(
    'with the result must_change becomes a verdict with the person only if the source migrates (%s)',
    async (migrate, expected) => {
      const foundPerson = await find(personAnswer({}), { migrate });
      if (!foundPerson) throw new Error('nobody was found');
      people.answer = () => ({ claims: { result: 'must_change' } });
      const verdict = await httpSources[0]?.verify(foundPerson, 'a password');
      expect(verdict?.kind === 'password-change' && verdict.person).toEqual(expected && expect.objectContaining(expected));
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('has only its own members, so %s is missing', async (member) => {
    const foundPerson = await find(personAnswer({ attributes: {} }), { attributes: { given_name: member } });
    expect(foundPerson?.person.attributes).toEqual({ given_name: null });
  });

  it('a right password of somebody who may not sign in there is reported, but does not sign the person in', async () => {
    const foundPerson = await find(personAnswer({ active: false }));
    if (!foundPerson) throw new Error('nobody was found');
    people.answer = () => ({ claims: { result: 'proven' } });
    expect(await httpSources[0]?.verify(foundPerson, 'a password')).toMatchObject({ kind: 'not-allowed' });
    people.answer = () => ({ claims: { result: 'wrong' } });
    expect(await httpSources[0]?.verify(foundPerson, 'a password')).toMatchObject({ kind: 'refused' });
  });

  it('contributes only the groups and attributes that the settings name, and email_verified only with the setting', async () => {
    const answer = personAnswer({
      ...{ email: 'maria@example.com', email_verified: true, display_name: 'Maria', login: ['mm'], groups: ['b', 'a', 'b', 'c'] },
      attributes: { dept: '42', phones: ['1', '2'], more: 'x' },
    });
    const foundPerson = await find(answer, {
      attributes: { department: 'dept', phone: 'phones', absent: 'gone' },
      groups: { only: ['a', 'b'], group_name: true },
    });
    expect(foundPerson?.person).toEqual({
      ...{ names: ['maria', 'maria@example.com', 'mm'] },
      ...{ subject: '1', username: 'maria', displayName: 'Maria', email: 'maria@example.com', emailVerified: false },
      ...{ groups: ['a', 'b'], hasGroupName: true, isActive: true },
      attributes: { department: '42', phone: ['1', '2'], absent: null },
    });
  });

  it('the service receives the password only in the signed body, and the log does not contain the password', async () => {
    const foundPerson = await find(personAnswer({}));
    if (!foundPerson) throw new Error('nobody was found');
    people.answer = () => ({ status: 500 });
    await toReason(httpSources[0]?.verify(foundPerson, 'kupfer linde 4821') ?? Promise.resolve());
    expect(people.questions.at(-1)).toMatchObject({ call: 'verify', sub: '1', password: 'kupfer linde 4821' });
    expect(new Set(people.questions.map(({ jti }) => jti)).size).toBe(people.questions.length);
    expect(lines.join('')).not.toContain('kupfer');
  });

  it('a service that accepts any password is found by the doctor', async () => {
    people.answer = ({ password }) => ({ claims: { result: password === undefined ? 'nobody' : 'proven' } });
    const { servers } = await open(people.settings()).inspect();
    expect(servers).toMatchObject([{ fault: expect.stringContaining('verify without sub') }]);
  });
});

describe('the example service', () => {
  let service: TestPeopleService;

  beforeAll(async () => {
    service = await TestPeopleService.start([{ sub: '1', username: 'maria', hash: 'x' }]);
  });
  afterAll(() => service.close());

  const send = (token: string, call = 'lookup') =>
    fetch(`${service.url}/${call}`, { method: 'POST', body: token, headers: { 'content-type': 'application/jwt' } });

  /** Builds a question for the example service as the gateway does. The question is sent to another service, which records it. */
  async function buildQuestion(keys?: Keys): Promise<string> {
    const people = await ScriptedPeople.start();
    const parts = sourceParts(pino({ level: 'silent' }));
    const source = new HttpSource(people.settings({ issuer: service.url }), { ...parts, ...(keys ? { keys } : {}) });
    await toReason(source.find({ identifier: 'maria' }));
    await source.close();
    await people.close();
    return people.tokens[0] ?? '';
  }

  it('answers a question once, on its own path only', async () => {
    const token = await buildQuestion();
    expect((await send(token, 'verify')).status).toBe(401);
    expect((await send(await buildQuestion())).status).toBe(200);
    const repeatedToken = await buildQuestion();
    expect([(await send(repeatedToken)).status, (await send(repeatedToken)).status]).toEqual([200, 401]);
    expect((await fetch(`${service.url}/lookup`)).status).toBe(405);
    expect((await send('x'.repeat(20_000))).status).toBe(413);
  });

  it('answers nobody but the gateway', async () => {
    const token = await buildQuestion(new Keys(['a secret of somebody else, long enough']));
    expect([(await send(token)).status, (await send('')).status, (await send('a.b.c')).status]).toEqual([401, 401, 401]);
  });

  it('cannot be started twice on a port', async () => {
    await expect(startPeopleService({ host: 'localhost', port: service.port, foyerUrl: 'x', people: [] })).rejects.toThrow();
  });
});
