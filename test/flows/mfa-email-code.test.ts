/** Codes by e-mail as a second factor (`MFA_FACTORS`): set up in the account area and during a sign-in, proven, removed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/account.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { PATHS } from '../../src/contract/paths.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { Factors } from '../../src/mfa/factors.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { SecondStepStory, call, stepAddress, toArabicDigits, type Waiting } from '../support/second-step.js';

const NAME = 'email-code';
const REGISTER = FACTOR_PATHS.register(NAME);
const REMOVE = FACTOR_PATHS.remove(NAME);
const VIEW = '&method=email-code';

let gateway: TestGateway;
let story: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway({ config: ({ mfa }) => ({ mfa: { ...mfa, factors: ['totp', 'fido2', NAME] } }) });
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

const person = (more: Parameters<typeof newPerson>[1] = {}) =>
  newPerson(gateway, { email: 'maria.musterfrau@example.org', ...more });
const readCounts = ({ id }: Account) => gateway.get(Factors).readCounts(id);

/** The kinds of mails to the person since the last call, and the newest code in them. */
async function mailsTo({ username }: Account): Promise<{ kinds: string[]; code: string }> {
  const mails = (await gateway.get(OutboxClaims).claim(100)).filter((mail) => mail.username === username);
  const code = mails.filter(({ kind }) => kind.endsWith('-code')).at(-1)?.values['code'];
  return { kinds: mails.map(({ kind }) => kind), code: String(code) };
}

const findEvents = async ({ id }: Account) =>
  (await gateway.get(AuditLog).list(id)).entries.map(({ kind, detail }) => [kind, detail?.['factor'] ?? null] as const);

/** Creates a person with codes by e-mail as the only factor. */
async function withCodes(more: Parameters<typeof newPerson>[1] = {}) {
  const user = await ManageUser.enter(gateway, { account: await person(more), fresh: true });
  await user.post(REGISTER);
  const { code } = await mailsTo(user.account);
  const done = await user.post(REGISTER, { code });
  const { codes = [] } = done.state('manage_recovery_codes').manage_recovery_codes;
  return { user, account: user.account, recoveryCodes: codes };
}

/** Requests a code with the plain form of the second step. */
async function requestCode(waiting: Waiting, account: Account): Promise<string> {
  const answer = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: NAME });
  expect(answer.location).toBe(`${stepAddress(waiting.challenge)}${VIEW}`);
  return (await mailsTo(account)).code;
}

