/** Codes by e-mail: how many are sent, what each mail contains, and what happens where none can be sent. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/account.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { Attempts } from '../../src/accounts/limits/attempts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { RequestLimits } from '../../src/accounts/limits/request-limits.js';
import { ProofCodes } from '../../src/accounts/secrets/proof-codes.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { PATHS } from '../../src/contract/paths.js';
import { EmailCodeFactor } from '../../src/mfa/factors/email-code/email-code.factor.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory, call, stepAddress, type Waiting } from '../support/second-step.js';

const NAME = 'email-code';
const REGISTER = FACTOR_PATHS.register(NAME);

let gateway: TestGateway;
let story: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway({ config: ({ mfa }) => ({ mfa: { ...mfa, factors: ['totp', 'fido2', NAME] } }) });
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

let holders = 0;

/** Creates a person with codes by e-mail as the only factor. */
async function holder(target = gateway, more: Parameters<typeof newPerson>[1] = {}): Promise<Account> {
  const account = await newPerson(target, { email: `maria.${(holders += 1)}.musterfrau@example.org`, ...more });
  await target.database.transaction((trx) => target.get(EmailCodeFactor).transfer.insert(new Map([[account.id, '']]), trx));
  return account;
}

interface CodeMail {
  kind: string;
  act: unknown;
  code: string;
}

async function codesTo({ username }: Account): Promise<CodeMail[]> {
  const mails = (await gateway.get(OutboxClaims).claim(100)).filter((mail) => mail.username === username);
  return mails.flatMap(({ kind, values: { code, act } }) => (code === undefined ? [] : [{ kind, act, code: String(code) }]));
}

const codeTo = async (account: Account) => (await codesTo(account)).at(-1)?.code ?? '';
const refusals = async ({ id }: Account) =>
  (await gateway.get(AuditLog).list(id)).entries.filter(({ kind }) => kind === 'factor.refused').length;

const requests = (waiting: Waiting) => waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: NAME });
const types = (waiting: Waiting, code: string) =>
  waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: NAME, code });
const ANOTHER_MINUTE = 60;

describe('[EMC-3] the number of codes', () => {
  it('[MFV-8] is limited for codes that nobody enters: ten sign-ins in an hour get ten', async () => {
    const account = await holder();
    for (let time = 0; time < 10; time++) {
      gateway.clock.advanceSeconds(ANOTHER_MINUTE);
      const waiting = await story.reachStep(account, {}, gateway.browser());
      expect((await requests(waiting)).status).toBe(303);
      expect((await types(waiting, await codeTo(account))).status).toBe(303);
      expect(story.findAccepted(waiting.challenge)).toHaveLength(1);
    }
  });

  it('[S-48] is large enough for the network of an office, and refused requests do not count for the account', async () => {
    const account = await holder();
    const waiting = await story.reachStep(account);
    const { addressFailures, addressWindowSeconds } = gateway.config.limits;
    const request = { address: '127.0.0.1', requestId: 'request' };
    const limits = gateway.get(RequestLimits);
    const most = addressFailures * 10;
    let sent = 0;
    while ((await limits.count('email-code-mail', request)) === null) sent++;
    expect(sent).toBeGreaterThan(most - 20);
    for (let time = 0; time < 6; time++) expect((await requests(waiting)).status).toBe(429);
    expect(await codesTo(account)).toEqual([]);
    gateway.clock.advanceSeconds(addressWindowSeconds);
    const later = await story.reachStep(account);
    expect((await requests(later)).status).toBe(303);
  });
});

