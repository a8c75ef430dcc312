import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { HasherBusy } from '../../src/accounts/password/hasher.js';
import { finishSignIn } from '../support/finished-sign-in.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { expectError, operatorSteps } from '../support/operator-story.js';

const PASSWORD = 'kupfer linde 4821';
const NOBODY = '00000000-0000-4000-8000-000000000000';

let operator: TestOperator;
const { createAccount, findKinds, beginSession } = operatorSteps(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());
afterEach(() => operator.hydra.fail(null));

function signIn(username: string) {
  const attempt = { username, password: PASSWORD, address: '192.0.2.7', device: null, requestId: 'request' };
  return operator.services.signIn.prove(attempt);
}

describe('[OPR-1] creating accounts', () => {
  it('answers 201 with the account and its address, and nothing about its password', async () => {
    const answer = await operator.call('POST', '/accounts', {
      username: 'Maria.Musterfrau',
      password: PASSWORD,
      display_name: 'Maria Musterfrau',
      email: 'maria@example.org',
      language: 'de',
      group_name: 'Einkauf',
    });
    expect(answer.status).toBe(201);
    const { id } = answer.json;
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: 'Maria.Musterfrau',
      display_name: 'Maria Musterfrau',
      email: 'maria@example.org',
      email_verified: false,
      picture: null,
      language: 'de',
      group_name: 'Einkauf',
      groups: ['Einkauf'],
      attributes: {},
      status: 'active',
      second_factor: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(answer.headers['location']).toBe(`/operator/v1/accounts/${String(id)}`);
    expect((await operator.call('GET', `/accounts/${String(id)}`)).json).toMatchObject(answer.json);
    expect(await signIn('maria.musterfrau')).toMatchObject({ kind: 'proven', account: { id } });
  });

  it('creates an account without a password, to which nobody can sign in with one', async () => {
    const { id, username } = await createAccount();
    expect(await signIn(username)).toEqual({ kind: 'refused' });
    expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject({ display_name: username, email: null });
  });

  it('refuses a name that is taken in any spelling with 409', async () => {
    const { username } = await createAccount();
    expectError(
      await operator.call('POST', '/accounts', { username: username.toUpperCase() }),
      409,
      'username_taken',
      'username',
    );
  });

  it('[VAL-5] refuses reserved names, addresses of other accounts as names and names of other accounts as addresses', async () => {
    const post = (body: object) => operator.call('POST', '/accounts', body);
    const address = 'heidi.holm@example.org';
    expectError(await post({ username: 'Supp0rt' }), 422, 'reserved', 'username');
    expectError(await post({ username: address }), 422, 'format', 'username');
    const { id } = (await post({ username: address, email: address })).json;
    expectError(await post({ username: 'somebody.else', email: address }), 409, 'email_taken', 'email');
    expectError(
      await post({ username: 'heidi.ho1m@example.org', email: 'heidi.ho1m@example.org' }),
      409,
      'username_taken',
      'username',
    );
    const other = await createAccount();
    expectError(await operator.call('PATCH', `/accounts/${other.id}`, { email: address }), 409, 'email_taken', 'email');
    expect((await operator.call('PATCH', `/accounts/${String(id)}`, { email: address })).status).toBe(200);
  });

  it('names every fault of a password, and creates no account', async () => {
    const answer = await operator.call('POST', '/accounts', { username: 'erika.muster', password: '12345' });
    expectError(answer, 422, 'password_refused', 'password');
    expect(answer.json['faults']).toEqual(['too_short', 'common']);
    expect(answer.text).not.toContain('12345');
    expect((await operator.call('GET', '/accounts?username=erika.muster')).json).toEqual({ accounts: [] });
  });

  it.each([
    [{ username: '' }, 'missing', 'username'],
    [{ username: 'ab' }, 'too_short', 'username'],
    [{ username: 'a b c' }, 'characters', 'username'],
    [{ username: 'nul\u0000nul' }, 'characters', 'username'],
    [{ username: 'lone\ud800' }, 'characters', 'username'],
    [{ username: 'x'.repeat(60_000) }, 'too_long', 'username'],
    [{ username: 'valid.name', display_name: 'a\u202eb' }, 'characters', 'display_name'],
    [{ username: 'valid.name', display_name: ' ' }, 'missing', 'display_name'],
    [{ username: 'valid.name', email: 'no address' }, 'format', 'email'],
    [{ username: 'valid.name', language: 'not a tag' }, 'format', 'language'],
    [{ username: 'valid.name', group_name: 'x'.repeat(200) }, 'too_long', 'group_name'],
    [{ username: 'valid.name', password: '' }, 'password_refused', 'password'],
    [{ username: 'valid.name', password: 'x'.repeat(60_000) }, 'password_refused', 'password'],
    [{ username: 'valid.name', password: 'lone\udc00surrogate' }, 'password_refused', 'password'],
  ])('reports the field and the fault of %.80j', async (body, error, field) => {
    const answer = await operator.call('POST', '/accounts', body);
    expectError(answer, 422, error, field);
    expect(answer.text).not.toMatch(/displayName|groupName/);
  });

  it('sets a password although sign-ins occupy the hashing, and reports if it cannot', async () => {
    let refusals = 2;
    const busy = await startTestOperator({
      database: operator.database,
      instead: {
        part: SetPassword,
        build: (real: SetPassword) =>
          Object.create(real, {
            setPassword: {
              value: (...args: Parameters<SetPassword['setPassword']>) =>
                (refusals -= 1) >= 0 ? Promise.reject(new HasherBusy()) : real.setPassword(...args),
            },
          }) as SetPassword,
      },
    });
    try {
      const made = await busy.call('POST', '/accounts', { username: 'patient.person', password: PASSWORD });
      expect(made.status).toBe(201);
      expect(await signIn('patient.person')).toMatchObject({ kind: 'proven' });
      refusals = Infinity;
      expectError(
        await busy.call('POST', '/accounts', { username: 'unlucky.person', password: PASSWORD }),
        503,
        'busy',
        'password',
      );
    } finally {
      await busy.close();
    }
  });
});