const toOther = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('[EMC-1] codes by e-mail in the account area', () => {
  it('[MAN-3] [MAN-4] [GEN-9] are set up with plain forms, verify the address, and cause a notice by mail', async () => {
    const user = await ManageUser.enter(gateway, { account: await person(), fresh: true });
    const { account } = user;
    expect((await user.page(REGISTER, 'manage_factor')).manage_factor).toEqual({
      factor: NAME,
      error: null,
      others: ['totp', 'fido2'],
    });
    const sent = (await user.post(REGISTER)).state('manage_factor').manage_factor;
    expect(sent).toEqual({ factor: NAME, error: null, setup: { address: 'm•••u@example.org', sent: true } });
    const { code, kinds } = await mailsTo(account);
    expect([kinds, code]).toEqual([[NAME], expect.stringMatching(/^\d{6}$/)]);
    const wrong = await user.post(REGISTER, { code: toOther(code) });
    expect([wrong.status, wrong.state('manage_factor').manage_factor.error]).toEqual([422, 'invalid verification code']);
    expect(account.emailVerified).toBe(false);
    const done = await user.post(REGISTER, { code: ` ${toArabicDigits(code.slice(0, 3))} ${code.slice(3)}` });
    expect(done.state('manage_recovery_codes').manage_recovery_codes.codes).toHaveLength(10);
    expect(await readCounts(account)).toEqual({ [NAME]: 1, 'recovery-codes': 10 });
    expect((await gateway.get(Accounts).find(account.id))?.emailVerified).toBe(true);
    expect((await mailsTo(account)).kinds).toEqual(['email-code-added']);
    expect(await findEvents(account)).toEqual(
      expect.arrayContaining([
        ['factor.added', NAME],
        ['account.changed', null],
        ['recovery-codes.made', null],
        ['factor.refused', 'email-code-setup'],
      ]),
    );
    expect((await user.page(PATHS.manage, 'manage')).manage.factors).toEqual([{ name: NAME, count: 1 }]);
    expect((await user.browser.get(REGISTER)).location).toBe(PATHS.manageMfa);
  });

  it('[RPC-3] are set up by RPC too; a code of one session is invalid in another', async () => {
    const account = await person();
    const [one, other] = [
      await (await ManageUser.enter(gateway, { account, fresh: true })).rpc(),
      await (await ManageUser.enter(gateway, { account, fresh: true })).rpc(),
    ];
    expect((await one.post('/mfa-init-email-code')).body).toEqual({ address: 'm•••u@example.org', sent: true });
    const { code } = await mailsTo(account);
    expect(await other.post('/mfa-verify-email-code', { code })).toMatchObject({
      status: 410,
      body: { error: 'session expired' },
    });
    expect((await one.post('/mfa-verify-email-code', { code: 7 })).status).toBe(400);
    expect((await one.post('/mfa-verify-email-code', { code })).body['recovery_codes']).toHaveLength(10);
    expect(await one.post('/mfa-init-email-code')).toMatchObject({ status: 409, body: { error: 'factor already registered' } });
    expect((await one.get('/mfa-registration-status')).body).toEqual({
      totp_registered: false,
      count_registered_fido2_devices: 0,
    });
    expect((await one.delete('/mfa/email-code')).status).toBe(200);
    expect(await readCounts(account)).toEqual({});
    expect((await mailsTo(account)).kinds).toEqual(['email-code-added', 'email-code-removed']);
  });

  it('need an address, and a fresh proof', async () => {
    const user = await ManageUser.enter(gateway, { account: await newPerson(gateway), fresh: true });
    const answer = await user.post(REGISTER);
    expect([answer.status, answer.state('manage_factor').manage_factor.error]).toEqual([422, 'no e-mail address']);
    const stale = await ManageUser.enter(gateway, { account: await person() });
    expect((await (await stale.rpc()).post('/mfa-init-email-code')).body).toMatchObject({ error: 'proof required' });
    expect((await mailsTo(stale.account)).kinds).toEqual([]);
  });

  it('do not verify an address that was changed meanwhile', async () => {
    const user = await ManageUser.enter(gateway, { account: await person(), fresh: true });
    await user.post(REGISTER);
    const { code } = await mailsTo(user.account);
    await gateway.get(Accounts).update(user.account.id, { email: 'other@example.org' });
    expect((await user.post(REGISTER, { code })).state('manage_factor').manage_factor.error).toBe('session expired');
    expect(await readCounts(user.account)).toEqual({});
    expect((await gateway.get(Accounts).find(user.account.id))?.emailVerified).toBe(false);
  });

  it('[MAN-14] are a fresh proof, by form and by call, and one is needed to remove them', async () => {
    const { user, account } = await withCodes();
    await mailsTo(account);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 1);
    const question = (await user.post(REMOVE)).state('manage_confirm').manage_confirm;
    expect(question).toMatchObject({ methods: ['password', NAME], next: PATHS.manageMfa });
    const fields = { method: NAME, next: PATHS.manageMfa };
    const asked = await user.post(PATHS.manageConfirm, fields);
    const page = await user.page(asked.location ?? '', 'manage_confirm');
    expect(page.manage_confirm).toMatchObject({ method: NAME, factor: { address: 'm•••u@example.org', sent: true } });
    const { code } = await mailsTo(account);
    expect((await user.post(PATHS.manageConfirm, { ...fields, code: toOther(code) })).status).toBe(422);
    expect((await user.post(PATHS.manageConfirm, { ...fields, code })).location).toBe(PATHS.manageMfa);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 1);
    const calls = await user.rpc();
    await calls.post('/proof/init-email-code');
    expect((await calls.post('/proof/verify-email-code', { code: (await mailsTo(account)).code })).status).toBe(200);
    expect((await user.post(REMOVE)).location).toBe(`${PATHS.manage}?status=mfa-removed&factor=email-code`);
    expect(await readCounts(account)).toEqual({});
    expect((await mailsTo(account)).kinds).toEqual(['email-code-removed']);
  });
});

