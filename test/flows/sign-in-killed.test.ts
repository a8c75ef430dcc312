/**
 * A gateway that is killed while it finishes a sign-in: after the session has begun and before Hydra is asked, or
 * after Hydra has accepted and before the answer is stored. The browser gets no answer and loses its
 * connection. The person tries again and is signed in once.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Account } from '../../src/accounts/account/accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import { toForm } from '../../test-kit/page.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory } from '../support/second-step.js';
import type { TestBrowser } from '../support/test-browser.js';

const MOMENTS = ['before Hydra is asked', 'before its answer is recorded'] as const;
let gateway: TestGateway;
let story: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

/** Sends a form, and cuts the connection when the next accepted login has reached this moment, where it stops. */
async function killAt(moment: (typeof MOMENTS)[number], browser: TestBrowser, form: [string, Record<string, string>]) {
  const { hydra } = gateway;
  const accept = hydra.acceptLogin.bind(hydra);
  const reached = new Promise<void>((resolve) => {
    const acceptLogin: typeof accept = async (...given) => {
      Object.assign(hydra, { acceptLogin: accept });
      if (moment === 'before its answer is recorded') await accept(...given);
      resolve();
      return new Promise(() => undefined);
    };
    Object.assign(hydra, { acceptLogin });
  });
  const [path, fields] = form;
  const cut = new AbortController();
  const lost = browser.request(path, { method: 'POST', body: toForm(fields), signal: cut.signal });
  await reached;
  cut.abort();
  await expect(lost).rejects.toThrow('abort');
}

/** The recorded sign-ins of an account. */
async function findRecords({ id }: Account): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from browser_session where account_id = ${id}) as sessions,
      (select count(*) from sign_in where account_id = ${id} and state = 'identified') as pending,
      (select count(*) from audit_event where account_id = ${id} and kind = 'sign-in.ok') as events`.execute(gateway.database.db);
  return rows[0];
}

/** The session that Hydra keeps for the challenge continues in this browser, and in no other. */
async function isSignedIn(browser: TestBrowser, challenge: string, { id: subject }: Account): Promise<boolean> {
  const next = `${challenge}-next`;
  gateway.hydra.addLogin({ challenge: next, skip: true, subject, sessionId: `session-of-${challenge}` });
  await browser.get(`${PATHS.login}?login_challenge=${next}`);
  return story.findAccepted(next).length === 1;
}

describe.each(MOMENTS)('a gateway that is killed %s', (moment) => {
  const asked = moment === MOMENTS[0] ? 0 : 1;

  it('[INS-7] [LOG-14] leaves a session that the same form uses when it is sent again', async () => {
    const account = await gateway.account(`killed.${asked}`);
    const { browser, challenge, fields } = await story.openLogin();
    const form = { ...fields, username: account.username, password: PASSWORD };
    await killAt(moment, browser, [PATHS.loginNative, form]);
    expect(await findRecords(account)).toEqual({ sessions: 1, pending: 0, events: 0 });
    const answer = await browser.post(PATHS.loginNative, form);
    expect([answer.status, answer.location?.startsWith(gateway.hydra.publicUrl)]).toEqual([303, true]);
    expect(story.findAccepted(challenge)).toHaveLength(asked + 1);
    expect(await findRecords(account)).toEqual({ sessions: 1, pending: 0, events: 1 });
    expect(await isSignedIn(browser, challenge, account)).toBe(true);
  });

  it('[INS-7] [MFV-7] leaves a second step at which another code completes the sign-in', async () => {
    const { account, app } = await story.createPerson();
    const { browser, challenge, fields } = await story.reachStep(account);
    const code = app.code();
    await killAt(moment, browser, [PATHS.mfaVerify, { ...fields, code }]);
    expect(await findRecords(account)).toEqual({ sessions: 1, pending: 1, events: 0 });
    const again = await story.openStep(browser, challenge);
    expect((await browser.post(PATHS.mfaVerify, { ...again.fields, code })).status).toBe(422);
    gateway.clock.advanceSeconds(60);
    const answer = await browser.post(PATHS.mfaVerify, { ...again.fields, code: app.code() });
    expect([answer.status, answer.location?.startsWith(gateway.hydra.publicUrl)]).toEqual([303, true]);
    expect(story.findAccepted(challenge)).toHaveLength(asked + 1);
    expect(await findRecords(account)).toEqual({ sessions: 1, pending: 0, events: 1 });
    expect(await isSignedIn(browser, challenge, account)).toBe(true);
  });
});
