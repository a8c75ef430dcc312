/** The HTTP interface of the two ports: health, version, methods, paths, headers. */
import { expect } from '@jest/globals';
import { exchange, expectStatus, toJson } from '../../../support/upstream-answer.js';
import { CAPABILITIES, hasCapability, type CapabilityName } from '../../../../src/hydra/versions.js';
import type { Rows } from '../rows.js';
import { beginLogin } from '../walk.js';

const NEVER_KEPT = 'private, no-cache, no-store, must-revalidate';
const LOGIN = '/admin/oauth2/auth/requests/login';

export function wireRows({ row, rowWith }: Rows): void {
  row('both ports report that they are alive and ready', async (scene) => {
    for (const url of [scene.upstream.publicUrl, scene.upstream.adminUrl]) {
      for (const path of ['/health/alive', '/health/ready']) {
        const answer = await exchange(`${url}${path}`);
        expect([path, answer.status, toJson(answer)]).toEqual([path, 200, { status: 'ok' }]);
      }
    }
  });

  row('the version is the one that selected these rows', async (scene) => {
    const { version } = toJson<{ version: string }>(expectStatus(await scene.admin.send('GET', '/version'), 200));
    expect(version).toEqual(expect.any(String));
    for (const capability of Object.keys(CAPABILITIES) as CapabilityName[]) {
      expect([capability, hasCapability(version, capability)]).toEqual([capability, scene.has(capability)]);
    }
  });

  row('unknown paths are answered with 404 on both ports', async (scene) => {
    for (const url of [scene.upstream.publicUrl, scene.upstream.adminUrl]) {
      for (const path of ['/nope', '/admin/nope', '/admin/oauth2/auth/requests/nope', '/oauth2/nope']) {
        expect([path, (await exchange(`${url}${path}`)).status]).toEqual([path, 404]);
      }
    }
  });

  row('the public port has no path of the admin API', async (scene) => {
    for (const path of ['/admin/clients', LOGIN, '/admin/oauth2/introspect', '/admin/oauth2/auth/sessions/login?subject=x']) {
      expect([path, (await exchange(`${scene.upstream.publicUrl}${path}`)).status]).toEqual([path, 404]);
    }
  });

  row('wrong methods are answered with 405', async (scene) => {
    const challenge = await beginLogin(scene, scene.browser());
    const wrong = [
      ['POST', LOGIN],
      ['GET', `${LOGIN}/accept`],
      ['POST', `${LOGIN}/accept`],
      ['POST', '/admin/oauth2/auth/requests/consent/reject'],
      ['GET', '/admin/oauth2/auth/requests/logout/accept'],
      ['GET', '/admin/oauth2/auth/sessions/login'],
      ['PUT', '/admin/clients'],
      ['POST', '/health/ready'],
    ] as const;
    for (const [method, path] of wrong) {
      const answer = await scene.admin.send(method, path, { query: { login_challenge: challenge } });
      expect([method, path, answer.status]).toEqual([method, path, 405]);
    }
    expect((await scene.admin.getLogin(challenge)).challenge).toBe(challenge);
    /** The public port answers 405 up to v2.3 and 404 since v25.4. */
    expect([404, 405]).toContain((await exchange(`${scene.upstream.publicUrl}/oauth2/token`)).status);
  });

  row('HEAD on health is answered since v25.4, and with 405 in older releases', async (scene) => {
    const answer = await scene.admin.send('HEAD', '/health/ready');
    expect(answer.status).toBe(scene.has('forgivingPaths') ? 200 : 405);
  });

  rowWith(['forgivingPaths'], 'a missing /admin is added and a trailing slash is accepted', async (scene) => {
    const challenge = await beginLogin(scene, scene.browser());
    for (const path of ['/oauth2/auth/requests/login', `${LOGIN}/`]) {
      const answer = await scene.admin.send('GET', path, { query: { login_challenge: challenge } });
      expect([path, answer.status, toJson<{ challenge: string }>(answer).challenge]).toEqual([path, 200, challenge]);
    }
  });

  rowWith(
    ['!forgivingPaths'],
    'before v25.4, a missing /admin is redirected to a broken address, and a trailing slash is redirected too',
    async (scene) => {
      const missing = await scene.admin.send('GET', '/oauth2/auth/requests/login', { query: { login_challenge: 'x' } });
      expect([missing.status, missing.headers.get('location')]).toEqual([
        307,
        'http:///admin/oauth2/auth/requests/login?login_challenge=x',
      ]);
      expect((await scene.admin.send('GET', `${LOGIN}/`)).status).toBe(301);
    },
  );

  row('answers of the admin API are not cached; releases before v25.4 say so for writing too', async (scene) => {
    const challenge = await beginLogin(scene, scene.browser());
    const onWrite = scene.has('cacheHeaderOnReadsOnly') ? null : NEVER_KEPT;
    const accepted = await scene.admin.request('login', 'accept', challenge, { body: { subject: 'anybody' } });
    const unknown = await scene.admin.request('login', 'accept', 'unknown', { body: { subject: 'anybody' } });
    const ended = await scene.admin.send('DELETE', '/admin/oauth2/auth/sessions/login?subject=nobody');
    expect([accepted, unknown, ended].map(({ headers }) => headers.get('cache-control'))).toEqual([onWrite, onWrite, onWrite]);
    const read = await scene.admin.request('login', '', 'unknown');
    expect([read.status, read.headers.get('cache-control'), read.headers.get('content-type')]).toEqual([
      404,
      NEVER_KEPT,
      'application/json',
    ]);
  });

  row('the short name `challenge` is accepted instead of the long one', async (scene) => {
    const challenge = await beginLogin(scene, scene.browser());
    const answer = await scene.admin.send('GET', LOGIN, { query: { challenge } });
    expect([answer.status, toJson<{ challenge: string }>(answer).challenge]).toEqual([200, challenge]);
    const accepted = await scene.admin.send('PUT', `${LOGIN}/accept`, { query: { challenge }, body: { subject: 'anybody' } });
    expect(accepted.status).toBe(200);
  });

  row('the content type of a body is ignored', async (scene) => {
    const challenge = await beginLogin(scene, scene.browser());
    const url = `${scene.upstream.adminUrl}${LOGIN}/accept?login_challenge=${encodeURIComponent(challenge)}`;
    const answer = await exchange(url, {
      method: 'PUT',
      body: '{"subject":"anybody"}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(200);
  });
}