describe('[EMC-2] codes by e-mail at the second step', () => {
  it('[MFV-3] [MFV-6] [GEN-9] are sent, entered and sent again with plain forms; the login reports `otp`', async () => {
    const { account } = await withCodes();
    await mailsTo(account);
    const waiting = await story.reachStep(account);
    expect(waiting.state).toMatchObject({ view: NAME, totp_registered: false, fido2_registered: false });
    expect(waiting.state.factors.find(({ name }) => name === NAME)?.state).toEqual({ address: 'm•••u@example.org', sent: false });
    expect((await mailsTo(account)).kinds).toEqual([]);
    const first = await requestCode(waiting, account);
    const second = await requestCode(waiting, account);
    const form = { ...waiting.fields, method: NAME };
    if (first !== second) {
      const old = await waiting.browser.post(PATHS.mfaVerify, { ...form, code: first });
      expect([old.status, old.state('mfa_verification').mfa_verification.error]).toEqual([422, 'invalid verification code']);
    }
    const answer = await waiting.browser.post(PATHS.mfaVerify, { ...form, code: second });
    expect(answer.status).toBe(303);
    const [accepted] = story.findAccepted(waiting.challenge);
    expect(accepted).toMatchObject({ authentication: { amr: ['pwd', 'otp', 'mfa'], acr: 'urn:foyer:acr:mfa' } });
    expect(await findEvents(account)).toEqual(expect.arrayContaining([['factor.ok', NAME]]));
  });

  it('[MFV-4] are proven by RPC; a code works once, and only in its own sign-in', async () => {
    const { account } = await withCodes();
    await mailsTo(account);
    const [one, other] = [await story.reachStep(account), await story.reachStep(account, {}, gateway.browser())];
    expect((await call(one, FACTOR_PATHS.init(NAME))).body).toEqual({ address: 'm•••u@example.org', sent: true });
    const { code } = await mailsTo(account);
    expect(await call(other, FACTOR_PATHS.verify(NAME), { code })).toMatchObject({ status: 422 });
    const answers = await Promise.all([1, 2, 3].map(() => call(one, FACTOR_PATHS.verify(NAME), { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const proof = answers.find(({ status }) => status === 200)?.body['token'];
    expect((await one.browser.post(PATHS.mfaVerify, { ...one.fields, mfa_token: String(proof) })).status).toBe(303);
  });

  it('[MFV-8] allow five attempts for a code, after which the right one is refused too', async () => {
    const { user, account } = await withCodes();
    await mailsTo(account);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 1);
    const calls = await user.rpc();
    await calls.post('/proof/init-email-code');
    const { code } = await mailsTo(account);
    for (let tried = 0; tried < 5; tried++) {
      gateway.clock.advanceSeconds(30);
      expect((await calls.post('/proof/verify-email-code', { code: toOther(code) })).body).toEqual({
        error: 'invalid verification code',
      });
    }
    gateway.clock.advanceSeconds(31);
    expect((await calls.post('/proof/verify-email-code', { code })).body).toEqual({ error: 'invalid verification code' });
  });

  it('expire after ten minutes', async () => {
    const { user, account } = await withCodes();
    const calls = await user.rpc();
    for (const [seconds, status] of [
      [599, 200],
      [601, 422],
    ] as const) {
      await mailsTo(account);
      await calls.post('/proof/init-email-code');
      const { code } = await mailsTo(account);
      gateway.clock.advanceSeconds(seconds);
      expect((await calls.post('/proof/verify-email-code', { code })).status).toBe(status);
    }
  });

  it('do not prove an account whose address was changed meanwhile', async () => {
    const { account } = await withCodes();
    await mailsTo(account);
    const waiting = await story.reachStep(account);
    const code = await requestCode(waiting, account);
    await gateway.get(Accounts).update(account.id, { email: 'other@example.org' });
    const answer = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: NAME, code });
    expect([answer.status, answer.state('mfa_verification').mfa_verification.error]).toEqual([422, 'invalid verification code']);
    expect((await gateway.get(Accounts).find(account.id))?.emailVerified).toBe(false);
  });

  it('are sent five times an hour to an account that enters none of them', async () => {
    const { account } = await withCodes();
    await mailsTo(account);
    const later = await story.reachStep(account);
    for (let mail = 0; mail < 5; mail++) await requestCode(later, account);
    const limited = await later.browser.post(PATHS.mfaVerify, { ...later.fields, method: NAME });
    expect([limited.status, limited.state('mfa_verification').mfa_verification]).toEqual([
      429,
      expect.objectContaining({ view: NAME, error: 'limited', retry_after: expect.any(Number) }),
    ]);
    expect((await mailsTo(account)).kinds).toEqual([]);
  });

  it('[MFV-2] are set up during a sign-in that requires a factor, without script', async () => {
    const account = await person();
    await gateway.get(Accounts).update(account.id, { secondFactor: 'required' });
    const waiting = await story.reachStep(account);
    expect(waiting.state).toMatchObject({ view: 'enrol' });
    const enrol = FACTOR_PATHS.enrol(NAME);
    const begun = await waiting.browser.post(enrol, waiting.fields);
    expect(begun.location).toBe(`${stepAddress(waiting.challenge)}&setup=${NAME}`);
    const step = await story.openStep(waiting.browser, waiting.challenge, `&setup=${NAME}`);
    expect(step.state).toMatchObject({ view: `enrol-${NAME}`, setup: { address: 'm•••u@example.org', sent: true } });
    const { code } = await mailsTo(account);
    const done = (await waiting.browser.post(enrol, { ...step.fields, code })).state('mfa_verification').mfa_verification;
    expect(done).toMatchObject({ view: 'codes', codes: expect.any(Array) });
    const end = await waiting.browser.post(PATHS.mfaVerify, { ...step.fields, mfa_token: done.mfa_token ?? '' });
    expect(end.status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toHaveLength(1);
    expect(await readCounts(account)).toEqual({ [NAME]: 1, 'recovery-codes': 10 });
  });

  it('[MFV-7] are not accepted where a security key is required', async () => {
    const { account } = await withCodes();
    await story.createKeyHolder(account);
    await mailsTo(account);
    const waiting = await story.reachStep(account, { acrValues: ['urn:foyer:acr:phrh'] });
    expect(waiting.state.factors.filter(({ registered }) => registered).map(({ name }) => name)).toEqual(['fido2']);
    expect((await call(waiting, FACTOR_PATHS.init(NAME))).status).toBe(403);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: NAME })).status).toBe(403);
    expect((await mailsTo(account)).kinds).toEqual([]);
  });
});

