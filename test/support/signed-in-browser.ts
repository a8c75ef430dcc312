/** A browser in which a person is signed in, in front of the fake upstream. */
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, type TestGateway } from './gateway.js';
import type { TestBrowser } from './test-browser.js';

export interface SignedIn {
  browser: TestBrowser;
  /** The id of the session at the upstream. */
  sessionId: string;
}

interface Options {
  browser?: TestBrowser;
  username?: string;
  remember?: boolean;
  /** Members of the login request. */
  request?: Partial<Parameters<TestGateway['hydra']['addLogin']>[0]>;
}

let count = 0;

export async function signInBrowser(gateway: TestGateway, options: Options = {}): Promise<SignedIn> {
  const { browser = gateway.browser({ 'accept-language': 'en' }), username = 'maria.musterfrau', remember = false } = options;
  const challenge = `sign-in-${(count += 1)}`;
  const { sessionId } = gateway.hydra.addLogin({ ...options.request, challenge, sessionId: `sid-of-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  const fields = { _xsrf, ticket, login_challenge: challenge, username, password: PASSWORD };
  const answer = await browser.post(PATHS.loginNative, { ...fields, ...(remember ? { remember: 'true' } : {}) });
  if (answer.status !== 303) throw new Error(`The sign-in was answered with ${answer.status}`);
  return { browser, sessionId };
}
