import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId } from '../../../embedded/demo-providers/dialect.js';
import type { FaultName } from '../../../embedded/demo-providers/faults.js';
import { ProviderRefused } from '../../../src/providers/provider.errors.js';
import { chooseAtProvider, startProviderInstallation, type ProviderInstallation } from '../../support/provider-installation.js';

const FORGED: readonly FaultName[] = [
  'nonce',
  'no-nonce',
  'issuer',
  'audience',
  'two-audiences',
  'azp',
  'expired',
  'issued-in-future',
  'no-subject',
  'subject-number',
  'subject-long',
  'at-hash',
  'auth-time-in-future',
  'alg-none',
  'alg-hs256',
  'no-signature',
  'unknown-kid',
  'foreign-key',
  'embedded-key',
  'no-id-token',
];

describe('a forged response of a provider', () => {
  let installation: ProviderInstallation;

  beforeAll(async () => {
    installation = await startProviderInstallation();
  });
  afterAll(() => installation.close());
  afterEach(() => {
    for (const id of DIALECT_IDS) installation.demoProviders.setFault(id, null);
    installation.failures.length = 0;
  });

  const everywhere = DIALECT_IDS.flatMap((id) => FORGED.map((fault) => [id, fault] as const));

  it.each(everywhere)('[PRV-3] [S-72] %s: an ID token with the fault "%s" is refused', async (id, fault) => {
    installation.demoProviders.setFault(id, fault);
    await expect(installation.signIn(id)).rejects.toThrow(ProviderRefused);
    expect(installation.failures).toEqual([expect.objectContaining({ provider: id, kind: 'ProviderRefused' })]);
    expect(installation.failures[0]!.message).not.toMatch(/eyJ|another-client|maria|musterfrau/i);
    installation.demoProviders.setFault(id, null);
    await expect(installation.signIn(id)).resolves.toMatchObject({ provider: id });
  });

  it.each(['alg-none', 'alg-hs256'] as const)(
    '[S-70] [S-72] metadata that allow "%s" do not make such a token valid',
    async (fault) => {
      for (const id of DIALECT_IDS) {
        const weakened = installation.adapter();
        installation.demoProviders.setFault(id, 'metadata-weak');
        const { url, transaction } = await installation.begin(id, {}, weakened);
        expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
        installation.demoProviders.setFault(id, fault);
        await expect(weakened.finish(transaction, await chooseAtProvider(url, 'maria'))).rejects.toThrow(ProviderRefused);
        installation.demoProviders.setFault(id, null);
      }
    },
  );

  it.each(DIALECT_IDS)('[S-69] %s: a missing, changed or foreign state is refused without a call to the provider', async (id) => {
    const before = installation.demoProviders.calls(id, 'token');
    for (const fault of ['state-dropped', 'state-changed'] as const) {
      installation.demoProviders.setFault(id, fault);
      await expect(installation.signIn(id)).rejects.toThrow(ProviderRefused);
    }
    installation.demoProviders.setFault(id, null);
    const { url, transaction } = await installation.begin(id);
    const answer = await chooseAtProvider(url, 'maria');
    await expect(installation.providers.finish({ ...transaction, state: 'x'.repeat(43) }, answer)).rejects.toThrow(
      ProviderRefused,
    );
    const twice = new URLSearchParams(answer);
    twice.append('state', transaction.state);
    await expect(installation.providers.finish(transaction, twice)).rejects.toThrow(ProviderRefused);
    expect(installation.demoProviders.calls(id, 'token')).toBe(before);
  });

  it.each(DIALECT_IDS)('[S-69] [S-70] %s: a code works once, and only with the verifier of its own transaction', async (id) => {
    const { url, transaction } = await installation.begin(id);
    const answer = await chooseAtProvider(url, 'maria');
    await expect(installation.providers.finish(transaction, answer)).resolves.toMatchObject({ provider: id });
    await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(/invalid_grant/);
    const theirs = await installation.begin(id);
    const stolen = await chooseAtProvider(theirs.url, 'maria');
    await expect(installation.providers.finish(transaction, stolen)).rejects.toThrow(ProviderRefused);
  });

  it.each(['iss-foreign', 'iss-missing'] as const)(
    '[S-69] a response that could come from another provider is refused: %s (RFC 9207)',
    async (fault) => {
      const before = installation.demoProviders.calls('company', 'token');
      installation.demoProviders.setFault('company', fault);
      await expect(installation.signIn('company')).rejects.toThrow(ProviderRefused);
      expect(installation.demoProviders.calls('company', 'token')).toBe(before);
    },
  );

  it.each(DIALECT_IDS)(
    '[S-69] %s: a response that names another issuer is refused, even if the provider never names one',
    async (id) => {
      const { url, transaction } = await installation.begin(id);
      const answer = await chooseAtProvider(url, 'maria');
      answer.set('iss', 'https://stranger.example');
      await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
    },
  );

  it('[S-69] a response of one provider is refused in the transaction of another', async () => {
    const { transaction } = await installation.begin('google');
    const elsewhere = await installation.begin('company');
    const answer = await chooseAtProvider(elsewhere.url, 'maria');
    await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
  });

  it.each<[DialectId, string]>(DIALECT_IDS.map((id) => [id, id]))(
    '[S-73c] %s: the error text of a provider is not logged',
    async (id) => {
      installation.demoProviders.setFault(id, 'error-text');
      await expect(installation.signIn(id)).rejects.toThrow(ProviderRefused);
      expect(JSON.stringify(installation.failures)).not.toMatch(/script|xxxx|javascript/);
    },
  );

  it('[S-73c] a response of one megabyte is refused without a call to the provider', async () => {
    const { transaction } = await installation.begin('google');
    const answer = new URLSearchParams({ state: transaction.state, code: 'x'.repeat(1_000_000) });
    const before = installation.demoProviders.calls('google', 'token');
    await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
    expect(installation.demoProviders.calls('google', 'token')).toBe(before);
  });
});
