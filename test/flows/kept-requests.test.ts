/** The login request that the record of a sign-in keeps for the form: when it is used, by whom, and what Hydra decides. */
import { EventEmitter, once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { AccountSessions } from '../../src/accounts/sessions/account-sessions.js';
import { Keys, fingerprint } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { ChallengeExpired, UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, loginFields } from '../support/second-step.js';
import type { TestPage } from '../support/test-browser.js';

const OTHER_SECRET = 'another secret of this installation, which is not listed here';
const WRONG = { id: '', username: 'nobody.at.all' };

let gateway: TestGateway;
let story: SecondStepStory;
/** Lists the challenges that Hydra was asked for. */
let asked: string[];
const undo: (() => void)[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});

beforeEach(() => {
  asked = [];
  replace('getLogin', (getLogin) => async (challenge) => {
    asked.push(challenge);
    return getLogin(challenge);
  });
});

afterEach(() => undo.splice(0).forEach((work) => work()));
afterAll(() => gateway.close());

type Hydra = TestGateway['hydra'];

/** Applies until the end of the test. */
function replace<Name extends 'getLogin' | 'acceptLogin'>(name: Name, wrap: (own: Hydra[Name]) => Hydra[Name]): void {
  const own = gateway.hydra[name].bind(gateway.hydra) as Hydra[Name];
  Object.assign(gateway.hydra, { [name]: wrap(own) });
  undo.push(() => void Object.assign(gateway.hydra, { [name]: own }));
}

const findRequest = async (challenge: string): Promise<string | null | undefined> => {
  const rows = gateway.database.db.selectFrom('sign_in').select('request');
  return (await rows.where('challenge_hash', '=', fingerprint(challenge)).executeTakeFirst())?.request;
};

async function keep(challenge: string, request: string | null): Promise<void> {
  const update = gateway.database.db.updateTable('sign_in').set({ request });
  await update.where('challenge_hash', '=', fingerprint(challenge)).execute();
}

const openKept = async (challenge: string) => {
  const opened = gateway.get(Keys).open('sign-in', (await findRequest(challenge)) ?? '') ?? '';
  return JSON.parse(opened) as { version: number; request: object };
};

const attempts = async (): Promise<number> =>
  (await gateway.database.db.selectFrom('attempt_counter').select('key').execute()).length;

const findBrowserId = ({ setCookies }: TestPage): string => setCookies.find(({ name }) => name === 'foyer')?.value ?? '';

const findSessions = ({ id }: Account) =>
  gateway.database.db.selectFrom('browser_session').select('browser_hash').where('account_id', '=', id).execute();

let people = 0;
const person = () => gateway.account(`kept.${(people += 1)}`);

