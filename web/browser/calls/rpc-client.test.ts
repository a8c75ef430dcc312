import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fakeServer } from '../../fixtures/fake-server.js';
import { RpcClient, exitFromManage } from './rpc-client.js';

const calls = () => new RpcClient('first', exitFromManage('/manage/credentials/username'));
const next = (token: string) => ({ 'x-api-next-token': token });
const bearers = (server: ReturnType<typeof fakeServer>) => server.calls.map(({ headers }) => headers['authorization']);

/** Runs all pending microtasks. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  jest.restoreAllMocks();
});

describe('calls of the account client', () => {
  it('[RPC-8] carry the token of the previous answer', async () => {
    const server = fakeServer({ body: { username: 'maria' }, headers: next('second') }, { body: {}, headers: next('third') });
    const client = calls();
    expect(await client.get('/username')).toEqual({ kind: 'answered', body: { username: 'maria' } });
    await client.put('/username', { username: 'anna' });
    expect(bearers(server)).toEqual(['Bearer first', 'Bearer second']);
    expect(server.calls[1]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/rpc/user/manage/username',
      body: { username: 'anna' },
    });
    expect(server.calls[1]?.headers['content-type']).toBe('application/json');
  });

  it('[RPC-8] carry the token of a refusal too', async () => {
    const server = fakeServer({ status: 422, body: { error: 'username is empty' }, headers: next('second') }, { body: {} });
    const client = calls();
    expect(await client.put('/username', { username: '' })).toEqual({ kind: 'failed', code: 'username is empty' });
    await client.get('/username');
    expect(bearers(server)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('[RPC-8] are sent one after the other', async () => {
    const server = fakeServer({ body: {}, headers: next('second') }, 'hold', { body: {} });
    const client = calls();
    void client.get('/username');
    void client.get('/userinfo');
    void client.get('/mfa-registration-status');
    await settle();
    expect(bearers(server)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('[RPC-8] are repeated once with the same token when no answer arrives', async () => {
    const server = fakeServer('none', { body: {}, headers: next('second') }, 'none', 'none', { body: {} });
    const client = calls();
    expect((await client.post('/mfa-init-totp')).kind).toBe('answered');
    expect(await client.get('/username')).toEqual({ kind: 'failed', code: 'network' });
    await client.get('/username');
    expect(bearers(server)).toEqual(['Bearer first', 'Bearer first', 'Bearer second', 'Bearer second', 'Bearer second']);
  });

  it('[RPC-8] are not repeated after the ten seconds in which the server accepts the same token', async () => {
    const server = fakeServer('none', { body: {} });
    jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(10_000);
    expect(await calls().get('/username')).toEqual({ kind: 'failed', code: 'network' });
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    [{ status: 500, body: { error: 'no code of the catalogue' } }, 'error'],
    [{ status: 500, body: { error: 'toString' } }, 'error'],
    [{ status: 502 }, 'error'],
    [{ status: 409, body: null }, 'error'],
    [{ status: 409, body: { error: 'username not available' } }, 'username not available'],
  ])('[ERR-2] [RPC-9] report %j as %s', async (answer, code) => {
    fakeServer(answer);
    expect(await calls().get('/username')).toEqual({ kind: 'failed', code });
  });

  it('report how long to wait', async () => {
    fakeServer({ status: 429, body: { error: 'too many requests' }, headers: { 'retry-after': '30' } });
    expect(await calls().get('/username')).toEqual({ kind: 'failed', code: 'too many requests', retryAfterSeconds: 30 });
  });

  it.each([
    ['unauthorized', '/manage/error/unauthorized'],
    ['page_not_found', '/manage/error/page_not_found'],
    ['proof required', '/manage/credentials/username'],
  ])('[ERR-2] [MAN-14] leave the page after %s', async (error, url) => {
    const server = fakeServer({ status: 403, body: { error } });
    const answered = jest.fn();
    void calls().get('/username').then(answered);
    await settle();
    expect(server.addresses).toEqual([url]);
    expect(answered).not.toHaveBeenCalled();
  });
});
