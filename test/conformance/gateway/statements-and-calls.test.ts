/** The statements and calls to Hydra of each step of a sign-in, so that an increase is noticed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { PATHS } from '../../../src/contract/paths.js';
import { BrowserWalk } from '../../support/browser-walk.js';
import { CountedWork } from '../../support/counted-work.js';
import { PasskeyStory } from '../../support/passkeys.js';
import { SecondStepStory } from '../../support/second-step.js';
import type { AssertionDeviation } from '../../support/synthetic-key.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import type { OAuthClient } from '../../support/oauth-client.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

/** For each request to the gateway: the number of statements, then the number of calls to Hydra. */
type Costs = Record<string, [statements: number, calls: number]>;

const work = new CountedWork();
let front: Front;
let trusted: OAuthClient;

beforeAll(async () => {
  front = await startFront(embeddedLeg, { telemetry: work });
  trusted = await front.register({ skip_consent: true });
});

afterAll(() => front.close());

/** Counts what the steps cost, while nothing else is running. Requests of the same route are added up. */
async function findCosts(steps: () => Promise<unknown>): Promise<Costs> {
  work.take();
  await steps();
  const costs: Costs = {};
  for (const { request, statements, calls } of work.take()) {
    const [statementsBefore, callsBefore] = costs[request] ?? [0, 0];
    costs[request] = [statementsBefore + statements.length, callsBefore + calls.length];
  }
  return costs;
}

const sumCosts = (costs: Costs, which: 0 | 1): number => Object.values(costs).reduce((sum, numbers) => sum + numbers[which], 0);