describe('[OPR-1] finding accounts', () => {
  it('lists them page by page, in order of creation', async () => {
    const made = [await createAccount(), await createAccount(), await createAccount()];
    const seen: string[] = [];
    let path = '/accounts?limit=2';
    for (let pages = 0; pages < 100; pages++) {
      const { json } = await operator.call('GET', path);
      const { accounts, next_cursor } = json as { accounts: { id: string }[]; next_cursor?: string };
      expect(accounts.length).toBeLessThanOrEqual(2);
      seen.push(...accounts.map(({ id }) => id));
      if (next_cursor === undefined) break;
      path = `/accounts?limit=2&cursor=${next_cursor}`;
    }
    expect(seen.slice(-3)).toEqual(made.map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('finds by username and by e-mail in any spelling, and nobody for anything else', async () => {
    const { id, username } = await createAccount({ email: 'Some.Body@example.org' });
    const searchIds = async (query: string) => {
      const { json } = await operator.call('GET', `/accounts?${query}`);
      return (json['accounts'] as { id: string }[]).map((account) => account.id);
    };
    expect(await searchIds(`username=${username.toUpperCase()}`)).toEqual([id]);
    expect(await searchIds('email=some.body%40EXAMPLE.org')).toEqual([id]);
    for (const query of [
      "username='%20OR%201=1--",
      'username=%',
      'username=_',
      'username=',
      'email=%',
      'email=%00',
      'username=%00',
      'email=',
    ]) {
      expect(await searchIds(query)).toEqual([]);
    }
  });

  it.each([
    ['limit=0', 'wrong_type', 'limit'],
    ['limit=201', 'wrong_type', 'limit'],
    ['limit=1e2', 'wrong_type', 'limit'],
    ['limit=1&limit=2', 'wrong_type', 'limit'],
    ['cursor=-1', 'wrong_type', 'cursor'],
    ["cursor=1'", 'wrong_type', 'cursor'],
    ['username=a&username=b', 'wrong_type', 'username'],
    ['order=id', 'unknown_member', 'order'],
    ['username[]=a', 'unknown_member', 'username[]'],
    ['__proto__[x]=1', 'unknown_member', '__proto__[x]'],
    ['__proto__=1', 'unknown_member', '__proto__'],
  ])('refuses the query %s and names it', async (query, error, field) => {
    expectError(await operator.call('GET', `/accounts?${query}`), 400, error, field);
  });

  it.each([
    'GET /accounts/ID',
    'PATCH /accounts/ID',
    'POST /accounts/ID/disable',
    'POST /accounts/ID/enable',
    'POST /accounts/ID/unlock',
    'POST /accounts/ID/require-password-change',
    'DELETE /accounts/ID/sessions',
    'GET /accounts/ID/audit',
    'GET /accounts/ID/providers',
    'DELETE /accounts/ID/providers/google',
  ])('answers %s with the same 404 for an unknown and for an invalid id', async (call) => {
    const [method = '', path = ''] = call.split(' ');
    const ids = [NOBODY, '1', '-1', 'x'.repeat(2000), "'%20OR%201=1--", '%00', '..%2f..', '__proto__', `${NOBODY}0`];
    const answers = await Promise.all(
      ids.map((id) => operator.call(method, path.replace('ID', id), method === 'PATCH' ? { email: 'a@example.org' } : undefined)),
    );
    for (const answer of answers) expectError(answer, 404, 'account_not_found');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(operator.hydra.calls).not.toContainEqual(expect.objectContaining({ subject: NOBODY }));
  });
});

describe('[OPR-1] changing accounts', () => {
  it('changes the given fields and leaves the rest', async () => {
    const { id } = await createAccount({ email: 'old@example.org', group_name: 'Einkauf' });
    const patch = { display_name: 'Neue Name', email: 'new@example.org', language: 'en', picture: 'https://example.org/p.png' };
    const answer = await operator.call('PATCH', `/accounts/${id}`, patch);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ ...patch, group_name: 'Einkauf', email_verified: false });
    expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject(answer.json);
  });

  it('[NTC-1] notifies the old address when the address changes, without a link, and nobody when it stays', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const change = async (email: string | null) =>
      expect((await operator.call('PATCH', `/accounts/${id}`, { email })).status).toBe(200);
    await change('old@example.org');
    await change('new@example.org');
    await change(null);
    await change('last@example.org');
    const { db } = operator.database;
    const mails = await db
      .selectFrom('outbox')
      .select(['kind', 'recipient'])
      .where('account_id', '=', id)
      .orderBy('id')
      .execute();
    expect(mails).toEqual([
      { kind: 'email-changed', recipient: 'old@example.org' },
      { kind: 'email-changed', recipient: 'new@example.org' },
    ]);
    expect(await db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id).execute()).toEqual([]);
  });

  it('removes values with null; a removed name becomes the username', async () => {
    const more = { email: 'a@example.org', language: 'de', group_name: 'G', display_name: 'Eigener Name' };
    const { id, username } = await createAccount(more);
    const nothing = { email: null, language: null, group_name: null, picture: null };
    const answer = await operator.call('PATCH', `/accounts/${id}`, { ...nothing, display_name: null });
    expect(answer.json).toMatchObject({ ...nothing, display_name: username });
  });

  it.each(['username', 'password', 'status', 'id', 'emailVerified'])('does not accept %s', async (field) => {
    const { id } = await createAccount();
    const before = (await operator.call('GET', `/accounts/${id}`)).json;
    const answer = await operator.call('PATCH', `/accounts/${id}`, { display_name: 'Anders', [field]: true });
    expectError(answer, 400, 'unknown_member', field);
    expect((await operator.call('GET', `/accounts/${id}`)).json).toEqual(before);
  });

  it('refuses values that pages must not show', async () => {
    const { id } = await createAccount();
    for (const picture of ['javascript:alert(1)', 'https://user:pw@example.org/', '//example.org', 'x']) {
      expectError(await operator.call('PATCH', `/accounts/${id}`, { picture }), 422, 'format', 'picture');
    }
  });
});

