import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../../../test/support/test-config.js';
import type { Config } from '../../../config/config.js';
import { checkPasskeys } from './passkeys.check.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const SHOP = 'https://shop.example';

/** @param answer the response of the relying party's address; if absent, every request fails */
async function examine(passkeys: Partial<Config['passkeys']>, answer?: () => Response) {
  const requestedUrls: string[] = [];
  const request = (url: unknown) => {
    requestedUrls.push(String(url));
    return answer ? Promise.resolve(answer()) : Promise.reject(new Error('The address does not answer.'));
  };
  const config = { passkeys: { ...testConfig().passkeys, rpId: 'ok.example', ...passkeys } };
  const results = await checkPasskeys(config, request);
  return {
    requestedUrls,
    levels: results.map(({ level }) => level),
    text: results.map(({ what, fix = '' }) => `${what} ${fix}`).join(' '),
  };
}

const buildFile =
  (origins: unknown, init: ResponseInit = { headers: JSON_TYPE }) =>
  () =>
    new Response(JSON.stringify({ origins }), init);

describe('the doctor about passkeys', () => {
  it('requests nothing if passkeys are off or no file is needed', async () => {
    expect(await examine({ mode: 'off', origins: [SHOP] })).toMatchObject({ requestedUrls: [], levels: ['ok'] });
    expect(await examine({ origins: [] })).toMatchObject({ requestedUrls: [], levels: ['ok'] });
    const subdomains = await examine({ origins: ['https://shop.ok.example', 'https://ok.example:8443'] });
    expect(subdomains).toMatchObject({ requestedUrls: [], levels: ['ok'], text: expect.stringContaining('ok.example') });
  });

  it('requests the file where browsers do: at the host of the relying party, on the default port', async () => {
    const result = await examine({ origins: [SHOP] }, buildFile(['https://login.ok.example', SHOP]));
    expect(result).toMatchObject({ requestedUrls: ['https://ok.example/.well-known/webauthn'], levels: ['ok'] });
  });

  it.each<[string, () => Response, RegExp]>([
    ['another status', buildFile([SHOP], { status: 404, headers: JSON_TYPE }), /answers with status 404/],
    ['another type', buildFile([SHOP], { headers: { 'content-type': 'text/html' } }), /is not JSON/],
    ['another list', buildFile(['https://other.example']), /does not name https:\/\/shop\.example/],
    ['a string instead of a list', buildFile('https://shop.example'), /does not name/],
    ['invalid JSON', () => new Response('<html>', { headers: JSON_TYPE }), /does not name/],
  ])('reports %s and how to fix it', async (_, answer, pattern) => {
    const { levels, text } = await examine({ origins: [SHOP] }, answer);
    expect(levels).toEqual(['fault']);
    expect(text).toMatch(pattern);
    expect(text).toContain('at https://ok.example/.well-known/webauthn too');
  });

  it('gives a hint if the file cannot be reached or there are too many domains, and counts the hosts of one domain once', async () => {
    expect(await examine({ origins: [SHOP] })).toMatchObject({ levels: ['hint'] });
    const origins = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.example`);
    expect((await examine({ origins }, buildFile(origins))).levels).toEqual(['hint', 'ok']);
    const sameDomain = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.shop.example`);
    expect((await examine({ origins: sameDomain }, buildFile(sameDomain))).levels).toEqual(['ok']);
  });
});