describe('statements and calls', () => {
  it('of a sign-in with a password to a client that asks for no consent', async () => {
    const person = front.person();
    const costs = await findCosts(async () => {
      const end = await signIn(person, await arrive({ client: trusted }, person));
      expect(end.url.searchParams.has('code')).toBe(true);
    });
    expect(costs).toEqual({ 'GET /login': [1, 1], 'POST /login/native': [10, 1], 'GET /consent': [2, 2] });
    expect([sumCosts(costs, 0), sumCosts(costs, 1)]).toEqual([13, 4]);
  });

  it('of a sign-in are the same with event sinks, whose deliveries a trigger writes', async () => {
    const sink = {
      name: 'siem',
      kind: 'webhook',
      address: 'http://127.0.0.1:9/',
      secrets: [],
      events: ['*'],
      person: [],
    } as const;
    const counted = new CountedWork();
    const withSink = await startFront(embeddedLeg, { telemetry: counted, eventSinks: [sink] });
    try {
      const client = await withSink.register({ skip_consent: true });
      const findStatements = async (to: Front, of: OAuthClient, by: CountedWork) => {
        const person = to.person();
        const page = await arrive({ client: of }, person);
        by.take();
        expect((await signIn(person, page)).url.searchParams.has('code')).toBe(true);
        // One that records an event names one more column, under a name of its own.
        return by.take().map(({ request, statements }) => [request, statements.map((name) => name.replace('.sinks', ''))]);
      };
      // The first sign-in of the person in a new browser sends a mail.
      await findStatements(withSink, client, counted);
      await findStatements(front, trusted, work);
      expect(await findStatements(withSink, client, counted)).toEqual(await findStatements(front, trusted, work));
      const { rows } = await sql`select from event_delivery`.execute(withSink.gateway.database.db);
      expect(rows.length).toBeGreaterThan(0);
    } finally {
      await withSink.close();
    }
  });

  it('of a sign-in with a consent page', async () => {
    const person = front.person();
    const costs = await findCosts(async () => {
      const end = await allow(person, await signIn(person, await arrive(front, person)));
      expect(end.url.searchParams.has('code')).toBe(true);
    });
    expect(costs).toEqual({
      'GET /login': [1, 1],
      // The browser is new, so its owner is notified by mail.
      'POST /login/native': [14, 1],
      'GET /consent': [1, 1],
      'POST /consent/accept': [2, 2],
    });
  });

  it('of a sign-in in a browser in which the person has signed in before', async () => {
    const person = front.person();
    await signIn(person, await arrive({ client: trusted }, person));
    const again = await findCosts(async () => {
      const end = await signIn(person, await arrive({ client: trusted }, person, { prompt: 'login' }));
      expect(end.url.searchParams.has('code')).toBe(true);
    });
    expect(again).toEqual({ 'GET /login': [1, 1], 'POST /login/native': [7, 1], 'GET /consent': [2, 2] });
  });

  it('of a session that continues', async () => {
    const person = front.person();
    await signIn(person, await arrive({ client: trusted }, person));
    const costs = await findCosts(async () => {
      const end = await arrive({ client: trusted }, person);
      expect(end.url.searchParams.has('code')).toBe(true);
    });
    expect(costs).toEqual({ 'GET /login': [3, 2], 'GET /consent': [2, 2] });
  });

  it('of a wrong password and of an unknown name, which cost the same', async () => {
    for (const fields of [{ password: 'wrong' }, { username: 'nobody.at.all' }]) {
      const person = front.person();
      const page = await arrive({ client: trusted }, person);
      const costs = await findCosts(async () => expect((await signIn(person, page, fields)).status).toBe(422));
      expect(costs).toEqual({ 'POST /login/native': [4, 0] });
    }
  });

  it('of an accepted and a refused passkey, which cost no more than a password', async () => {
    const passkey = await new PasskeyStory(front.gateway).createHolder();
    const findCostsWith = async (deviation: AssertionDeviation) => {
      const person = front.person();
      const page = await arrive({ client: trusted }, person);
      const { login } = page.state('login');
      const answer = passkey.answer(login.passkey?.request ?? { challenge: '' }, deviation);
      const fields = { _xsrf: login.xsrf_token, login_challenge: login.login_challenge, ticket: login.ticket, passkey: answer };
      return findCosts(() => person.submit(page, PATHS.loginPasskey, fields));
    };
    expect(await findCostsWith({})).toEqual({ 'POST /login/passkey': [9, 1], 'GET /consent': [2, 2] });
    expect(await findCostsWith({ hasWrongSignature: true })).toEqual({ 'POST /login/passkey': [4, 0] });
    const person = front.person();
    const page = await arrive({ client: trusted }, person);
    const byPassword = await findCosts(() => signIn(person, page, { username: passkey.account.username }));
    expect(byPassword).toEqual({ 'POST /login/native': [12, 1], 'GET /consent': [2, 2] });
    // A response to another challenge is recognised first, and the page is shown again.
    expect(await findCostsWith({ challenge: 'AAEC' })).toEqual({ 'POST /login/passkey': [1, 0] });
  });

  it('of a sign-in with a password and a TOTP', async () => {
    const { account, app } = await new SecondStepStory(front.gateway).createPerson();
    const person = front.person();
    const page = await arrive({ client: trusted }, person);
    const costs = await findCosts(async () => {
      const step = await signIn(person, page, { username: account.username });
      const end = await person.fill(step, { code: app.code() });
      expect(end.url.searchParams.has('code')).toBe(true);
    });
    expect(costs).toEqual({
      'POST /login/native': [7, 0],
      'GET /mfa/verify': [1, 0],
      'POST /mfa/verify': [12, 2],
      'GET /consent': [2, 2],
    });
  });

  it('of a logout', async () => {
    const person = new BrowserWalk(front.person().clientUrls);
    await signIn(person, await arrive({ client: trusted }, person));
    const costs = await findCosts(async () => {
      const question = await person.go(trusted.logoutUrl());
      const { logout } = question.state('logout');
      const fields = { _xsrf: logout.xsrf_token, logout_challenge: logout.logout_challenge };
      await person.submit(question, PATHS.logoutAccept, fields);
    });
    expect(costs).toEqual({ 'GET /logout': [2, 1], 'POST /logout/accept': [8, 2], 'GET /logout/callback': [1, 1] });
  });
});
