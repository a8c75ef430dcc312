/** What the answers of the login page reveal, and what the setting of "stay signed in" decides. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import type { TestPage } from '../support/test-browser.js';

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

/** Opens the login page of a new request. */
async function openLogin(target: TestGateway) {
  const challenge = `answers-${(count += 1)}`;
  target.hydra.addLogin({ challenge });
  const browser = target.browser();
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, login_challenge, ticket } = page.state('login').login;
  const submit = (typed: Record<string, string>) => browser.post(PATHS.loginNative, { _xsrf, login_challenge, ticket, ...typed });
  const findAccepted = () => target.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === challenge);
  return { page, submit, findAccepted };
}

/** The length of the compressed page, whose tokens are new each time. */
const VARYING = ['date', 'x-request-id', 'set-cookie', 'keep-alive', 'content-length'];

/** What somebody who tries names can see, without the name and the values that are new on every page. */
function toVisible(page: TestPage, username: string): unknown {
  const { status, location, headers, setCookies } = page;
  const { xsrf_token: xsrf, ticket, passkey } = page.state('login').login;
  const html = [xsrf, ticket, username, passkey?.request.challenge ?? '']
    .filter(Boolean)
    .reduce((text, varying) => text.replaceAll(varying, '…'), page.html);
  const rest = [...headers].filter(([name]) => !VARYING.includes(name));
  return { status, location, html, rest, cookies: setCookies.map(({ name }) => name) };
}

describe('answers', () => {
  it('[LOG-6] gives the very same answer for a wrong password, an unknown name and a disabled account', async () => {
    // The names have the same length, so that the lengths of the answers can be compared.
    const [known, unknown, disabled] = ['known.person.1', 'nobody.person1', 'disabled.pers1'] as const;
    await gateway.account(known);
    await gateway.get(Accounts).setStatus((await gateway.account(disabled)).id, 'disabled');
    const { submit, findAccepted } = await openLogin(gateway);
    const answers = [];
    for (const [username, password] of [
      [known, 'wrong password'],
      [unknown, PASSWORD],
      [disabled, PASSWORD],
    ] as const) {
      answers.push(toVisible(await submit({ username, password }), username));
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 422, location: null });
    expect(findAccepted()).toEqual([]);
  });
});

describe('staying signed in', () => {
  it.each([
    ['on', 'rememberForSeconds'],
    ['off', 'sessionSeconds'],
  ] as const)('[LOG-12] REMEMBER=%s decides for everybody, whatever a form says, and asks nothing', async (remember, life) => {
    const fixed = await startTestGateway({ config: ({ login }) => ({ login: { ...login, remember } }) });
    await fixed.account('maria.musterfrau');
    for (const said of [{ remember: 'true' }, {}]) {
      const { page, submit, findAccepted } = await openLogin(fixed);
      expect(page.state('login').login.remember).toBe('fixed');
      expect(page.html).not.toContain('name="remember"');
      await submit({ username: 'maria.musterfrau', password: PASSWORD, ...said });
      expect(findAccepted()).toMatchObject([{ authentication: { rememberForSeconds: fixed.config.login[life] } }]);
    }
    await fixed.close();
  });
});