describe('[EMC-3] codes to one mailbox', () => {
  const email = 'family@example.org';
  const most = 10;
  const requestStatus = async (account: Account) => {
    const { status } = await requests(await story.reachStep(account, {}, gateway.browser()));
    return status;
  };
  const countSent = async (accounts: readonly Account[]): Promise<number> => {
    let sent = 0;
    for (const account of accounts) for (let time = 0; time < 4; time++) sent += (await requestStatus(account)) === 303 ? 1 : 0;
    return sent;
  };

  it('[S-48] are limited for all accounts with this address, in any spelling, by form and as a fresh proof', async () => {
    const named = await Promise.all(
      ['family@example.org', 'Family@EXAMPLE.org', email].map((one) => holder(gateway, { email: one })),
    );
    expect(await countSent(named)).toBe(most);
    const alone = await newPerson(gateway, { email });
    const mailed = await gateway.get(ProofCodes).send({ accountId: alone.id, sessionId: 'session' }, alone, { actor: 'person' });
    expect(mailed).toEqual({ kind: 'limited', retryAfterSeconds: expect.any(Number) });
    const [first] = named;
    const { entries } = await gateway.get(AuditLog).list(first?.id ?? '');
    expect(entries.filter(({ kind }) => kind === 'request.limited')).toEqual([]);
    const last = await gateway.get(AuditLog).list(named[2]?.id ?? '');
    expect(last.entries.filter(({ kind }) => kind === 'request.limited').map(({ detail }) => detail)).toEqual([
      { request: 'mailbox' },
    ]);
    // People who have proven the address are not delayed by others who only name it.
    expect(await requestStatus(await holder(gateway, { email, emailVerified: true }))).toBe(303);
    gateway.clock.advanceSeconds(3601);
    expect(await requestStatus(await holder(gateway, { email }))).toBe(303);
  });

  it('[S-48] count from the start again after one was entered', async () => {
    const [one, other, third] = await Promise.all(
      Array.from({ length: 3 }, () => holder(gateway, { email: 'again@example.org' })),
    );
    if (!one || !other || !third) throw new Error('three');
    await countSent([one, other]);
    const waiting = await story.reachStep(third, {}, gateway.browser());
    await requests(waiting);
    expect((await types(waiting, await codeTo(third))).status).toBe(303);
    expect(await countSent([third])).toBe(4);
  });
});

