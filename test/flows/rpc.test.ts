import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { ManageUser, accessToken, newPerson } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { RpcClient } from '../support/rpc-client.js';

const EVIL = 'https://evil.example';
const NEW_PASSWORD = 'silber ahorn 7733';
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

/** A body that is sent unchanged. */
const put = (calls: RpcClient, body: string) =>
  calls.send('/username', { ...bearer(calls.token, { 'content-type': 'application/json' }), method: 'PUT', body });

const bearer = (token: string, more: Record<string, string> = {}): RequestInit => ({
  headers: { authorization: `Bearer ${token}`, ...more },
});

describe('the rotating token', () => {
  it('[RPC-8] comes with each answer, for any client that follows the contract', async () => {
    const calls = await (await ManageUser.enter(gateway)).rpc();
    const seen = new Set([calls.token]);
    for (let time = 0; time < 5; time++) {
      expect((await calls.get('/username')).status).toBe(200);
      seen.add(calls.token);
      gateway.clock.advanceSeconds(30);
    }
    expect(seen.size).toBe(6);
  });

  it('[RPC-8] [RPC-9] comes with errors too, each with its code, but not with a 401', async () => {
    const calls = await (await ManageUser.enter(gateway)).rpc();
    const first = calls.token;
    const answers = [
      [await calls.get('/nothing-here'), 404, 'page_not_found'],
      [await calls.put('/password', {}), 422, 'no password given'],
      [await calls.put('/username', { username: 'whatever' }), 403, 'proof required'],
      [await put(calls, '{"a":'), 400, 'could not parse request'],
      [await calls.send('/username', { ...bearer(calls.token), method: 'PUT', body: 'a=b' }), 415, 'could not parse request'],
      [await calls.delete('/username'), 405, 'error'],
    ] as const;
    for (const [{ status, body, nextToken }, wanted, error] of answers) {
      expect([status, body['error']]).toEqual([wanted, error]);
      expect(nextToken).not.toBeNull();
    }
    expect(calls.token).not.toBe(first);
    const refused = await new RpcClient(gateway.url, 'not-a-token-of-anybody').get('/userinfo');
    expect([refused.status, refused.body['error'], refused.nextToken]).toEqual([401, 'unauthorized', null]);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  it('[RPC-8] is the same for parallel calls and a lost answer; a later reuse ends the family', async () => {
    const user = await ManageUser.enter(gateway);
    const { token } = await user.rpc();
    const twins = await Promise.all(Array.from({ length: 4 }, () => new RpcClient(gateway.url, token).get('/username')));
    expect(new Set(twins.map(({ nextToken }) => nextToken)).size).toBe(1);
    const kept = new RpcClient(gateway.url, twins[0]?.nextToken ?? '');
    await kept.get('/username');
    gateway.clock.advanceSeconds(11);
    expect((await new RpcClient(gateway.url, token).get('/username')).status).toBe(401);
    expect((await kept.get('/username')).status).toBe(401);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries.filter(({ kind }) => kind === 'token.reused')).toHaveLength(1);
    // Loading the page again starts another family.
    expect((await (await user.rpc()).get('/username')).status).toBe(200);
  });
});

describe('one token', () => {
  const renameWithOneToken = async (names: (username: string) => string[]) => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { token } = await user.rpc();
    const answers = await Promise.all(
      names(user.account.username).map((username) => new RpcClient(gateway.url, token).put('/username', { username })),
    );
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    return { answers, token, user, changes: entries.filter(({ kind }) => kind === 'username.changed').length };
  };

  it('[RPC-8] [S-74c] makes the same change once and gives ten requests the same answer', async () => {
    const { answers, changes } = await renameWithOneToken((username) => Array<string>(10).fill(`${username}.neu`));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(10).fill([200, {}]));
    expect(new Set(answers.map(({ nextToken }) => nextToken)).size).toBe(1);
    expect(changes).toBe(1);
  });

  it('[RPC-8] [S-74c] makes one of ten different changes at the same moment', async () => {
    const { answers, changes } = await renameWithOneToken((username) =>
      Array.from({ length: 10 }, (_, index) => `${username}.x${index}y`),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body)).toEqual(
      Array(9).fill({ error: 'token used' }),
    );
    expect(answers.every(({ nextToken }) => nextToken !== null)).toBe(true);
    expect(changes).toBe(1);
  });

  it('[RPC-8] gives a refused change the same answer again, and a read with it does not count as a change', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { token } = await user.rpc();
    const send = () => new RpcClient(gateway.url, token);
    const first = await send().put('/username', { username: 'a' });
    expect(first).toMatchObject({ status: 422, body: { error: 'username is invalid' } });
    expect(await send().put('/username', { username: 'a' })).toMatchObject({ status: 422, body: first.body });
    expect(await send().put('/username', { username: `${user.account.username}.neu` })).toMatchObject({ status: 409 });
    expect((await send().get('/username')).body).toEqual({ username: user.account.username });
  });

  it('[S-74b] is useless without the cookie of the session if a browser opened it', async () => {
    const account = await newPerson(gateway);
    const browser = gateway.browser({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    const { api } = (await browser.get(PATHS.manage)).state('manage');
    const elsewhere = await new RpcClient(gateway.url, api.token).get('/userinfo');
    expect([elsewhere.status, elsewhere.nextToken]).toEqual([401, null]);
    for (let time = 0; time < 3; time++) await new RpcClient(gateway.url, api.token).get('/userinfo');
    const countRefusals = async () =>
      (await gateway.get(AuditLog).list(account.id)).entries.filter(({ kind }) => kind === 'token.refused').length;
    expect(await countRefusals()).toBe(1);
    const own = await browser.request(`${PATHS.manageRpc}/userinfo`, {
      headers: { authorization: `Bearer ${api.token}`, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    });
    expect(own.status).toBe(200);
    gateway.clock.advanceSeconds(601);
    await new RpcClient(gateway.url, api.token).get('/userinfo');
    expect(await countRefusals()).toBe(2);
  });
});

describe('a call', () => {
  it('[S-74] needs the token as bearer: no other token, place or scheme', async () => {
    const user = await ManageUser.enter(gateway);
    const { token } = await user.rpc();
    const access = accessToken(gateway, user.account);
    const cookie = user.browser.clone();
    const calls = new RpcClient(gateway.url, '');
    const tries: [string, RequestInit][] = [
      ['/userinfo', {}],
      ['/userinfo', bearer(access)],
      [`/userinfo?access_token=${token}`, {}],
      [`/userinfo?t=${access}`, {}],
      ['/userinfo', { headers: { authorization: `Basic ${Buffer.from(`a:${token}`).toString('base64')}` } }],
      [
        '/userinfo',
        {
          headers: [
            ['authorization', `Bearer ${token}`],
            ['authorization', `Bearer ${token}`],
          ],
        },
      ],
      [
        '/username',
        { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ access_token: token }) },
      ],
    ];
    for (const [path, init] of tries) {
      const answer = await calls.send(path, init);
      expect([path, answer.status, answer.nextToken]).toEqual([path, 401, null]);
    }
    expect((await cookie.get(`${PATHS.manageRpc}/userinfo`, { accept: 'application/json' })).status).toBe(401);
    expect((await new RpcClient(gateway.url, token).get('/userinfo')).status).toBe(200);
  });

  it('[S-81] gets no CORS headers for other origins', async () => {
    const user = await ManageUser.enter(gateway);
    for (const origin of [EVIL, 'null']) {
      const calls = await user.rpc();
      const before = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } };
      const preflight = await fetch(`${gateway.url}${PATHS.manageRpc}/username`, before);
      const answer = await calls.send('/userinfo', bearer(calls.token, { origin, 'sec-fetch-site': 'cross-site' }));
      expect(answer.status).toBe(403);
      for (const { headers } of [preflight, answer]) {
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(names).toEqual([]);
      }
    }
  });

  it('[S-76] reveals nothing about the keys of another person', async () => {
    const calls = await (await ManageUser.enter(gateway, { fresh: true })).rpc();
    for (const id of ['1', '-1', '99999999999999999999', '00000000-0000-4000-8000-000000000000', '%00', 'x'.repeat(200)]) {
      expect(await calls.delete(`/mfa/fido2/${id}`)).toMatchObject({ status: 404, body: { error: 'fido2 not found' } });
      expect(await calls.patch(`/mfa/fido2/${id}`, { name: 'x' })).toMatchObject({ status: 404 });
    }
  });
});