describe('[OPR-1] ending access', () => {
  it('ends with disabling: no sign-in, no session here or at the upstream, no token of an app', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    await beginSession(id, `upstream-of-${username}`);
    const answer = await operator.call('POST', `/accounts/${id}/disable`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id, status: 'disabled', upstream: 'ended' });
    expect(await signIn(username)).toEqual({ kind: 'refused' });
    expect(await operator.services.sessions.findByUpstreamSession(`upstream-of-${username}`, id)).toBeNull();
    expect(operator.hydra.calls.slice(-2)).toEqual([
      { call: 'endLoginSessions', subject: id },
      { call: 'revokeConsents', subject: id },
    ]);
  });

  it('may be repeated, and undone', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    for (const action of ['disable', 'disable', 'enable', 'enable']) {
      const answer = await operator.call('POST', `/accounts/${id}/${action}`);
      expect([answer.status, answer.json['status']]).toEqual([200, action === 'disable' ? 'disabled' : 'active']);
    }
    expect(await signIn(username)).toMatchObject({ kind: 'proven' });
    const kinds = (await findKinds(id)).filter((kind) => kind === 'account.disabled' || kind === 'account.enabled');
    expect(kinds).toEqual(['account.enabled', 'account.disabled']);
  });

  it('ends sessions under the spelling of the id that the upstream knows', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    await beginSession(id, `one-of-${username}`);
    await beginSession(id, `two-of-${username}`);
    const answer = await operator.call('DELETE', `/accounts/${id.toUpperCase()}/sessions`);
    expect(answer.json).toEqual({ ended: 2, upstream: 'ended' });
    expect(operator.hydra.calls.at(-1)).toEqual({ call: 'endLoginSessions', subject: id });
    expect((await operator.call('DELETE', `/accounts/${id}/sessions`)).json).toEqual({ ended: 0, upstream: 'ended' });
    expect(await signIn(username)).toMatchObject({ kind: 'proven' });
  });

  it('completes its own part when the upstream is unavailable, and reports that', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    await beginSession(id, `session-of-${username}`);
    operator.hydra.fail();
    expect((await operator.call('DELETE', `/accounts/${id}/sessions`)).json).toEqual({ ended: 1, upstream: 'unavailable' });
    const disabled = await operator.call('POST', `/accounts/${id}/disable`);
    expect([disabled.status, disabled.json['upstream']]).toEqual([200, 'unavailable']);
    expect(await signIn(username)).toEqual({ kind: 'refused' });
    operator.hydra.fail(null);
    expect((await operator.call('POST', `/accounts/${id}/disable`)).json['upstream']).toBe('ended');
    expect(operator.hydra.calls.at(-1)).toEqual({ call: 'revokeConsents', subject: id });
  });
});