describe('a sign-in that waits for a code', () => {
  it('[MFV-4] waits as long as the newest code is valid according to its mail', async () => {
    const account = await holder();
    const waiting = await story.reachStep(account);
    for (let time = 0; time < 3; time++) {
      gateway.clock.advanceSeconds(9 * ANOTHER_MINUTE);
      expect((await requests(waiting)).status).toBe(303);
    }
    gateway.clock.advanceSeconds(9 * ANOTHER_MINUTE);
    expect((await types(waiting, await codeTo(account))).status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toHaveLength(1);
    const idle = await story.reachStep(account);
    gateway.clock.advanceSeconds(9 * ANOTHER_MINUTE);
    await requests(idle);
    const late = await codeTo(account);
    gateway.clock.advanceSeconds(10 * ANOTHER_MINUTE + 1);
    expect((await types(idle, late)).status).toBe(400);
    expect(story.findAccepted(idle.challenge)).toEqual([]);
  });

  it('[MFV-2] waits in the same way for the set-up of a first factor, by form and by call', async () => {
    for (const begin of [
      (waiting: Waiting) => waiting.browser.post(FACTOR_PATHS.enrol(NAME), waiting.fields),
      async (waiting: Waiting) => {
        const rpc = new RpcClient(gateway.url, waiting.state.enrol_token ?? '', waiting.browser.cookies(PATHS.manageRpc));
        return rpc.post('/mfa-init-email-code');
      },
    ]) {
      const account = await newPerson(gateway, { email: `set.up.${(holders += 1)}@example.org` });
      await gateway.get(Accounts).update(account.id, { secondFactor: 'required' });
      const waiting = await story.reachStep(account);
      gateway.clock.advanceSeconds(9 * ANOTHER_MINUTE);
      expect([200, 303]).toContain((await begin(waiting)).status);
      gateway.clock.advanceSeconds(9 * ANOTHER_MINUTE);
      const code = await codeTo(account);
      expect((await waiting.browser.post(FACTOR_PATHS.enrol(NAME), { ...waiting.fields, code })).status).toBe(200);
    }
  });
});

describe('[EMC-3] codes that nobody typed', () => {
  const refuse = async (waiting: Waiting): Promise<void> => {
    for (let time = 0; time < 5; time++) expect((await requests(waiting)).status).toBe(303);
    expect((await requests(waiting)).status).toBe(429);
  };

  it('[MFV-8] are reset when an operator unlocks the account', async () => {
    const account = await holder();
    const waiting = await story.reachStep(account);
    await refuse(waiting);
    await gateway.get(Attempts).unlock(account, async () => undefined);
    expect((await requests(waiting)).status).toBe(303);
  });

  it('[FAR-3] are reset with the factors, so that the factor can be set up again', async () => {
    const account = await holder();
    await refuse(await story.reachStep(account));
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    expect(await gateway.get(FactorResets).reset(account, secret, { actor: 'person' })).toBe(true);
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    expect((await (await user.rpc()).post('/mfa-init-email-code')).status).toBe(200);
  });

  it('[MFV-8] cannot be guessed: if no code was sent, an entered one counts nowhere', async () => {
    const account = await holder();
    const stranger = await story.reachStep(account, {}, gateway.browser());
    for (let time = 0; time < 6; time++) expect((await types(stranger, '000000')).status).toBe(422);
    expect(await refusals(account)).toBe(0);
    const waiting = await story.reachStep(account, {}, gateway.browser());
    await requests(waiting);
    expect((await types(waiting, await codeTo(account))).status).toBe(303);
  });
});

describe('an empty field', () => {
  it('[MAN-14] [MFV-8] does not count as a wrong code, in a set-up, a fresh proof or a sign-in, by form or by call', async () => {
    const account = await newPerson(gateway, { email: 'maria.musterfrau@example.org' });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const calls = await user.rpc();
    await user.post(REGISTER);
    const code = await codeTo(account);
    for (let time = 0; time < 6; time++) {
      expect((await user.post(REGISTER, { code: ' ' })).status).toBe(422);
      expect((await calls.post('/mfa-verify-email-code', { code: '' })).status).toBe(422);
    }
    expect((await user.post(REGISTER, { code })).status).toBe(200);
    const fields = { method: NAME, next: PATHS.manageMfa };
    await user.post(PATHS.manageConfirm, fields);
    const proof = await codeTo(account);
    for (let time = 0; time < 6; time++) {
      expect((await user.post(PATHS.manageConfirm, { ...fields, code: '' })).status).toBe(422);
      expect((await calls.post('/proof/verify-email-code', { code: ' ' })).status).toBe(422);
    }
    expect((await user.post(PATHS.manageConfirm, { ...fields, code: proof })).location).toBe(PATHS.manageMfa);
    const waiting = await story.reachStep(account);
    await requests(waiting);
    for (let time = 0; time < 6; time++) {
      expect((await types(waiting, ' ')).status).toBe(422);
      expect((await call(waiting, FACTOR_PATHS.verify(NAME), { code: '' })).status).toBe(422);
    }
    expect((await types(waiting, await codeTo(account))).status).toBe(303);
    expect(await refusals(account)).toBe(0);
  });

  it('[MFV-2] does not count as a wrong code in the set-up of a first factor during a sign-in', async () => {
    const account = await newPerson(gateway, { email: 'maria.musterfrau@example.org' });
    await gateway.get(Accounts).update(account.id, { secondFactor: 'required' });
    const waiting = await story.reachStep(account);
    const enrol = FACTOR_PATHS.enrol(NAME);
    await waiting.browser.post(enrol, waiting.fields);
    const code = await codeTo(account);
    for (let time = 0; time < 6; time++) {
      expect((await waiting.browser.post(enrol, { ...waiting.fields, code: ' ' })).status).toBe(422);
    }
    expect(await refusals(account)).toBe(0);
    expect((await waiting.browser.post(enrol, { ...waiting.fields, code })).status).toBe(200);
  });
});

describe('the mail with a code', () => {
  it('names the purpose of the code', async () => {
    const account = await newPerson(gateway, { email: 'maria.musterfrau@example.org' });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    await user.post(REGISTER);
    const [setUp] = await codesTo(account);
    expect(setUp).toMatchObject({ kind: NAME, act: 'set-up' });
    await user.post(REGISTER, { code: setUp?.code ?? '' });
    await user.post(PATHS.manageConfirm, { method: NAME, next: PATHS.manageMfa });
    expect(await codesTo(account)).toMatchObject([{ kind: 'proof-code', act: undefined }]);
    await requests(await story.reachStep(account));
    expect(await codesTo(account)).toMatchObject([{ kind: NAME, act: undefined }]);
  });
});

describe('[EMC-4] an account without an address', () => {
  it('[MFV-3] [GEN-9] gets an explanation by form and by call, and codes that were sent to the old address are invalid', async () => {
    const account = await holder();
    const waiting = await story.reachStep(account);
    await requests(waiting);
    const code = await codeTo(account);
    await gateway.get(Accounts).update(account.id, { email: null });
    const now = await story.openStep(waiting.browser, waiting.challenge, `&method=${NAME}`);
    expect(now.state.factors.find(({ name }) => name === NAME)?.state).toEqual({ address: '', sent: false });
    const asked = await requests(waiting);
    expect([asked.status, asked.state('mfa_verification').mfa_verification.error]).toEqual([422, 'no e-mail address']);
    expect(await call(waiting, FACTOR_PATHS.init(NAME))).toMatchObject({ status: 409, body: { error: 'no e-mail address' } });
    expect((await types(waiting, code)).status).toBe(422);
  });

  it('[MFV-2] is not offered codes by e-mail as a first factor, unless nothing else is possible', async () => {
    const account = await newPerson(gateway);
    await gateway.get(Accounts).update(account.id, { secondFactor: 'required' });
    const listOffered = async () =>
      (await story.reachStep(account)).state.factors.filter(({ offered: is }) => is).map(({ name }) => name);
    expect(await listOffered()).toEqual(['totp', 'fido2']);
    await gateway.get(Accounts).update(account.id, { email: 'maria.musterfrau@example.org' });
    expect(await listOffered()).toEqual(['totp', 'fido2', NAME]);
  });

  it('shows no code as sent to an address that was changed since', async () => {
    const account = await holder();
    const waiting = await story.reachStep(account);
    await requests(waiting);
    await gateway.get(Accounts).update(account.id, { email: 'erika.musterfrau@other.example' });
    const now = await story.openStep(waiting.browser, waiting.challenge, `&method=${NAME}`);
    const state = now.state.factors.find(({ name }) => name === NAME)?.state;
    expect(state).toEqual({ address: 'e•••u@other.example', sent: false });
  });
});

describe('a request for a security key', () => {
  const KEY = 'urn:foyer:acr:phrh';

  it('[MFV-7] is refused after the password if the account has only codes by e-mail', async () => {
    const account = await holder();
    const { browser, fields, challenge } = await story.openLogin({ acrValues: [KEY] });
    await story.signIn(browser, fields, account);
    expect(story.findAccepted(challenge)).toEqual([]);
    expect(gateway.hydra.calls).toContainEqual(expect.objectContaining({ call: 'rejectLogin', challenge }));
    expect(await codesTo(account)).toEqual([]);
  });

  it('[MFV-7] accepts a code if the app accepts any second factor too, and reports which one was proven', async () => {
    const account = await holder();
    const waiting = await story.reachStep(account, { acrValues: [KEY, 'urn:foyer:acr:mfa'] });
    expect((await requests(waiting)).location).toBe(`${stepAddress(waiting.challenge)}&method=${NAME}`);
    expect((await types(waiting, await codeTo(account))).status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toMatchObject([
      { authentication: { amr: ['pwd', 'otp', 'mfa'], acr: 'urn:foyer:acr:mfa' } },
    ]);
  });
});

describe('[EMC-4] an installation without a mail server', () => {
  it('[MFV-3] explains that no code can be sent, by form and by call; the password alone does not remove the factor', async () => {
    const off = await startTestGateway({ config: ({ mail: { server: _, ...mail } }) => ({ mail }) });
    try {
      const account = await holder(off);
      const waiting = await new SecondStepStory(off).reachStep(account);
      const asked = await requests(waiting);
      expect([asked.status, asked.state('mfa_verification').mfa_verification.error]).toEqual([422, 'factor unavailable']);
      const refused = { status: 409, body: { error: 'factor unavailable' } };
      expect(await call(waiting, FACTOR_PATHS.init(NAME))).toMatchObject(refused);
      expect(await off.get(OutboxClaims).claim(100)).toEqual([]);
      const user = await ManageUser.enter(off, { account });
      const calls = await user.rpc();
      expect(await calls.post('/proof/init-email-code')).toMatchObject(refused);
      await calls.post('/proof/password', { password: 'kupfer linde 4821' });
      expect(await calls.delete('/mfa/email-code')).toMatchObject({ status: 403, body: { error: 'proof required' } });
    } finally {
      await off.close();
    }
  });
});
