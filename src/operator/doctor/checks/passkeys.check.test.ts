import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../../../test/support/test-config.js';
import type { Config } from '../../../config/config.js';
import { passkeyFindings } from './passkeys.check.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const SHOP = 'https://shop.example';

/** @param answer of the relying party's address; absent: nobody may be asked */
async function findings(passkeys: Partial<Config['passkeys']>, answer?: () => Response) {
  const asked: string[] = [];
  const ask = (url: unknown) => {
    asked.push(String(url));
    return answer ? Promise.resolve(answer()) : Promise.reject(new Error('Nobody is asked.'));
  };
  const config = { passkeys: { ...testConfig().passkeys, rpId: 'ok.example', ...passkeys } };
  const found = await passkeyFindings(config, ask);
  return { asked, levels: found.map(({ level }) => level), text: found.map(({ what, fix = '' }) => `${what} ${fix}`).join(' ') };
}

const file =
  (origins: unknown, init: ResponseInit = { headers: JSON_TYPE }) =>
  () =>
    new Response(JSON.stringify({ origins }), init);

describe('the doctor about passkeys', () => {
  it('asks nobody where there are none, or where no file is needed', async () => {
    expect(await findings({ mode: 'off', origins: [SHOP] })).toMatchObject({ asked: [], levels: ['ok'] });
    expect(await findings({ origins: [] })).toMatchObject({ asked: [], levels: ['ok'] });
    const below = await findings({ origins: ['https://shop.ok.example', 'https://ok.example:8443'] });
    expect(below).toMatchObject({ asked: [], levels: ['ok'], text: expect.stringContaining('ok.example') });
  });

  it('looks where browsers look: at the relying party, at its usual port', async () => {
    const found = await findings({ origins: [SHOP] }, file(['https://login.ok.example', SHOP]));
    expect(found).toMatchObject({ asked: ['https://ok.example/.well-known/webauthn'], levels: ['ok'] });
  });

  it.each<[string, () => Response, RegExp]>([
    ['another status', file([SHOP], { status: 404, headers: JSON_TYPE }), /answers with status 404/],
    ['another type', file([SHOP], { headers: { 'content-type': 'text/html' } }), /is not JSON/],
    ['another list', file(['https://other.example']), /does not name https:\/\/shop\.example/],
    ['no list', file('https://shop.example'), /does not name/],
    ['no JSON', () => new Response('<html>', { headers: JSON_TYPE }), /does not name/],
  ])('finds %s, and says what to do', async (_, answer, pattern) => {
    const { levels, text } = await findings({ origins: [SHOP] }, answer);
    expect(levels).toEqual(['fault']);
    expect(text).toMatch(pattern);
    expect(text).toContain('at https://ok.example/.well-known/webauthn too');
  });

  it('may not reach it itself, and counts names as browsers do', async () => {
    expect(await findings({ origins: [SHOP] })).toMatchObject({ levels: ['hint'] });
    const origins = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.example`);
    expect((await findings({ origins }, file(origins))).levels).toEqual(['hint', 'ok']);
    const one = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.shop.example`);
    expect((await findings({ origins: one }, file(one))).levels).toEqual(['ok']);
  });
});