describe('[OPR-10] unlocking', () => {
  const limits = { accountFreeFailures: 1, accountStopAt: 2 };
  let strict: TestOperator;
  beforeAll(async () => {
    strict = await startTestOperator({
      database: operator.database,
      config: (own) => ({ limits: { ...own.limits, ...limits } }),
    });
  });
  afterAll(() => strict.close());

  /** Enters wrong passwords until only an operator or a new password helps. */
  async function stop(username: string, device: string | null): Promise<void> {
    for (let failure = 0; failure < 2; failure++) {
      expect(await attempt(username, 'wrong', device)).toBe('refused');
      operator.clock.advanceSeconds(901);
    }
    expect(await attempt(username, PASSWORD, device)).toBe('refused');
  }

  async function attempt(username: string, password: string, device: string | null): Promise<string> {
    const values = { username, password, device, address: '192.0.2.8', requestId: 'request' };
    return (await strict.services.signIn.prove(values)).kind;
  }

  it('admits everybody to a stopped account again, from unknown and known devices, and changes no other account', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    const other = await createAccount({ password: PASSWORD });
    const device = 'secret-of-a-device';
    await finishSignIn(operator.database, { accountId: id, device });
    await stop(username, null);
    await stop(username, device);
    await stop(other.username, null);
    const readLock = async () => (await strict.call('GET', `/accounts/${id}`)).json['lock'];
    expect(await readLock()).toEqual({ until: null });
    const answer = await strict.call('POST', `/accounts/${id}/unlock`);
    expect(answer.status).toBe(200);
    const { was_locked, ...shown } = answer.json;
    expect(was_locked).toBe(true);
    expect((await strict.call('GET', `/accounts/${id}`)).json).toMatchObject(shown);
    expect(await readLock()).toBeNull();
    expect(await attempt(username, PASSWORD, device)).toBe('proven');
    await finishSignIn(operator.database, { accountId: id, device });
    expect(await attempt(username, PASSWORD, null)).toBe('proven');
    expect(await attempt(other.username, PASSWORD, null)).toBe('refused');
  });

  it('may be repeated, and is recorded when it changed something', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    await stop(username, null);
    for (let time = 0; time < 3; time++) expect((await strict.call('POST', `/accounts/${id}/unlock`)).status).toBe(200);
    expect(await attempt(username, PASSWORD, null)).toBe('proven');
    expect((await strict.call('POST', `/accounts/${id}/unlock`)).json['was_locked']).toBe(false);
    const { entries } = (await strict.call('GET', `/accounts/${id}/audit`)).json as { entries: Record<string, unknown>[] };
    expect(entries.filter(({ kind }) => kind === 'limits.cleared')).toEqual([
      expect.objectContaining({ actor: 'operator', address: '127.0.0.1', request_id: expect.any(String) }),
    ]);
  });

  it('accepts no members', async () => {
    const { id } = await createAccount();
    const answer = await strict.call('POST', `/accounts/${id}/unlock`, { username: 'somebody.else' });
    expectError(answer, 400, 'unknown_member', 'username');
  });
});