describe('the calls', () => {
  it('[RPC-1] [RPC-2] [RPC-6] describe the person', async () => {
    const account = await newPerson(gateway, { displayName: 'Maria', picture: 'https://img.example/m.png' });
    const calls = await (await ManageUser.enter(gateway, { account })).rpc();
    expect((await calls.get('/userinfo')).body).toEqual({
      user_id: account.id,
      display_name: 'Maria',
      picture: 'https://img.example/m.png',
      return_to_url: 'http://localhost:5555/',
    });
    expect((await calls.get('/username')).body).toEqual({ username: account.username });
    expect((await calls.get('/mfa-registration-status')).body).toEqual({
      totp_registered: false,
      count_registered_fido2_devices: 0,
    });
    expect((await calls.get('/mfa/fido2')).body).toEqual([]);
    expect((await calls.get('/mfa-recovery-codes')).body).toEqual({ left: 0 });
  });

  it('[RPC-5] [ERR-3] PUT /password reports what is missing or wrong, in order, and why', async () => {
    const user = await ManageUser.enter(gateway);
    const calls = await user.rpc();
    const good = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };
    const wrong: [unknown, string][] = [
      [[], 'could not parse request'],
      [{ ...good, newPassword: 5 }, 'could not parse request'],
      [{ ...good, password: null }, 'could not parse request'],
      [{ ...good, password: 'a\u0000b' }, 'could not parse request'],
      [{ newPassword: NEW_PASSWORD }, 'no password given'],
      [{ ...good, newPassword: '' }, 'no new password given'],
      [{ ...good, newPasswordRepeat: undefined }, 'no repeat new password given'],
      [{ ...good, newPasswordRepeat: 'another' }, 'password and repetition not equal'],
      [{ ...good, password: 'wrong' }, 'current password invalid'],
    ];
    for (const [body, error] of wrong) expect((await calls.put('/password', body)).body).toEqual({ error });
    const putWeakPassword = (newPassword: string) =>
      calls.put('/password', { ...good, newPassword, newPasswordRepeat: newPassword });
    for (const [typed, ...reasons] of [
      ['vqzl1', 'too-short'],
      ['passwort1', 'common'],
      [user.account.username, 'username'],
      ['foyer', 'too-short', 'app-name'],
    ] as const) {
      const answer = { status: 422, body: { error: 'password not strong enough', reasons } };
      expect(await putWeakPassword(typed)).toMatchObject(answer);
    }
    expect((await calls.put('/password')).body).toEqual({ error: 'could not parse request' });
    expect(await calls.put('/password', { ...good, userId: 'x', __proto__: { a: 1 } })).toMatchObject({ status: 200, body: {} });
  });

  it('[RPC-6] [ERR-4] PUT /username reports what is wrong with a name', async () => {
    const taken = await newPerson(gateway);
    const user = await ManageUser.enter(gateway, { fresh: true });
    const calls = await user.rpc();
    const wrong: [unknown, string][] = [
      [null, 'could not parse request'],
      [{ username: ['a'] }, 'could not parse request'],
      [{}, 'username is empty'],
      [{ username: '  ' }, 'username is empty'],
      [{ username: 'a b' }, 'username is invalid'],
      [{ username: 'a'.repeat(65) }, 'username is invalid'],
      [{ username: 'a\u200Bbcd' }, 'username is invalid'],
      [{ username: '\uD800abc' }, 'username is invalid'],
      [{ username: taken.username.toUpperCase() }, 'username not available'],
    ];
    for (const [body, error] of wrong) expect((await calls.put('/username', body)).body).toMatchObject({ error });
    const renamed = `${user.account.username}.neu`;
    expect((await calls.put('/username', { username: renamed, id: taken.id })).status).toBe(200);
    expect((await calls.get('/username')).body).toEqual({ username: renamed });
  });

  it('[S-86] accept no unexpected shape', async () => {
    const calls = await (await ManageUser.enter(gateway, { fresh: true })).rpc();
    expect((await put(calls, `{"username":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)).status).toBe(400);
    for (const value of [[], {}, 1, null, true]) {
      expect((await calls.put('/username', { username: value })).status).toBe(400);
      expect((await calls.post('/mfa-verify-totp', { code: value })).status).toBe(400);
    }
    const polluted = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"username":"  "}';
    expect((await put(calls, polluted)).body).toEqual({ error: 'username is empty' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const huge = await calls.put('/username', { username: 'x'.repeat(70_000) });
    expect([huge.status, huge.nextToken === null]).toEqual([413, false]);
  });
});
