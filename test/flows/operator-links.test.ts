/** Links that an operator mails: to a new password, and to a first one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import { ResetStory } from '../support/resets.js';

let gateway: TestGateway;
let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  gateway = await startTestGateway();
  operator = await startTestOperator({ database: gateway.database });
});

afterAll(async () => {
  await operator.close();
  await gateway.close();
});

/** Whether an account has a password, and until when an invitation works. */
async function readPassword(id: string): Promise<unknown[]> {
  const { json } = await operator.call('GET', `/accounts/${id}`);
  return [json['has_password'], json['invitation_until']];
}

const send = (id: string, what: 'invitation' | 'password-reset-mail') => operator.call('POST', `/accounts/${id}/${what}`);

/** @returns kind and token of the mails to an address, oldest first */
async function mailsTo(recipient: string): Promise<{ kind: string; token: string }[]> {
  const mails = await gateway.get(OutboxClaims).claim(50);
  return mails
    .filter((mail) => mail.recipient === recipient)
    .map(({ kind, values }) => ({ kind, token: String(values['token']) }));
}

describe('[OPR-9] a mailed link', () => {
  it('[PWR-3] is sent to the owner only, works once, and is recorded in the audit log', async () => {
    const { id } = await createAccount({ email: 'reset@example.org', password: 'kupfer linde 4821' });
    const answer = await send(id, 'password-reset-mail');
    expect(answer.json).toEqual({ mailed_to: 'reset@example.org', expires_at: expect.stringMatching(/Z$/) });
    const [mail, ...more] = await mailsTo('reset@example.org');
    expect([mail?.kind, more]).toEqual(['reset-link', []]);
    expect(answer.text).not.toContain(mail?.token);
    const story = new ResetStory(gateway);
    expect((await story.reset(mail?.token ?? '')).location).toBe(`${PATHS.passwordResetStatus}?status=success`);
    expect(await findKinds(id)).toEqual(expect.arrayContaining([['password-reset.issued', { mailed: true }], 'password.reset']));
  });

  it('replaces the previous link, even one that was handed out', async () => {
    const { id } = await createAccount({ email: 'newest@example.org' });
    const handed = (await operator.call('POST', `/accounts/${id}/password-reset`)).json as { url: string };
    await send(id, 'password-reset-mail');
    const resets = gateway.get(PasswordResets);
    expect(await resets.find(new URL(handed.url).searchParams.get('reset_token') ?? '')).toBeNull();
    const [mail] = await mailsTo('newest@example.org');
    expect(await resets.find(mail?.token ?? '')).toMatchObject({ account: { id } });
  });

  it('ends when the account gets another address; a link that was handed out stays', async () => {
    const resets = gateway.get(PasswordResets);
    for (const what of ['password-reset-mail', 'invitation'] as const) {
      const { id } = await createAccount({ email: `${what}@example.org` });
      expect((await send(id, what)).status).toBe(200);
      const [mail] = await mailsTo(`${what}@example.org`);
      await operator.call('PATCH', `/accounts/${id}`, { display_name: 'Changed' });
      expect(await resets.find(mail?.token ?? '')).toMatchObject({ account: { id } });
      await operator.call('PATCH', `/accounts/${id}`, { email: `${what}-corrected@example.org` });
      expect(await resets.find(mail?.token ?? '')).toBeNull();
      expect(await readPassword(id)).toEqual([false, null]);
    }
    const { id } = await createAccount({ email: 'handed-over@example.org' });
    const handed = (await operator.call('POST', `/accounts/${id}/password-reset`)).json as { url: string };
    await operator.call('PATCH', `/accounts/${id}`, { email: 'handed-over-corrected@example.org' });
    expect(await resets.find(new URL(handed.url).searchParams.get('reset_token') ?? '')).toMatchObject({ account: { id } });
  });

  it('invites a person without a password to set one, for three days', async () => {
    const { id } = await createAccount({ email: 'invited@example.org', language: 'de' });
    expect(await readPassword(id)).toEqual([false, null]);
    const { status, json } = await send(id, 'invitation');
    expect(await readPassword(id)).toEqual([false, json['expires_at']]);
    expect(status).toBe(200);
    const days = (Date.parse(String(json['expires_at'])) - gateway.clock.now().getTime()) / (24 * 3600 * 1000);
    expect(Math.round(days)).toBe(3);
    const [mail] = await mailsTo('invited@example.org');
    expect(mail?.kind).toBe('invitation');
    await new ResetStory(gateway).reset(mail?.token ?? '');
    expectError(await send(id, 'invitation'), 409, 'has_password');
    expect(await readPassword(id)).toEqual([true, null]);
    expect(await findKinds(id)).toEqual(expect.arrayContaining([['account.invited', { mailed: true }]]));
  });

  it('is refused with a reason: no address, a disabled or unknown account, too many links', async () => {
    const { id: silent } = await createAccount();
    expectError(await send(silent, 'invitation'), 409, 'no_address', 'email');
    const { id } = await createAccount({ email: 'many@example.org' });
    for (let count = 0; count < 3; count++) expect((await send(id, 'invitation')).status).toBe(200);
    const limited = await send(id, 'invitation');
    expectError(limited, 429, 'limited');
    expect(limited.headers['retry-after']).toBe('3600');
    await operator.call('POST', `/accounts/${id}/disable`);
    expectError(await send(id, 'password-reset-mail'), 409, 'account_disabled');
    expectError(await send('00000000-0000-4000-8000-000000000000', 'invitation'), 404, 'account_not_found');
  });

  it('is refused without a mail server, instead of waiting for ever', async () => {
    const { id } = await createAccount({ email: 'waiting@example.org' });
    const without = await startTestOperator({
      database: gateway.database,
      config: ({ mail: { from } }) => ({ mail: { from } }),
    });
    try {
      expectError(await without.call('POST', `/accounts/${id}/invitation`), 409, 'no_mail');
    } finally {
      await without.close();
    }
  });

  it('can be sent by a command too', async () => {
    const { username } = await createAccount({ email: 'command@example.org' });
    const invited = await foyer(`account invite ${username}`);
    expect([invited.code, invited.out]).toEqual([0, expect.stringContaining('will be sent to command@example.org')]);
    const reset = await foyer(`account password-reset ${username} --mail`);
    expect([reset.code, reset.out]).toEqual([0, expect.not.stringContaining('http')]);
  });
});
