import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { installFakeServer } from '../../fixtures/fake-server.js';
import { RpcClient, buildExitFromManage } from './rpc-client.js';

const createClient = () => new RpcClient('first', buildExitFromManage('/manage/credentials/username'));
const toNextTokenHeader = (token: string) => ({ 'x-api-next-token': token });
const listAuthorizations = (server: ReturnType<typeof installFakeServer>) =>
  server.calls.map(({ headers }) => headers['authorization']);

/** Runs all pending microtasks. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  jest.restoreAllMocks();
});

describe('calls of the RPC client', () => {
  it('[RPC-8] contain the token of the previous answer', async () => {
    const server = installFakeServer(
      { body: { username: 'maria' }, headers: toNextTokenHeader('second') },
      { body: {}, headers: toNextTokenHeader('third') },
    );
    const client = createClient();
    expect(await client.get('/username')).toEqual({ kind: 'answered', body: { username: 'maria' } });
    await client.put('/username', { username: 'anna' });
    expect(listAuthorizations(server)).toEqual(['Bearer first', 'Bearer second']);
    expect(server.calls[1]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/rpc/user/manage/username',
      body: { username: 'anna' },
    });
    expect(server.calls[1]?.headers['content-type']).toBe('application/json');
  });

  it('[RPC-8] contain the token of the previous answer even if that answer is an error', async () => {
    const server = installFakeServer(
      { status: 422, body: { error: 'username is empty' }, headers: toNextTokenHeader('second') },
      { body: {} },
    );
    const client = createClient();
    expect(await client.put('/username', { username: '' })).toEqual({ kind: 'failed', code: 'username is empty' });
    await client.get('/username');
    expect(listAuthorizations(server)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('[RPC-8] are sent one after the other', async () => {
    const server = installFakeServer({ body: {}, headers: toNextTokenHeader('second') }, 'hold', { body: {} });
    const client = createClient();
    void client.get('/username');
    void client.get('/userinfo');
    void client.get('/mfa-registration-status');
    await settle();
    expect(listAuthorizations(server)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('[RPC-8] are repeated once with the same token when no answer arrives', async () => {
    const server = installFakeServer('none', { body: {}, headers: toNextTokenHeader('second') }, 'none', 'none', { body: {} });
    const client = createClient();
    expect((await client.post('/mfa-init-totp')).kind).toBe('answered');
    expect(await client.get('/username')).toEqual({ kind: 'failed', code: 'network' });
    await client.get('/username');
    expect(listAuthorizations(server)).toEqual([
      'Bearer first',
      'Bearer first',
      'Bearer second',
      'Bearer second',
      'Bearer second',
    ]);
  });

  it('[RPC-8] are not repeated after ten seconds, when the server no longer accepts the same token', async () => {
    const server = installFakeServer('none', { body: {} });
    jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(10_000);
    expect(await createClient().get('/username')).toEqual({ kind: 'failed', code: 'network' });
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    [{ status: 500, body: { error: 'not a code of the catalogue' } }, 'error'],
    [{ status: 500, body: { error: 'toString' } }, 'error'],
    [{ status: 502 }, 'error'],
    [{ status: 409, body: null }, 'error'],
    [{ status: 409, body: { error: 'username not available' } }, 'username not available'],
  ])('[ERR-2] [RPC-9] report %j as %s', async (answer, code) => {
    installFakeServer(answer);
    expect(await createClient().get('/username')).toEqual({ kind: 'failed', code });
  });

  it('report how long to wait', async () => {
    installFakeServer({ status: 429, body: { error: 'too many requests' }, headers: { 'retry-after': '30' } });
    expect(await createClient().get('/username')).toEqual({ kind: 'failed', code: 'too many requests', retryAfterSeconds: 30 });
  });

  it.each([
    ['unauthorized', '/manage/error/unauthorized'],
    ['page_not_found', '/manage/error/page_not_found'],
    ['proof required', '/manage/credentials/username'],
  ])('[ERR-2] [MAN-14] leave the page after %s', async (error, url) => {
    const server = installFakeServer({ status: 403, body: { error } });
    const onAnswer = jest.fn();
    void createClient().get('/username').then(onAnswer);
    await settle();
    expect(server.addresses).toEqual([url]);
    expect(onAnswer).not.toHaveBeenCalled();
  });

  it('are sent again if the browser restores a page that was left, but not those that waited when it was left', async () => {
    const server = installFakeServer({ status: 403, body: { error: 'proof required' } }, { body: {} });
    const client = createClient();
    void client.get('/username');
    void client.get('/userinfo');
    await settle();
    expect(server.calls).toHaveLength(1);
    expect(await client.put('/username', { username: 'anna' })).toEqual({ kind: 'answered', body: {} });
    expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  });
});
