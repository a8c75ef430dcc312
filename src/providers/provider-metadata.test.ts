import { describe, expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.js';
import { toDialect } from './dialects.js';
import { ProviderMetadata } from './provider-metadata.js';
import { ProviderUnavailable } from './provider.errors.js';

const ISSUER = 'https://id.musterwerk.example/realm';
const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: 'https://tokens.musterwerk.example/token',
  jwks_uri: `${ISSUER}/keys`,
};

function toMetadata(document: object, issuer = ISSUER): ProviderMetadata {
  return buildMetadata(
    async () => new Response(JSON.stringify(document), { headers: { 'content-type': 'application/json' } }),
    issuer,
  );
}

function buildMetadata(fetch: () => Promise<Response>, issuer = ISSUER, clock = new TestClock()): ProviderMetadata {
  const credential = { kind: 'secret', secret: 'x' } as const;
  const dialect = toDialect({ id: 'company', name: 'M', dialect: 'oidc', issuer, clientId: 'foyer', credential, scopes: [] });
  return new ProviderMetadata(dialect.metadata, fetch, clock);
}

/** A provider that answers, fails, or stays silent until `giveUp` is called. */
class SwitchedProvider {
  readonly clock = new TestClock();
  readonly metadata = buildMetadata(() => this.#answer(), ISSUER, this.clock);
  requests = 0;
  state: 'up' | 'down' | 'silent' = 'up';
  giveUp: () => void = () => undefined;

  async #answer(): Promise<Response> {
    this.requests += 1;
    if (this.state === 'up') return new Response(JSON.stringify(DOCUMENT), { headers: { 'content-type': 'application/json' } });
    if (this.state === 'silent') await new Promise<void>((resolve) => (this.giveUp = resolve));
    throw new ProviderUnavailable('no answer in time');
  }
}

describe('an outage of the metadata of a provider', () => {
  it('[PRV-4] fails all requests of the next seconds immediately, and ends soon after the provider answers again', async () => {
    const provider = new SwitchedProvider();
    provider.state = 'down';
    const [first, second] = [provider.metadata.get(), provider.metadata.get()];
    await expect(first).rejects.toThrow(ProviderUnavailable);
    await expect(second).rejects.toThrow(ProviderUnavailable);
    provider.state = 'silent';
    await expect(provider.metadata.get()).rejects.toThrow('no answer in time');
    expect(provider.requests).toBe(1);
    provider.state = 'up';
    provider.clock.advanceSeconds(14);
    await expect(provider.metadata.get()).rejects.toThrow(ProviderUnavailable);
    provider.clock.advanceSeconds(1);
    expect(await provider.metadata.get()).toMatchObject({ issuer: ISSUER });
    expect(provider.requests).toBe(2);
  });

  it('[PRV-4] lets only the first request wait if older metadata is available, which is used for a day', async () => {
    const provider = new SwitchedProvider();
    await provider.metadata.get();
    provider.clock.advanceSeconds(3600);
    provider.state = 'down';
    expect(await provider.metadata.get()).toMatchObject({ issuer: ISSUER });
    expect(await provider.metadata.get()).toMatchObject({ issuer: ISSUER });
    expect(provider.requests).toBe(2);
    provider.clock.advanceSeconds(60);
    provider.state = 'silent';
    expect(await provider.metadata.get()).toMatchObject({ issuer: ISSUER });
    expect(provider.requests).toBe(3);
    provider.giveUp();
    provider.clock.advanceSeconds(24 * 3600);
    provider.state = 'down';
    await expect(provider.metadata.get()).rejects.toThrow(ProviderUnavailable);
  });
});

describe('metadata of a provider', () => {
  it('may name endpoints on its own host and on other public hosts', async () => {
    expect(await toMetadata(DOCUMENT).get()).toMatchObject({ token_endpoint: 'https://tokens.musterwerk.example/token' });
    const localIssuer = 'http://localhost:8080/realm';
    const localDocument = {
      issuer: localIssuer,
      authorization_endpoint: `${localIssuer}/auth`,
      token_endpoint: `${localIssuer}/token`,
      jwks_uri: `${localIssuer}/keys`,
    };
    expect(await toMetadata(localDocument, localIssuer).get()).toMatchObject({ jwks_uri: `${localIssuer}/keys` });
  });

  it.each([
    'http://tokens.musterwerk.example/token',
    'http://id.musterwerk.example/token',
    'https://10.0.0.1/token',
    'https://169.254.169.254/latest',
    'https://2130706433/token',
    'https://0x7f.1/token',
    'https://[::1]/token',
    'https://[::ffff:10.0.0.1]/token',
    'https://localhost/token',
    'https://localhost./token',
    'https://printer/token',
    'https://printer.local/token',
    'https://metadata.google.internal/token',
    'https://METADATA.google.INTERNAL./token',
    'https://user:word@tokens.musterwerk.example/token',
    'https://user:word@id.musterwerk.example/token',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '/token',
    '',
    7,
    undefined,
  ])('may not name %j', async (address) => {
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      const result = toMetadata({ ...DOCUMENT, [name]: address }).get();
      await expect(result).rejects.toThrow(ProviderUnavailable);
      await expect(result).rejects.toThrow(name);
    }
  });

  it.each([`${ISSUER}/`, 'https://id.musterwerk.example', 'https://ID.musterwerk.example/realm', '', 7, undefined])(
    '[PRV-3] may not name another issuer, however similar: %j',
    async (issuer) => {
      await expect(toMetadata({ ...DOCUMENT, issuer }).get()).rejects.toThrow(ProviderUnavailable);
    },
  );

  it('[S-72] cannot enable weak signature algorithms', async () => {
    const readAlgorithms = async (names: unknown): Promise<unknown> =>
      (await toMetadata({ ...DOCUMENT, id_token_signing_alg_values_supported: names }).get())
        .id_token_signing_alg_values_supported;
    expect(await readAlgorithms(['none', 'HS256', 'ES256'])).toEqual(['ES256']);
    expect(await readAlgorithms(['none', 'HS256'])).toEqual(['RS256']);
    expect(await readAlgorithms('none')).toEqual(['RS256']);
    expect(await readAlgorithms(undefined)).toEqual(['RS256']);
  });
});
