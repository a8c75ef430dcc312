import { describe, expect, it } from '@jest/globals';
import { Browser, type Page } from './browser.js';
import type { Person } from './people.js';
import { SecondStep } from './second-step.js';

const STATE = {
  ...{ view: 'totp', totp_registered: true, fido2_registered: false, xsrf_token: 'x', login_challenge: 'c', ticket: 't' },
  factors: [
    { name: 'totp', registered: true },
    { name: 'fido2', registered: false },
  ],
};

describe('a second step that the person cannot answer', () => {
  it('names the factors that the page accepts and those of the person', async () => {
    const page = { state: () => ({ page: 'mfa_verification', mfa_verification: STATE }) } as unknown as Page;
    const person = { username: 'maria', totp: null, securityKey: null } as unknown as Person;
    await expect(new SecondStep(new Browser(), person, {}).answer(page)).rejects.toThrow(
      'maria cannot answer the second step: the page accepts totp, and the kit has no factor of the person.',
    );
  });
});
