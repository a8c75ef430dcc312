/** A person who creates an account over HTTP, up to the page with the last step. */
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { toDetailField, type RegistrationStepState } from '../../src/contract/registration-state.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import type { TestGateway } from './gateway.js';
import type { TestBrowser, TestPage } from './test-browser.js';

type StateOf<Status extends RegistrationStepState['status']> = Extract<RegistrationStepState, { status: Status }>;

let count = 0;

export class NewPerson {
  readonly details: Record<'username' | 'display_name' | 'email', string>;

  constructor(
    readonly gateway: TestGateway,
    readonly browser: TestBrowser = gateway.browser(),
    readonly challenge = `new-person-${(count += 1)}`,
  ) {
    const username = `frieda${(count += 1)}`;
    this.details = { username, display_name: 'Frieda Fuchs', email: `${username}@example.org` };
    if (challenge.startsWith('new-person-')) gateway.hydra.addLogin({ challenge });
  }

  open(path: string): Promise<TestPage> {
    return this.browser.get(`${path}?login_challenge=${this.challenge}`);
  }

  /** Submits a form of the page that is shown at `shownAt`. */
  async post(path: string, fields: Record<string, string>, shownAt: string = path): Promise<TestPage> {
    return this.browser.post(path, { ...toFormFields(readStep(await this.open(shownAt))), ...fields });
  }

  enterDetails(more: Record<string, string> = {}): Promise<TestPage> {
    const details = Object.entries(this.details).map(([name, value]) => [toDetailField(name), value]);
    return this.post(PATHS.registerDetails, { ...(Object.fromEntries(details) as Record<string, string>), ...more });
  }

  async enterMailedCode(): Promise<TestPage> {
    return this.post(PATHS.registerCode, { code: await this.#readCode() });
  }

  /** Proves the address. @returns the page on which the password or the passkey is chosen */
  async prove(): Promise<StateOf<'password'>> {
    await this.enterDetails();
    await this.enterMailedCode();
    const step = readStep(await this.open(PATHS.registerPassword));
    if (step.status !== 'password') throw new Error(`The page shows ${step.status}`);
    return step;
  }

  async #readCode(): Promise<string> {
    await this.gateway.get(RequestedMails).waitForAll();
    const claims = this.gateway.get(OutboxClaims);
    const mails = await claims.claim(100);
    for (const mail of mails) await claims.markSent(mail);
    const own = mails.filter(({ kind, recipient }) => kind === 'sign-up-code' && recipient === this.details.email);
    const code = own.toSorted((one, other) => one.id - other.id).at(-1)?.values['code'];
    if (typeof code !== 'string') throw new Error('There is no mail with a code');
    return code;
  }
}

export function readStep(page: TestPage): RegistrationStepState {
  return page.state('registration').registration as RegistrationStepState;
}

/** @returns status, step and error of a page */
export function readError(page: TestPage): [number, string, string | null | undefined] {
  const step = readStep(page);
  return [page.status, step.status, 'error' in step ? step.error : undefined];
}

/** @returns status and path of a redirect */
export const toPath = ({ status, location }: TestPage): [number, string] => [status, (location ?? '').split('?')[0] ?? ''];

export function toFormFields(step: RegistrationStepState): Record<string, string> {
  if (!('xsrf_token' in step)) throw new Error(`The page has no form: ${step.status}`);
  return { [FIELDS.xsrf]: step.xsrf_token, [FIELDS.loginChallenge]: step.login_challenge };
}