describe('[EMC-4] the end of codes by e-mail', () => {
  it('[FAR-3] comes with a factor reset, also for what began with them', async () => {
    const { account } = await withCodes();
    const waiting = await story.reachStep(account);
    const code = await requestCode(waiting, account);
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    expect(await gateway.get(FactorResets).reset(account, secret, { actor: 'person' })).toBe(true);
    expect(await readCounts(account)).toEqual({});
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: NAME, code })).status).toBe(400);
  });

  it('[NTC-1] comes with "that was not me", also for codes that were sent, and the factor is frozen', async () => {
    const { user, account } = await withCodes();
    const added = (await gateway.get(OutboxClaims).claim(100)).find(({ kind }) => kind === 'email-code-added');
    const secured = await gateway.get(SecureAccount).secure(String(added?.values['token']), { actor: 'person' });
    expect(secured).toMatchObject({ kind: 'done' });
    expect(await readCounts(account)).toMatchObject({ [NAME]: 1 });
    expect((await user.browser.get(REGISTER)).location).toContain(PATHS.manageError);
  });
});

describe('[EMC-1] an installation that does not offer them', () => {
  it('shows them to nobody and sets none up', async () => {
    const off = await startTestGateway();
    try {
      const user = await ManageUser.enter(off, { fresh: true });
      expect((await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.factors.map(({ name }) => name)).toEqual([
        'totp',
        'fido2',
        'passkey',
      ]);
      expect((await (await user.rpc()).post('/mfa-init-email-code')).body).toEqual({ error: 'factor unavailable' });
      expect((await user.post(REGISTER)).state('manage_factor').manage_factor.error).toBe('factor unavailable');
    } finally {
      await off.close();
    }
  });
});
