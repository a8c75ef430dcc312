import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/config/config.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';

let operator: TestOperator;

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

const PATHS = ['/accounts', '/accounts/x', '/accounts/x/audit', '/health', '/nowhere', '/../..'];

function expectRefusal(answer: OperatorAnswer, status: number, error: string): void {
  expect(answer.json).toMatchObject({ error, message: expect.stringMatching(/\.$/) });
  expect(answer.status).toBe(status);
}

describe('[OPR-3] the token', () => {
  it.each(PATHS)('is required on %s before anything else is checked', async (path) => {
    operator.clock.advanceSeconds(120);
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await operator.call(method, path, undefined, { authorization: undefined });
      expectRefusal(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('is accepted in one form only', async () => {
    const { token } = operator;
    const wrong = [
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer  ${token}`,
      `Bearer ${token} ${token}`,
      `Bearer`,
      token,
      `Basic ${Buffer.from(`operator:${token}`).toString('base64')}`,
      `Bearer ${'x'.repeat(8000)}`,
      '',
    ];
    for (const authorization of wrong) {
      operator.clock.advanceSeconds(120);
      expectRefusal(await operator.call('GET', '/accounts', undefined, { authorization }), 401, 'unauthorized');
    }
    const elsewhere = await operator.call('GET', `/accounts?access_token=${token}`, undefined, {
      authorization: undefined,
      cookie: `token=${token}`,
    });
    expectRefusal(elsewhere, 401, 'unauthorized');
    expect((await operator.call('GET', '/accounts', undefined, { authorization: `bearer ${token}` })).status).toBe(200);
  });

  it('is refused in two headers', async () => {
    operator.clock.advanceSeconds(120);
    const { port } = new URL(operator.url);
    const head = `GET /operator/v1/accounts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
    const headers = [`Authorization: Bearer ${operator.token}\r\n`, 'Authorization: Bearer wrong\r\n'];
    for (const pair of [headers, [...headers].reverse()]) {
      expect(await raw(Number(port), `${head}${pair.join('')}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    }
    expect(await raw(Number(port), `${head}${headers[0] ?? ''}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('does not reach a route by a target of which the checks before the route would see another path', async () => {
    const { port } = new URL(operator.url);
    for (const target of [
      `http://localhost:${port}/scim/v2/Users`,
      `http://localhost:${port}/operator/v1/accounts`,
      `http://localhost:${port}/console/session`,
      '/scim\\v2/Users#',
      '/operator/v1/accounts#',
    ]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
      const answer = await raw(Number(port), `${head}Authorization: Bearer ${operator.token}\r\n\r\n`);
      expect([target, answer]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
    }
  });

  it('is protected by a limit on wrong attempts per address, which cannot lock the operator out', async () => {
    operator.clock.advanceSeconds(120);
    const wrong = () => operator.call('GET', '/accounts', undefined, { authorization: 'Bearer wrong' });
    for (let tries = 0; tries < 10; tries++) expect((await wrong()).status).toBe(401);
    const limited = await wrong();
    expectRefusal(limited, 429, 'limited');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await operator.call('GET', '/accounts')).status).toBe(200);
    operator.clock.advanceSeconds(61);
    expect((await wrong()).status).toBe(401);
  });

  it('never reaches the log, and neither do the query and the body', async () => {
    operator.clock.advanceSeconds(120);
    await operator.call('GET', '/accounts?username=geheime.person', undefined, { authorization: 'Bearer wrong-token-value' });
    await operator.call('GET', '/accounts?username=geheime.person');
    await operator.call('POST', '/accounts', { username: 'x', password: 'a password that is told to nobody' });
    const log = JSON.stringify(operator.logLines);
    for (const secret of [operator.token, 'wrong-token-value', 'geheime.person', 'told to nobody'])
      expect(log).not.toContain(secret);
    expect(operator.logLines).toContainEqual(
      expect.objectContaining({ method: 'GET', path: '/operator/v1/accounts', status: 200, address: '127.0.0.1' }),
    );
  });

  it('is required to start the operator API', async () => {
    const withoutToken = ({ config }: { config: { operator: { token?: string } } }) => {
      const { token: _, ...operator } = config.operator;
      return { config: { ...config, operator } as never };
    };
    await expect(startTestOperator({ database: operator.database, foundation: withoutToken })).rejects.toThrow(ConfigError);
  });
});

describe('the host name of the call', () => {
  const status = async (host: string, replica = operator) => (await replica.call('GET', '/health', undefined, { host })).status;

  it('may be its address', async () => {
    for (const host of ['localhost', 'localhost:9000', 'LOCALHOST', '127.0.0.1:3001', '[::1]', '[::1]:3001']) {
      expect(await status(host)).toBe(200);
    }
  });

  it('has to be one of its own names, so that a page whose name resolves to 127.0.0.1 reads nothing', async () => {
    const foreign = [
      'evil.example',
      'evil.example:3001',
      'localhost.evil.example',
      'localhost@evil.example',
      'localhost.',
      '0.0.0.0',
    ];
    for (const host of [...foreign, '127.0.0.2', '[::ffff:7f00:1]', 'localhost:3001:1', '[localhost]']) {
      expectRefusal(await operator.call('GET', '/health', undefined, { host }), 421, 'host_unknown');
    }
    const nameless = `GET /operator/v1/health HTTP/1.0\r\nAuthorization: Bearer ${operator.token}\r\n\r\n`;
    expect(await raw(Number(new URL(operator.url).port), nameless)).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('may be the configured one; on every interface it may be any address, but no other name', async () => {
    const startOn = (host: string) =>
      startTestOperator({ database: operator.database, config: (config) => ({ operator: { ...config.operator, host } }) });
    const named = await startOn('foyer.internal');
    const everywhere = await startOn('0.0.0.0');
    try {
      expect([await status('Foyer.Internal:3001', named), await status('127.0.0.1', named)]).toEqual([200, 200]);
      expect([await status('other.internal', named), await status('10.0.0.7', named)]).toEqual([421, 421]);
      expect([await status('10.0.0.7:3001', everywhere), await status('[fd00::7]', everywhere)]).toEqual([200, 200]);
      expect(await status('evil.example', everywhere)).toBe(421);
    } finally {
      await named.close();
      await everywhere.close();
    }
  });
});

describe('what it answers', () => {
  it('is not for browsers: no answer is cached, framed, sniffed or shared with another origin', async () => {
    for (const path of ['/accounts', '/nowhere']) {
      const { headers } = await operator.call('GET', path, undefined, { origin: 'https://evil.example' });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
        'content-type': 'application/json; charset=utf-8',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(Object.keys(headers).filter((name) => /^access-control|^x-powered-by|^etag|^set-cookie/.test(name))).toEqual([]);
    }
  });

  it('to a wrong method is 405 with the existing methods', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const [method, path, allow] of [
      ['PUT', '/accounts', 'POST, GET'],
      ['HEAD', '/accounts', 'POST, GET'],
      ['OPTIONS', '/accounts', 'POST, GET'],
      ['TRACE', '/accounts', 'POST, GET'],
      ['POST', `/accounts/${id}`, 'GET, PATCH, DELETE'],
      ['PUT', `/accounts/${id}`, 'GET, PATCH, DELETE'],
      ['GET', `/accounts/${id}/disable`, 'POST'],
      ['POST', `/accounts/${id}/sessions`, 'GET, DELETE'],
    ] as const) {
      const answer = await operator.call(method, path);
      expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, allow]);
      if (method !== 'HEAD') expectRefusal(answer, 405, 'method_not_allowed');
    }
  });

  it('for an unknown path is 404, and each path has one spelling', async () => {
    for (const path of [
      '',
      '/',
      '/account',
      '/accounts/',
      '/Accounts',
      '/accounts//',
      '/health/x',
      '/accounts/x/y',
      '/../../login',
    ]) {
      expectRefusal(await operator.call('GET', path), 404, 'not_found');
    }
    expect((await operator.call('GET', '/accounts/%zz')).status).toBe(400);
  });
});

describe('a body', () => {
  const post = (body: unknown, headers = {}) => operator.call('POST', '/accounts', body, headers);

  it('has to be JSON in UTF-8', async () => {
    const good = '{"username":"typed.person"}';
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonx',
    ]) {
      expectRefusal(await post(good, { 'content-type': type }), 415, 'unsupported');
    }
    expectRefusal(await post(good, { 'content-encoding': 'gzip' }), 415, 'unsupported');
    const bad = [
      '{',
      '{"username":"x"',
      'null',
      '[]',
      '"x"',
      '1',
      `{"username":'x'}`,
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ];
    for (const body of bad) expectRefusal(await post(body), 400, 'bad_json');
    expect((await post(good, { 'content-type': 'application/json;charset="UTF-8"' })).status).toBe(201);
  });

  it('has at most 64 kB, with a Content-Length or without', async () => {
    const large = `{"username":"${'x'.repeat(100_000)}"}`;
    expectRefusal(await post(large), 413, 'too_large');
    expectRefusal(await post(large, { 'content-length': undefined, 'transfer-encoding': 'chunked' }), 413, 'too_large');
    expectRefusal(await post('x'.repeat(10_000_000)), 413, 'too_large');
  });

  it.each([
    [{}, 'missing', 'username'],
    [undefined, 'missing', 'username'],
    [{ username: 1 }, 'wrong_type', 'username'],
    [{ username: null }, 'wrong_type', 'username'],
    [{ username: true }, 'wrong_type', 'username'],
    [{ username: ['someone'] }, 'wrong_type', 'username'],
    [{ username: { toString: 'someone' } }, 'wrong_type', 'username'],
    [{ username: 'someone', password: ['geheim'] }, 'wrong_type', 'password'],
    [{ username: 'someone', email: ['a@example.org', 'b@example.org'] }, 'wrong_type', 'email'],
    [{ username: 'someone', email: null }, 'wrong_type', 'email'],
    [{ username: 'someone', email_verified: true }, 'unknown_member', 'email_verified'],
    [{ username: 'someone', status: 'disabled' }, 'unknown_member', 'status'],
    [{ username: 'someone', constructor: { prototype: { x: 1 } } }, 'unknown_member', 'constructor'],
    [{ username: 'someone', toString: 'x' }, 'unknown_member', 'toString'],
    ['{"username":"someone","__proto__":{"isAdmin":true}}', 'unknown_member', '__proto__'],
    [{ username: 'someone', ['n'.repeat(50_000)]: 1 }, 'unknown_member', `${'n'.repeat(40)}…`],
    [`{"username":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'wrong_type', 'username'],
  ])('has only valid members: %.60j', async (body, error, field) => {
    const answer = await post(body);
    expectRefusal(answer, 400, error);
    expect(answer.json['field']).toBe(field);
    expect(answer.text).not.toContain('geheim');
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect((await operator.call('GET', '/accounts?username=someone')).json).toEqual({ accounts: [] });
  });

  it('is refused by calls without input', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expectRefusal(await operator.call('DELETE', `/accounts/${id}/sessions`, {}), 400, 'unexpected_body');
    expectRefusal(await operator.call('GET', '/accounts', {}), 400, 'unexpected_body');
    expectRefusal(await operator.call('POST', `/accounts/${id}/disable`, { reason: 'x' }), 400, 'unknown_member');
    expectRefusal(await operator.call('POST', `/accounts/${id}/disable`, {}), 404, 'account_not_found');
  });
});

function raw(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.once('end', () => resolve(answer)).once('error', reject);
  });
}
