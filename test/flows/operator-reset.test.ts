/** The links and tokens that a contact person hands out: the calls, the command line, and that the links work. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import { ResetStory } from '../support/resets.js';

const DAY_MS = 24 * 3600 * 1000;

let gateway: TestGateway;
let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  gateway = await startTestGateway();
  // A replica of the same installation.
  operator = await startTestOperator({ database: gateway.database });
});

afterAll(async () => {
  await operator.close();
  await gateway.close();
});

const issue = async (id: string, what: 'password-reset' | 'factor-reset') =>
  (await operator.call('POST', `/accounts/${id}/${what}`)).json as { url: string; token?: string; expires_at: string };

const toLifeDays = ({ expires_at }: { expires_at: string }) => Math.round((Date.parse(expires_at) - Date.now()) / DAY_MS);

describe('[OPR-9] the operator API', () => {
  it('[PWR-3] creates a link to a new password for a day, also for an account without address or password', async () => {
    const { id } = await createAccount();
    const link = await issue(id, 'password-reset');
    expect(Object.keys(link)).toEqual(['url', 'expires_at']);
    expect(toLifeDays(link)).toBe(1);
    const url = new URL(link.url);
    expect([url.origin, url.pathname]).toEqual([new URL(gateway.config.publicUrl).origin, PATHS.passwordResetForm]);
    const story = new ResetStory(gateway);
    const answer = await story.reset(url.searchParams.get('reset_token') ?? '');
    expect(answer.location).toBe(`${PATHS.passwordResetStatus}?status=success`);
    expect(await findKinds(id)).toEqual(expect.arrayContaining(['password-reset.issued', 'password.reset']));
    expect(JSON.stringify(await operator.call('GET', `/accounts/${id}/audit`))).not.toContain(
      url.searchParams.get('reset_token'),
    );
  });

  it('[PWR-3] lets only the newest link work, which no request for a mail replaces', async () => {
    const { id, username } = await createAccount({ email: 'handed@example.org' });
    const toToken = ({ url }: { url: string }) => new URL(url).searchParams.get('reset_token') ?? '';
    const [old, newest] = [toToken(await issue(id, 'password-reset')), toToken(await issue(id, 'password-reset'))];
    const story = new ResetStory(gateway);
    const mailed = await story.requestToken(username);
    const resets = gateway.get(PasswordResets);
    const owners = async (...tokens: string[]) => {
      const found = await Promise.all(tokens.map((token) => resets.find(token)));
      return found.map((reset) => reset?.account.id);
    };
    expect(await owners(old, newest, mailed)).toEqual([undefined, id, id]);
    await issue(id, 'password-reset');
    expect(await owners(newest, mailed)).toEqual([undefined, undefined]);
  });

  it('[FAR-3] creates a token that removes all factors, for at most 48 hours', async () => {
    const { id } = await createAccount();
    const link = await issue(id, 'factor-reset');
    expect(toLifeDays(link)).toBe(2);
    expect(Date.parse(link.expires_at) - Date.now()).toBeLessThanOrEqual(2 * DAY_MS + 1000);
    expect(Buffer.from(link.token ?? '', 'base64url')).toHaveLength(32);
    expect(link.url).toBe(`${new URL(gateway.config.publicUrl).origin}${PATHS.mfaResetForm}?reset_token=${link.token}`);
    expect((await gateway.get(FactorResets).find(link.token ?? ''))?.id).toBe(id);
    expect(await findKinds(id)).toContain('factor-reset.issued');
  });

  it('refuses an unknown or disabled account, a body, and a call without token', async () => {
    const { id } = await createAccount();
    for (const what of ['password-reset', 'factor-reset']) {
      const path = `/accounts/${id}/${what}`;
      expectError(
        await operator.call('POST', `/accounts/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}/${what}`),
        404,
        'account_not_found',
      );
      expectError(await operator.call('POST', path, { days: 9 }), 400, 'unknown_member', 'days');
      expect((await operator.call('POST', path, undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
    }
    await operator.call('POST', `/accounts/${id}/disable`);
    for (const what of ['password-reset', 'factor-reset']) {
      expectError(await operator.call('POST', `/accounts/${id}/${what}`), 409, 'account_disabled');
    }
  });
});

describe('[OPR-9] foyer account', () => {
  it('password-reset and factor-reset print the link, and JSON for machines', async () => {
    const { username } = await createAccount();
    for (const [word, path] of [
      ['password-reset', PATHS.passwordResetForm],
      ['factor-reset', PATHS.mfaResetForm],
    ] as const) {
      const { code, out } = await foyer(`account ${word} ${username}`);
      expect(code).toBe(0);
      expect(out).toContain(`${path}?reset_token=`);
      expect(out).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ:\n/);
      const json = JSON.parse((await foyer(`account ${word} ${username} --json`)).out) as Record<string, unknown>;
      expect(Object.keys(json)).toEqual(word === 'factor-reset' ? ['token', 'url', 'expires_at'] : ['url', 'expires_at']);
      expect((await foyer(`account ${word} nobody.here`)).code).toBe(3);
      expect((await foyer('--help')).out).toContain(`account ${word} <id|username>`);
    }
  });
});