describe('a login request that was shown', () => {
  it('is stored sealed until it is answered, and the form does not ask Hydra for it again', async () => {
    const account = await person();
    const { browser, challenge, fields } = await story.openLogin();
    const sealed = await findRequest(challenge);
    expect(sealed).toEqual(expect.any(String));
    expect(Buffer.from(sealed ?? '', 'base64url').toString()).not.toContain('Beispielportal');
    const failed = await story.signIn(browser, fields, WRONG as typeof account);
    expect(failed.state('login').login).toMatchObject({ error: 'credentials', client: { name: 'Beispielportal' } });
    expect((await story.signIn(browser, { ...fields, ...loginFields(failed) }, account)).status).toBe(303);
    expect(asked).toEqual([challenge]);
    expect(await findRequest(challenge)).toBeNull();
  });

  it('has the members of its version: a change of them requires a new `REQUEST_VERSION`', async () => {
    const { challenge } = await story.openLogin();
    const { version, request } = await openKept(challenge);
    const members = [
      'acrValues',
      'challenge',
      'client',
      'requestUrl',
      'requestedScope',
      'sessionId',
      'skip',
      'subject',
      'uiLocales',
    ];
    expect([version, Object.keys(request).sort()]).toEqual([6, members]);
  });

  const cases: [string, (challenge: string) => Promise<unknown>][] = [
    ['by the previous version', (challenge) => keep(challenge, null)],
    [
      'in another version of its members',
      async (challenge) => {
        const kept = await openKept(challenge);
        await keep(challenge, gateway.get(Keys).seal('sign-in', JSON.stringify({ ...kept, version: kept.version + 1 })));
      },
    ],
    ['more than ten minutes ago', async () => gateway.clock.advanceSeconds(601)],
    ['with a secret that is gone', (challenge) => keep(challenge, new Keys([OTHER_SECRET]).seal('sign-in', '{}'))],
    [
      'for another challenge',
      async (challenge) => keep(challenge, (await findRequest((await story.openLogin({ acrValues: ['1'] })).challenge)) ?? null),
    ],
  ];

  it.each(cases)('%s is asked for again, and the form continues', async (_, change) => {
    const account = await person();
    const { browser, challenge, fields } = await story.openLogin();
    await change(challenge);
    asked = [];
    expect((await story.signIn(browser, fields, account)).status).toBe(303);
    expect(asked).toEqual([challenge]);
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it('is not stored if its address is very long', async () => {
    const account = await person();
    const requestUrl = gateway.hydra.requestUrl({ state: 'x'.repeat(100_000) });
    const { browser, challenge, fields } = await story.openLogin({ requestUrl });
    expect(await findRequest(challenge)).toBeNull();
    expect((await story.signIn(browser, { ...fields, ticket: '' }, account)).status).toBe(303);
    expect(asked).toEqual([challenge, challenge]);
  });

  it('[LOG-14] cannot be used by another browser, whose password is not checked', async () => {
    const account = await person();
    const { challenge } = await story.openLogin();
    const { browser: stranger, fields } = await story.openLogin();
    const before = await attempts();
    asked = [];
    const answer = await story.signIn(stranger, { ...fields, login_challenge: challenge }, account);
    expect(answer.state('login').login.challenge_fault).toBe('foreign');
    expect([story.findAccepted(challenge), await attempts()]).toEqual([[], before]);
  });

  it('[LOG-5] is read from Hydra before anything is stored if no browser has opened it', async () => {
    const account = await person();
    const { browser, fields } = await story.openLogin();
    const before = await attempts();
    const answer = await story.signIn(browser, { ...fields, login_challenge: 'made-up' }, account);
    expect(answer.state('login').login.challenge_fault).toBe('missing');
    expect([await findRequest('made-up'), await attempts()]).toEqual([undefined, before]);
  });
});

describe('the answer of Hydra to an accepted login', () => {
  it('[LOG-5] decides: an expired challenge ends the session that had begun, and no sign-in is recorded', async () => {
    const account = await person();
    const { browser, challenge, fields } = await story.openLogin();
    gateway.hydra.expire(challenge);
    const answer = await story.signIn(browser, fields, account);
    expect([answer.status, answer.state('login').login.challenge_fault]).toEqual([400, 'expired']);
    const { db } = gateway.database;
    expect(await db.selectFrom('browser_session').select('acr').where('account_id', '=', account.id).execute()).toEqual([]);
    const events = await db.selectFrom('audit_event').select('kind').where('account_id', '=', account.id).execute();
    expect(events.map(({ kind }) => kind)).not.toContain('sign-in.ok');
  });

  it('may be lost: the same form finds its challenge open and ends in one login', async () => {
    const account = await person();
    const { browser, challenge, fields } = await story.openLogin();
    replace('acceptLogin', (acceptLogin) => async (...given) => {
      await acceptLogin(...given);
      undo.pop()?.();
      throw new UpstreamUnavailable('The answer was lost');
    });
    expect((await story.signIn(browser, fields, account)).status).toBe(503);
    expect((await story.signIn(browser, fields, account)).status).toBe(303);
    const { db } = gateway.database;
    const sessions = db.selectFrom('browser_session').select('upstream_session_id').where('account_id', '=', account.id);
    expect(await sessions.execute()).toEqual([{ upstream_session_id: `session-of-${challenge}` }]);
  });

  it('[S-44] is not requested for an account that was disabled while its password was checked', async () => {
    const account = await person();
    const { browser, challenge, fields } = await story.openLogin();
    const hasher = gateway.get(PasswordHasher);
    const verify = hasher.verify.bind(hasher);
    const disableAndVerify = async (...given: Parameters<typeof verify>) => {
      await gateway.get(Accounts).setStatus(account.id, 'disabled');
      return verify(...given);
    };
    Object.assign(hasher, { verify: disableAndVerify });
    undo.push(() => void Object.assign(hasher, { verify }));
    const answer = await story.signIn(browser, fields, account);
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
    expect(story.findAccepted(challenge)).toEqual([]);
  });
});

it('[LOG-14] is given to all clicks that arrive while the first is being answered', async () => {
  const account = await person();
  const { browser, challenge, fields } = await story.openLogin();
  const clicks = Array.from({ length: 5 }, () => story.signIn(browser.twin(), fields, account));
  const answers = await Promise.all([story.signIn(browser, fields, account), ...clicks]);
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  const { db } = gateway.database;
  const events = db
    .selectFrom('audit_event')
    .select('kind')
    .where('account_id', '=', account.id)
    .where('kind', '=', 'sign-in.ok');
  expect(await events.execute()).toHaveLength(1);
  expect(await findSessions(account)).toEqual([{ browser_hash: fingerprint(findBrowserId(answers[0])) }]);
  expect(story.findAccepted(challenge).length).toBeGreaterThan(0);
});

it('[LOG-14] puts the session into the browser of the first of two forms of one request', async () => {
  const account = await person();
  const { browser, challenge, fields } = await story.openLogin();
  const otherFields = loginFields(await browser.get(`${PATHS.login}?login_challenge=${challenge}`));
  const steps = new EventEmitter();
  let late: Promise<TestPage> | undefined;
  // The later form has begun its session last, and waits until the first form is answered.
  replace('acceptLogin', (acceptLogin) => async (...given) => {
    if (late) {
      steps.emit('second');
      await once(steps, 'answered');
    } else {
      late = story.signIn(browser.twin(), otherFields, account);
      await once(steps, 'second');
    }
    return acceptLogin(...given);
  });
  const first = await story.signIn(browser, fields, account);
  steps.emit('answered');
  expect([first.status, (await late)?.status]).toEqual([303, 400]);
  expect(await findSessions(account)).toEqual([{ browser_hash: fingerprint(findBrowserId(first)) }]);
});

it.each(['', 'sid-of-an-outage'])('leaves no session if it is a refusal (session id "%s")', async (sessionId) => {
  const account = await person();
  const { browser, fields } = await story.openLogin({ sessionId });
  replace('acceptLogin', () => () => Promise.reject(new UpstreamUnavailable('Hydra is away')));
  expect((await story.signIn(browser, fields, account)).status).toBe(503);
  expect(await gateway.get(AccountSessions).list(account.id)).toEqual([]);
});

it('keeps an existing session if it refuses a later login of that session', async () => {
  const account = await person();
  const sessionId = 'sid-before-an-outage';
  const { browser, fields } = await story.openLogin({ sessionId });
  const browserId = findBrowserId(await story.signIn(browser, fields, account));
  const again = await story.openLogin({ sessionId }, browser);
  replace('acceptLogin', () => () => Promise.reject(new UpstreamUnavailable('Hydra is away')));
  expect((await story.signIn(browser, again.fields, account)).status).toBe(503);
  expect(await findSessions(account)).toEqual([{ browser_hash: fingerprint(browserId) }]);
});

it.each([
  ['away', new UpstreamUnavailable('Hydra is away')],
  ['expired', new ChallengeExpired('expired')],
] as const)('[LOG-14] keeps the session of the first of two clicks if it refuses the second (%s)', async (reason, error) => {
  const account = await person();
  const { browser, fields } = await story.openLogin({ sessionId: `sid-of-two-clicks-${reason}` });
  const steps = new EventEmitter();
  let late: Promise<TestPage> | undefined;
  replace('acceptLogin', (acceptLogin) => async (...given) => {
    if (late) {
      steps.emit('second');
      await once(steps, 'answered');
      throw error;
    }
    late = story.signIn(browser.twin(), fields, account);
    await once(steps, 'second');
    return acceptLogin(...given);
  });
  const first = await story.signIn(browser, fields, account);
  steps.emit('answered');
  await late;
  expect(first.status).toBe(303);
  expect(await findSessions(account)).toEqual([{ browser_hash: fingerprint(findBrowserId(first)) }]);
});

describe('[S-15b] two people who answer one request at the same moment', () => {
  const sessionId = 'sid-of-two-people';
  let winner: Account;
  let loser: Account;

  beforeEach(async () => {
    [winner, loser] = [await person(), await person()];
  });

  /** The form of the loser has begun its session, and waits until the form of the winner is answered. */
  async function answerAtOnce(given = gateway.browser()) {
    const { browser, challenge, fields } = await story.openLogin({ sessionId }, given);
    const otherFields = loginFields(await browser.get(`${PATHS.login}?login_challenge=${challenge}`));
    const steps = new EventEmitter();
    let late: Promise<TestPage> | undefined;
    replace('acceptLogin', (acceptLogin) => async (accepted, login) => {
      if (accepted === challenge && late) {
        steps.emit('second');
        await once(steps, 'answered');
      } else if (accepted === challenge) {
        late = story.signIn(browser.clone(), otherFields, loser);
        await once(steps, 'second');
      }
      return acceptLogin(accepted, login);
    });
    const first = await story.signIn(browser, fields, winner);
    steps.emit('answered');
    expect([first.status, (await late)?.status]).toEqual([303, 400]);
    return browser;
  }

  it('do not get the session of each other', async () => {
    const browser = await answerAtOnce();
    const open = async (subject: string) => {
      const named = `session-of-${subject}`;
      gateway.hydra.addLogin({ challenge: named, sessionId, subject, skip: true });
      await browser.get(`${PATHS.login}?login_challenge=${named}`);
      return story.findAccepted(named).length;
    };
    expect([await open(loser.id), await open(winner.id)]).toEqual([0, 1]);
  });

  it('leave no session without a browser', async () => {
    await answerAtOnce();
    const sessions = gateway.get(AccountSessions);
    expect(await sessions.list(loser.id)).toEqual([]);
    expect(await sessions.list(winner.id)).toHaveLength(1);
  });

  it('keep the sessions that they had before', async () => {
    const { browser, fields } = await story.openLogin({ sessionId });
    await story.signIn(browser, fields, loser);
    await answerAtOnce(browser);
    expect(await gateway.get(AccountSessions).list(loser.id)).toHaveLength(1);
  });
});
