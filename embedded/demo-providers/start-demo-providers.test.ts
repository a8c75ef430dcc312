import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProviderInstallation, toRedirectUri, type ProviderInstallation } from '../../test/support/provider-installation.js';

describe('the demo providers', () => {
  let installation: ProviderInstallation;

  beforeAll(async () => {
    installation = await startProviderInstallation();
  });
  afterAll(() => installation.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(installation.demoProviders.url + path, { headers, redirect: 'manual' });
  const applyChange = async (id: 'google' | 'apple' | 'company', change: Record<string, string | null>): Promise<Response> => {
    const url = new URL((await installation.begin(id)).url);
    for (const [name, value] of Object.entries(change)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    return get(url.pathname + url.search, { 'accept-language': 'de' });
  };

  it.each([
    [{ redirect_uri: 'https://attacker.example/callback' }, 'redirect_uri_mismatch'],
    [{ redirect_uri: `${toRedirectUri('google')}/` }, 'redirect_uri_mismatch'],
    [{ client_id: 'somebody' }, 'unknown_client'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
  ])('shows an error page instead of redirecting for a request with a fault: %j', async (change, code) => {
    const response = await applyChange('google', change);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(code);
  });

  it('applies the rules of Apple, of the company and of Google', async () => {
    const readQuery = (response: Response): URLSearchParams => new URL(response.headers.get('location') ?? '').searchParams;
    expect(readQuery(await applyChange('apple', { response_mode: null })).get('error')).toBe('invalid_request');
    expect(readQuery(await applyChange('company', { code_challenge: null })).get('error')).toBe('invalid_request');
    expect(readQuery(await applyChange('google', { scope: 'profile' })).get('error')).toBe('invalid_scope');
  });

  it('asks who the person is on a page without scripts, in the language of the app or of the browser', async () => {
    const germanPage = await applyChange('google', {});
    expect(await germanPage.text()).toContain('Mit Google anmelden');
    expect(germanPage.headers.get('content-security-policy')).not.toContain('script');
    expect(await (await applyChange('google', { hl: 'en' })).text()).toContain('Sign in with Google');
  });

  it("posts Apple's answer with a script allowed by its hash and with the referrer policy strict-origin", async () => {
    const html = await (await applyChange('apple', {})).text();
    const body = new URLSearchParams({ request: /name="request" value="([^"]+)"/.exec(html)?.[1] ?? '', person: 'maria' });
    const answer = await fetch(`${installation.demoProviders.url}/apple/choice`, { method: 'POST', body });
    const page = await answer.text();
    const script = /<script>([^<]+)<\/script>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(answer.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin');
    expect(page).toContain(`action="${toRedirectUri('apple')}"`);
  });

  it('shows the demo people, enables a fault by form, disables it by API and refuses an invalid call of the API', async () => {
    const overview = await (await get('/', { 'accept-language': 'de' })).text();
    expect(overview).toContain('Nora Neumann');
    expect(overview).toContain('108204268033311374519');
    const post = (path: string, body: string | URLSearchParams): Promise<Response> =>
      fetch(installation.demoProviders.url + path, { method: 'POST', body, redirect: 'manual' });
    expect((await post('/control', new URLSearchParams({ provider: 'google', fault: 'nonce' }))).status).toBe(303);
    expect(await (await get('/')).text()).toContain('<option value="nonce" selected>nonce</option>');
    expect((await post('/api/control', '{"provider":"google","fault":null}')).status).toBe(200);
    expect(await (await get('/')).text()).not.toContain('selected');
    expect((await post('/api/control', '{"provider":"github"}')).status).toBe(400);
    expect((await post('/api/control', '{')).status).toBe(400);
  });

  it('refuses an unknown fault or action by API, and then changes nothing', async () => {
    const control = async (body: object): Promise<number> => {
      const url = `${installation.demoProviders.url}/api/control`;
      return (await fetch(url, { method: 'POST', body: JSON.stringify({ provider: 'google', ...body }) })).status;
    };
    expect(await control({ fault: 'nonce' })).toBe(200);
    expect([await control({ fault: 'nounce' }), await control({ action: 'rol' })]).toEqual([400, 400]);
    expect(await (await get('/')).text()).toContain('<option value="nonce" selected>nonce</option>');
    expect(await control({ fault: null })).toBe(200);
  });

  it('offers the faults of userinfo and a missing iss only for providers that send them', async () => {
    const overview = await (await get('/')).text();
    const findProviders = (fault: string): string[] =>
      ['google', 'microsoft', 'apple', 'company'].filter((id) =>
        new RegExp(`<select id="fault-${id}"[^]*?</select>`).exec(overview)?.[0].includes(fault),
      );
    expect([findProviders('userinfo'), findProviders('iss-missing')]).toEqual([['company'], ['company']]);
  });

  it("accepts the secret of the company's client only if it is correct and in the header", async () => {
    const call = (body: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${installation.demoProviders.url}/company/token`, { method: 'POST', headers, body: new URLSearchParams(body) });
    const buildBasicHeader = (text: string): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(text).toString('base64')}`,
    });
    expect((await call({ client_id: 'foyer at/company', client_secret: 'of:company/+ä' })).status).toBe(401);
    expect((await call({}, buildBasicHeader('foyer+at%2Fcompany:wrong'))).status).toBe(401);
    const response = await call(
      { grant_type: 'authorization_code', code: 'x' },
      buildBasicHeader('foyer+at%2Fcompany:of%3Acompany%2F%2B%C3%A4'),
    );
    expect([response.status, await response.json()]).toEqual([400, { error: 'invalid_grant', error_description: 'Bad Request' }]);
  });
});
