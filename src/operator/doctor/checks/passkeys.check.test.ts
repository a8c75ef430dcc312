import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../../../test/support/test-config.js';
import type { Config } from '../../../config/config.js';
import { passkeyFindings } from './passkeys.check.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const SHOP = 'https://shop.example';

/** @param answer the response of the relying party's address; if absent, every request fails */
async function findings(passkeys: Partial<Config['passkeys']>, answer?: () => Response) {
  const requested: string[] = [];
  const request = (url: unknown) => {
    requested.push(String(url));
    return answer ? Promise.resolve(answer()) : Promise.reject(new Error('The address does not answer.'));
  };
  const config = { passkeys: { ...testConfig().passkeys, rpId: 'ok.example', ...passkeys } };
  const results = await passkeyFindings(config, request);
  return {
    requested,
    levels: results.map(({ level }) => level),
    text: results.map(({ what, fix = '' }) => `${what} ${fix}`).join(' '),
  };
}

const file =
  (origins: unknown, init: ResponseInit = { headers: JSON_TYPE }) =>
  () =>
    new Response(JSON.stringify({ origins }), init);

describe('the doctor about passkeys', () => {
  it('requests nothing if passkeys are off or no file is needed', async () => {
    expect(await findings({ mode: 'off', origins: [SHOP] })).toMatchObject({ requested: [], levels: ['ok'] });
    expect(await findings({ origins: [] })).toMatchObject({ requested: [], levels: ['ok'] });
    const subdomains = await findings({ origins: ['https://shop.ok.example', 'https://ok.example:8443'] });
    expect(subdomains).toMatchObject({ requested: [], levels: ['ok'], text: expect.stringContaining('ok.example') });
  });

  it('requests the file where browsers do: at the host of the relying party, on the default port', async () => {
    const result = await findings({ origins: [SHOP] }, file(['https://login.ok.example', SHOP]));
    expect(result).toMatchObject({ requested: ['https://ok.example/.well-known/webauthn'], levels: ['ok'] });
  });

  it.each<[string, () => Response, RegExp]>([
    ['another status', file([SHOP], { status: 404, headers: JSON_TYPE }), /answers with status 404/],
    ['another type', file([SHOP], { headers: { 'content-type': 'text/html' } }), /is not JSON/],
    ['another list', file(['https://other.example']), /does not name https:\/\/shop\.example/],
    ['a string instead of a list', file('https://shop.example'), /does not name/],
    ['invalid JSON', () => new Response('<html>', { headers: JSON_TYPE }), /does not name/],
  ])('reports %s and how to fix it', async (_, answer, pattern) => {
    const { levels, text } = await findings({ origins: [SHOP] }, answer);
    expect(levels).toEqual(['fault']);
    expect(text).toMatch(pattern);
    expect(text).toContain('at https://ok.example/.well-known/webauthn too');
  });

  it('reports a hint if the file cannot be reached, and counts the hosts of one domain once', async () => {
    expect(await findings({ origins: [SHOP] })).toMatchObject({ levels: ['hint'] });
    const origins = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.example`);
    expect((await findings({ origins }, file(origins))).levels).toEqual(['hint', 'ok']);
    const sameDomain = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.shop.example`);
    expect((await findings({ origins: sameDomain }, file(sameDomain))).levels).toEqual(['ok']);
  });
});
