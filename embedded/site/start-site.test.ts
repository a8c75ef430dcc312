import { request, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { html } from './html.js';
import { page, redirect, text } from './reply.js';
import { startSite, type Site } from './start-site.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

describe('an embedded site', () => {
  const failures: unknown[] = [];
  let site: Site;

  beforeAll(async () => {
    site = await startSite({
      host: 'localhost',
      port: 0,
      headers: { 'content-security-policy': "default-src 'none'" },
      onFailure: (error) => failures.push(error),
      routes: {
        'GET /': () => page(html`<p>${'<b>'}</p>`),
        'GET /thing/:id': ({ params }) => text(`thing ${params['id']}`),
        'POST /thing/:id': ({ body }) => text(body),
        'GET /away': () => redirect('/', ['a=1; Path=/', 'b=2; Path=/']),
        'GET /broken': () => {
          throw new Error('secret detail');
        },
      },
    });
  });

  afterAll(() => site.close());

  /** Uses node:http, because fetch does not allow setting `Host`. */
  const sendRequest = (method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(site.url);
      const outgoingRequest = request(
        { host: hostname, port, method, path, headers: { host: `localhost:${port}`, ...headers } },
        (answer) => {
          let content = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (content += chunk));
          answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content }));
        },
      );
      outgoingRequest.once('error', reject).end(body);
    });

  it('escapes untrusted text and sends its headers with every answer', async () => {
    const paths = ['/', '/nowhere', '/broken', '/away'];
    const answers = await Promise.all(paths.map((path) => sendRequest('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 500, 303]);
    expect(answers[0]?.body).toBe('<!doctype html><p>&lt;b&gt;</p>');
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe("default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect(answers[3]?.headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  });

  it('reports the cause of an unexpected error to onFailure and not to the browser', async () => {
    failures.length = 0;
    const { body } = await sendRequest('GET', '/broken');
    expect(body).not.toContain('secret detail');
    expect(failures).toEqual([new Error('secret detail')]);
  });

  it('answers HEAD without a body, and a wrong method with the allowed methods', async () => {
    expect(await sendRequest('HEAD', '/thing/7')).toMatchObject({ status: 200, body: '' });
    const refusedAnswer = await sendRequest('PUT', '/thing/7');
    expect(refusedAnswer.status).toBe(405);
    expect(refusedAnswer.headers.allow).toBe('GET, POST');
  });

  it('answers only loopback host names, so that DNS rebinding reveals nothing', async () => {
    expect((await sendRequest('GET', '/', { host: 'evil.example' })).status).toBe(421);
    expect((await sendRequest('GET', '/', { host: 'evil.example:80@localhost' })).status).toBe(421);
    expect((await sendRequest('GET', '/', { host: '127.0.0.1:1' })).status).toBe(200);
  });

  it('refuses forms that a page of another origin posts', async () => {
    const { host } = new URL(site.url);
    expect((await sendRequest('POST', '/thing/7', { origin: 'http://evil.example' }, 'x')).status).toBe(403);
    expect((await sendRequest('POST', '/thing/7', { origin: 'null' }, 'x')).status).toBe(403);
    expect((await sendRequest('POST', '/thing/7', { 'sec-fetch-site': 'same-site' }, 'x')).status).toBe(403);
    expect(
      await sendRequest('POST', '/thing/7', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, 'x'),
    ).toMatchObject({
      status: 200,
      body: 'x',
    });
    expect((await sendRequest('POST', '/thing/7', {}, 'x')).status).toBe(200);
  });

  it('refuses a body that is too large, and handles malformed paths', async () => {
    expect((await sendRequest('POST', '/thing/7', {}, 'x'.repeat(300_000))).status).toBe(413);
    expect((await sendRequest('GET', '//evil.example/')).status).toBe(404);
    expect((await sendRequest('GET', '/thing/%zz')).status).toBe(200);
  });
});
