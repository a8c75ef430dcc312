import { describe, expect, it } from '@jest/globals';
import { Browser, type Page } from './browser.js';
import { KitError } from './kit-error.js';
import type { Person } from './people.js';
import { SecondStep, type SecondStepChoice } from './second-step.js';
import { SyntheticKey } from './synthetic-key.js';

const COMMON = { xsrf_token: 'x', login_challenge: 'c', ticket: 't' };
const ONLY_TOTP = {
  ...{ ...COMMON, view: 'totp', totp_registered: true, fido2_registered: false },
  factors: [
    { name: 'totp', registered: true, offered: true },
    { name: 'fido2', registered: false, offered: true },
  ],
};
const ONLY_KEY = {
  ...{ ...COMMON, view: 'fido2', totp_registered: false, fido2_registered: true },
  factors: [
    { name: 'totp', registered: false, offered: false },
    { name: 'fido2', registered: true, offered: true },
  ],
};
const PERSON = { username: 'maria', totp: null, securityKey: null } as unknown as Person;

function answer(state: object, choice: SecondStepChoice = {}): Promise<Page> {
  const page = { state: () => ({ page: 'mfa_verification', mfa_verification: state }) } as unknown as Page;
  return new SecondStep(new Browser(), PERSON, choice).answer(page);
}

describe('a second step that the person cannot answer', () => {
  it('names the factors that the page accepts and those of the person', async () => {
    await expect(answer(ONLY_TOTP)).rejects.toThrow(
      'maria cannot answer the second step: the page accepts totp, and the kit has no factor of the person.',
    );
  });

  it('proposes a person with a factor that the page accepts or the test chose', async () => {
    await expect(answer(ONLY_TOTP)).rejects.toThrow("createPerson({ secondFactor: 'totp' })");
    await expect(answer(ONLY_KEY)).rejects.toThrow("createPerson({ secondFactor: 'fido2' })");
    await expect(answer(ONLY_TOTP, { factor: 'fido2' })).rejects.toThrow("createPerson({ secondFactor: 'fido2' })");
    await expect(answer({ ...ONLY_KEY, view: 'enrol' })).rejects.toThrow("createPerson({ secondFactor: 'fido2' })");
  });
});

describe('a second step whose call does not reach Foyer', () => {
  it('is reported with the status of the answer, for example of a proxy', async () => {
    const securityKey = new SyntheticKey({ origin: 'http://localhost:1', rpId: 'localhost' });
    const page = { url: new URL('http://localhost:1/mfa'), state: () => ({ mfa_verification: ONLY_KEY }) } as unknown as Page;
    const browser = { send: () => Promise.resolve({ status: 502, headers: new Headers(), html: '<h1>Bad gateway</h1>' }) };
    const step = new SecondStep(browser as unknown as Browser, { ...PERSON, securityKey }, {});
    const answered = step.answer(page);
    await expect(answered).rejects.toBeInstanceOf(KitError);
    await expect(answered).rejects.toThrow('/mfa/init-fido2 answered 502, and not with JSON.');
  });
});
