/** Browsers that are not delayed by the wrong passwords of strangers (security decision D7). */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { ChangePassword } from '../../src/accounts/password/change-password.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PasswordAttempts } from '../../src/accounts/password/password-attempts.js';
import { KnownDevices } from '../../src/accounts/sessions/known-devices.js';
import { DatabaseUnavailable } from '../../src/database/database.errors.js';
import { finishSignIn } from '../support/finished-sign-in.js';
import { PASSWORD } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { OWN_CHANGE } from '../support/proven-session.js';
import { ProviderStory } from '../support/provider-story.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';

const DEVICE = 'a-browser-that-was-let-in-before';
const BY = { actor: 'operator' } as const;

let story: ProviderStory;

beforeAll(async () => {
  story = await ProviderStory.start();
});

afterAll(() => story.gateway.close());

async function attempt(account: Account, password: string, device: string): Promise<string> {
  const given = { username: account.username, password, address: '192.0.2.7', requestId: 'request' };
  return (await story.gateway.get(PasswordAttempts).prove({ ...given, device })).kind;
}

/** Strangers delay the account; a browser that is admitted in spite of that is known. */
async function isLetIn(account: Account, password: string, device = DEVICE): Promise<boolean> {
  for (let guess = 0; guess < 6; guess++) await attempt(account, `wrong ${guess}`, `stranger-${guess}`);
  return (await attempt(account, password, device)) === 'proven';
}

async function createPersonWithDevice(): Promise<Account> {
  const account = await story.createPerson({ email: 'known@example.org' });
  await finishSignIn(story.gateway.database, { accountId: account.id, device: DEVICE });
  return account;
}

const resetPassword = async (account: Account): Promise<void> => {
  const { secret } = await story.gateway.get(PasswordResets).issue(account, BY);
  await new ResetStory(story.gateway).reset(secret);
};

it('a sign-in is finished if the oldest devices cannot be forgotten', async () => {
  const account = await story.createPerson();
  jest.spyOn(KnownDevices.prototype, 'remember').mockResolvedValueOnce(true);
  const trim = jest
    .spyOn(KnownDevices.prototype, 'trim')
    .mockRejectedValueOnce(new DatabaseUnavailable('A lock was not granted.'));
  await finishSignIn(story.gateway.database, { accountId: account.id, device: DEVICE });
  expect(trim).toHaveBeenCalledTimes(1);
});

const ENDS: [string, (account: Account) => Promise<string>][] = [
  ['a reset of the password', async (account) => (await resetPassword(account), NEW_PASSWORD)],
  [
    '“that was not me”',
    async (account) => {
      await story.connect(account);
      const notMe = new NotMeStory(story.gateway);
      await notMe.submit(await notMe.findToken(account, 'provider-connected'));
      await resetPassword(account);
      return NEW_PASSWORD;
    },
  ],
  [
    'a reset of the factors',
    async (account) => {
      const { secret } = await story.gateway.get(FactorResets).issue(account, BY);
      expect(await story.gateway.get(FactorResets).reset(account, secret, BY)).toBe(true);
      return PASSWORD;
    },
  ],
  [
    'being disabled',
    async (account) => {
      for (const status of ['disabled', 'active'] as const) await story.gateway.get(Accounts).setStatus(account.id, status);
      return PASSWORD;
    },
  ],
];

describe('a known browser', () => {
  it('[LOG-15] [S-78] is admitted while strangers have to wait', async () => {
    expect(await isLetIn(await createPersonWithDevice(), PASSWORD)).toBe(true);
    expect(await isLetIn(await createPersonWithDevice(), PASSWORD, 'another')).toBe(false);
  });

  it.each(ENDS)('[PWR-7] [S-44] is like any other after %s', async (_, end) => {
    const account = await createPersonWithDevice();
    expect(await isLetIn(account, await end(account))).toBe(false);
  });

  it('[MAN-5] is forgotten when the owner changes the password in another browser, which stays known', async () => {
    const person = {
      browser: 'b',
      sessionId: '00000000-0000-4000-8000-000000000000',
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    };
    const auditContext = { ...OWN_CHANGE, address: '192.0.2.8', requestId: 'request' };
    for (const [device, isLeft] of [
      ['another', false],
      [DEVICE, true],
    ] as const) {
      const account = await createPersonWithDevice();
      const changed = await story.gateway.get(ChangePassword).change({ ...person, account, device, auditContext });
      expect([changed.kind, await isLetIn(account, NEW_PASSWORD)]).toEqual(['changed', isLeft]);
    }
  });

  it('[MAN-5] changes the password while strangers fill the queue of hashes', async () => {
    const account = await createPersonWithDevice();
    const hasher = story.gateway.get(PasswordHasher);
    const hash = hasher.hash.bind(hasher);
    const strangers: Promise<string>[] = [];
    hasher.hash = (...given) => {
      while (!hasher.isFull({})) strangers.push(hash('something else'));
      return hash(...given);
    };
    const change = {
      account,
      browser: 'b',
      sessionId: '00000000-0000-4000-8000-000000000000',
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
      device: DEVICE,
      auditContext: { ...OWN_CHANGE, address: '192.0.2.8', requestId: 'request' },
    };
    const changed = await story.gateway.get(ChangePassword).change(change);
    hasher.hash = hash;
    expect(changed).toEqual({ kind: 'changed' });
    await Promise.all(strangers);
  });

  it('[S-73] is not forgotten because of many sign-ins with a provider', async () => {
    const account = await createPersonWithDevice();
    const subject = await story.connect(account);
    for (let time = 0; time < 21; time++) await story.signIn(subject, 'google', { sessionId: `pushing-${time}` });
    expect(await isLetIn(account, PASSWORD)).toBe(true);
  });
});
