/** Second factors in the operator API: whether one is required, and which an account has. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

async function give(accountId: string, { codes }: { codes: number }): Promise<void> {
  const { db } = operator.database;
  const seed = { account_id: accountId, secret: 'sealed', last_step: 0, created_at: new Date(0) };
  await db.insertInto('totp_factor').values(seed).execute();
  const rows = Array.from({ length: codes }, (_, index) => ({ account_id: accountId, code_hash: `hash ${index}` }));
  await db.insertInto('recovery_code').values(rows).execute();
}

function freeze(id: string) {
  const credentials_frozen_until = new Date(operator.clock.now().getTime() + 86_400_000);
  return operator.database.db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', id).execute();
}

async function givePasskey({ id, username }: { id: string; username: string }, name = 'Marias Telefon'): Promise<void> {
  const passkey = {
    account_id: id,
    credential_id: `credential of ${username} ${name}`,
    public_key: Buffer.from([1]),
    algorithm: -7,
    counter: 0,
    backup_eligible: true,
    backed_up: true,
    user_verified: true,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    name,
    created_at: new Date(0),
    last_used_at: new Date(60_000),
  };
  await operator.database.db.insertInto('passkey').values(passkey).execute();
}

describe('[OPR-11] the operator API', () => {
  it('shows whether a second factor is required: always, or by the default of the installation', async () => {
    const { id } = await createAccount();
    const change = (value: unknown) => operator.call('PATCH', `/accounts/${id}`, { second_factor: value });
    for (const value of ['required', 'optional', null]) {
      expect((await change(value)).json).toMatchObject({ second_factor: value });
      expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject({ second_factor: value });
    }
    await change('required');
    for (const value of ['', 'always', 'Required', 'null']) expectError(await change(value), 422, 'format', 'second_factor');
    for (const value of [true, 1, ['optional'], {}]) expectError(await change(value), 400, 'wrong_type', 'second_factor');
    expect((await operator.call('PATCH', `/accounts/${id}`, { group_name: 'G' })).json).toMatchObject({
      second_factor: 'required',
    });
    const { entries } = (await operator.call('GET', `/accounts/${id}/audit`)).json as { entries: { detail: unknown }[] };
    expect(entries[1]?.detail).toEqual({ fields: ['second_factor'] });
  });

  it('shows the factors of an account without their secrets', async () => {
    const { id } = await createAccount();
    const readAccount = () => operator.call('GET', `/accounts/${id}`);
    expect((await readAccount()).json['factors']).toEqual({ totp: false, security_keys: 0, recovery_codes_left: 0, all: [] });
    await give(id, { codes: 2 });
    const { json, text } = await readAccount();
    expect(json['factors']).toEqual({
      totp: true,
      security_keys: 0,
      recovery_codes_left: 2,
      all: [
        {
          name: 'totp',
          label: 'authenticator app',
          count: 1,
          entries: [{ id: null, name: null, created_at: new Date(0).toISOString(), last_used_at: null, synced: null }],
        },
        { name: 'recovery', label: '2 recovery codes', count: 2, entries: [] },
      ],
    });
    expect(text).not.toMatch(/sealed|hash/);
  });

  it('shows each passkey and security key with name, creation and last use, and so does the command', async () => {
    const { id, username } = await createAccount();
    await givePasskey({ id, username });
    const { json, text } = await operator.call('GET', `/accounts/${id}`);
    const times = { created_at: '1970-01-01T00:00:00.000Z', last_used_at: '1970-01-01T00:01:00.000Z' };
    const entries = [{ id: expect.any(String), name: 'Marias Telefon', synced: true, ...times }];
    expect(json['factors']).toMatchObject({ all: [{ name: 'passkey', label: '1 passkey', count: 1, entries }] });
    expect(text).not.toContain('credential of');
    const { out } = await foyer(`account show ${username}`);
    expect(out).toMatch(/^Factors +1 passkey$/m);
    expect(out).toMatch(/^ +Marias Telefon, created 1970-01-01 00:00:00Z, last used 1970-01-01 00:01:00Z$/m);
  });
});

describe('[OPR-11] one factor', () => {
  type Held = { name: string; count: number; entries: { id: string | null; name: string | null }[] }[];
  const list = async (id: string) =>
    ((await operator.call('GET', `/accounts/${id}`)).json['factors'] as { all: Held }).all.map(({ name, count }) => [
      name,
      count,
    ]);

  it('is removed with a notice to its owner, and the others stay', async () => {
    const { id, username } = await createAccount({ email: 'maria@example.org' });
    await give(id, { codes: 2 });
    await givePasskey({ id, username }, 'One');
    await givePasskey({ id, username }, 'Two');
    const { all } = (await operator.call('GET', `/accounts/${id}`)).json['factors'] as { all: Held };
    const two = all.find(({ name }) => name === 'passkey')?.entries.find(({ name }) => name === 'Two')?.id ?? '';
    const reason = { 'x-foyer-reason': 'lost%20phone' };
    expect((await operator.call('DELETE', `/accounts/${id}/factors/${two}`, undefined, reason)).json).toEqual({
      removed: 1,
    });
    expect(await list(id)).toEqual([
      ['totp', 1],
      ['passkey', 1],
      ['recovery', 2],
    ]);
    const { entries } = (await operator.call('GET', `/accounts/${id}/audit?kind=factor`)).json as { entries: object[] };
    expect(entries).toMatchObject([
      { kind: 'factor.removed', actor: 'operator', detail: { factor: 'passkey', reason: 'lost phone' } },
    ]);
    const mails = await operator.database.db.selectFrom('outbox').select('kind').where('account_id', '=', id).execute();
    expect(mails).toHaveLength(1);
    expectError(await operator.call('DELETE', `/accounts/${id}/factors/${two}`), 404, 'factor_not_found');
  });

  it('may be the last, and takes the recovery codes along', async () => {
    const { id } = await createAccount();
    await operator.call('PATCH', `/accounts/${id}`, { second_factor: 'required' });
    await give(id, { codes: 2 });
    expect((await operator.call('DELETE', `/accounts/${id}/factors/totp`)).json).toEqual({ removed: 1 });
    expect(await list(id)).toEqual([]);
  });

  it('of another account, of no kind, or in the wrong form is not found, and nothing changes', async () => {
    const [{ id, username }, other] = [await createAccount(), await createAccount()];
    await givePasskey({ id, username });
    const { all } = (await operator.call('GET', `/accounts/${id}`)).json['factors'] as { all: Held };
    const passkey = all[0]?.entries[0]?.id ?? '';
    const paths = [
      `/accounts/${other.id}/factors/${passkey}`,
      `/accounts/${id}/factors/passkey`,
      `/accounts/${id}/factors/%27%20or%20true`,
      `/accounts/${id}/factors/totp`,
      `/accounts/${id}/factors/${other.id}`,
      `/accounts/${id}/factors/recovery`,
      `/accounts/${id}/factors/constructor`,
    ];
    for (const path of paths) expectError(await operator.call('DELETE', path), 404, 'factor_not_found');
    expect(await list(id)).toEqual([['passkey', 1]]);
  });

  it('is not removed while the credentials are frozen', async () => {
    const { id } = await createAccount();
    await give(id, { codes: 1 });
    await freeze(id);
    expectError(await operator.call('DELETE', `/accounts/${id}/factors/totp`), 409, 'credentials_frozen');
    expect(await list(id)).toEqual([
      ['totp', 1],
      ['recovery', 1],
    ]);
  });

  it('is removed by a command', async () => {
    const { id, username } = await createAccount();
    await give(id, { codes: 1 });
    expect(await foyer(`account factor-remove ${username} passkey`)).toMatchObject({ code: 3 });
    const removed = await foyer(`account factor-remove ${username} totp --reason lost`);
    expect(removed).toMatchObject({ code: 0, out: `One factor of ${username} was removed.\n` });
  });
});

describe('frozen credentials', () => {
  it('[NTC-1] are shown, and unfrozen by a call that may be repeated and is recorded once', async () => {
    const { id } = await createAccount();
    const readFrozenUntil = async () => (await operator.call('GET', `/accounts/${id}`)).json['credentials_frozen_until'];
    expect(await readFrozenUntil()).toBeNull();
    await freeze(id);
    expect(await readFrozenUntil()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    for (const was_frozen of [true, false]) {
      expect((await operator.call('POST', `/accounts/${id}/unfreeze`)).json).toMatchObject({ id, was_frozen });
    }
    expect(await readFrozenUntil()).toBeNull();
    const { entries } = (await operator.call('GET', `/accounts/${id}/audit`)).json as {
      entries: { kind: string; actor: string }[];
    };
    expect(entries.filter(({ kind }) => kind === 'freeze.lifted')).toEqual([expect.objectContaining({ actor: 'operator' })]);
    expectError(await operator.call('POST', `/accounts/${id.replace(/^./, 'z')}/unfreeze`), 404, 'account_not_found');
  });

  it('[NTC-1] are shown and unfrozen by a command', async () => {
    const { id, username } = await createAccount();
    await freeze(id);
    expect((await foyer(`account show ${username}`)).out).toMatch(/\nFrozen +until \d{4}-/);
    expect((await foyer(`account unfreeze ${username}`)).out).toMatch(/may change/);
    expect(await foyer(`account unfreeze ${username}`)).toMatchObject({ code: 0, out: `${username} was not frozen.\n` });
    expect((await foyer(`account show ${username}`)).out).not.toContain('Frozen');
  });
});

describe('[OPR-11] foyer account', () => {
  it('changes with update whether a second factor is required', async () => {
    const { username } = await createAccount();
    for (const word of ['required', 'optional']) {
      expect((await foyer(`account update ${username} --second-factor ${word}`)).out).toContain(`MFA       ${word}\n`);
      expect((await foyer(`account show ${username}`)).out).toMatch(new RegExp(`^MFA +${word}$`, 'm'));
    }
    const back = await foyer(`account update ${username} --second-factor default`);
    expect(back.out).toContain('MFA       default of the installation (MFA_POLICY)\n');
    const { code, err } = await foyer(`account update ${username} --second-factor always`);
    expect([code, err]).toEqual([2, 'foyer: --second-factor accepts required, optional, default, but not "always".\n']);
    expect((await foyer('account update --help')).out).toContain('--second-factor WORD');
  });

  it('shows with show which factors there are', async () => {
    const { id, username } = await createAccount();
    expect((await foyer(`account show ${username}`)).out).toMatch(/^Factors +–$/m);
    await give(id, { codes: 1 });
    expect((await foyer(`account show ${username}`)).out).toMatch(/^Factors +authenticator app, 1 recovery code$/m);
  });
});
