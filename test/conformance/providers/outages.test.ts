import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId } from '../../../embedded/demo-providers/dialect.js';
import type { Endpoint, FaultName } from '../../../embedded/demo-providers/faults.js';
import { ProviderRefused, ProviderUnavailable } from '../../../src/providers/provider.errors.js';
import { chooseAtProvider, startProviderInstallation, type ProviderInstallation } from '../../support/provider-installation.js';

const HOUR = 3600;
const IMPATIENT_MS = 150;
/** Metadata that could not be loaded are not requested again for this time. */
const COOL_DOWN_SECONDS = 15;

/** Apple's metadata are never requested. */
function toEndpoints(id: DialectId): readonly Endpoint[] {
  return id === 'apple' ? ['token', 'keys'] : ['metadata', 'token', 'keys'];
}

/** One installation for all of these tests, because its providers make RSA keys. Adapters, which remember what they have fetched, are not shared. */
describe('a provider that fails', () => {
  let installation: ProviderInstallation;

  beforeAll(async () => {
    installation = await startProviderInstallation();
  });
  afterEach(() => {
    for (const id of DIALECT_IDS) installation.demoProviders.setFault(id, null);
  });
  afterAll(() => installation.close());

  const wire = ['status-500', 'broken-json', 'redirect', 'huge', 'slow'] as const;

  it.each(wire.flatMap((kind) => DIALECT_IDS.map((id) => [kind, id] as const)))(
    '[PRV-4] [R-25] "%s" at any endpoint of %s is an outage, and sign-ins work again afterwards',
    async (kind, id) => {
      const adapter = installation.adapter(undefined, kind === 'slow' ? IMPATIENT_MS : undefined);
      for (const endpoint of toEndpoints(id)) {
        installation.demoProviders.setFault(id, `${kind}-${endpoint}` satisfies FaultName);
        await expect(installation.signIn(id, 'maria', adapter)).rejects.toThrow(ProviderUnavailable);
        expect(installation.failures.at(-1)).toMatchObject({ provider: id, kind: 'ProviderUnavailable' });
        installation.demoProviders.setFault(id, null);
        installation.clock.advanceSeconds(COOL_DOWN_SECONDS);
      }
      const patient = installation.adapter();
      await expect(installation.signIn(id, 'maria', patient)).resolves.toMatchObject({ provider: id });
      expect(JSON.stringify(installation.failures)).not.toMatch(/eyJ|code=|state=|xxx/);
    },
  );

  it('[PRV-4] is reported as an outage when it cannot be reached, and does not affect other providers', async () => {
    const elsewhere = await startProviderInstallation();
    const adapter = installation.adapter((settings) =>
      settings.id === 'google' ? { ...settings, issuer: `${elsewhere.demoProviders.url}/google` } : settings,
    );
    await elsewhere.close();
    await expect(installation.begin('google', {}, adapter)).rejects.toThrow(ProviderUnavailable);
    expect(installation.failures.at(-1)?.message).toMatch(/ECONNREFUSED/);
    await expect(installation.signIn('company', 'maria', adapter)).resolves.toMatchObject({ provider: 'company' });
  });

  it.each<[FaultName, string]>([
    ['metadata-issuer', 'another issuer'],
    ['metadata-inner-address', 'token_endpoint'],
  ])('[S-70] with false metadata is refused: %s', async (fault, said) => {
    const adapter = installation.adapter();
    for (const id of DIALECT_IDS.filter((one) => toEndpoints(one).includes('metadata'))) {
      installation.demoProviders.setFault(id, fault);
      await expect(installation.begin(id, {}, adapter)).rejects.toThrow(ProviderUnavailable);
      expect(installation.failures.at(-1)?.message).toContain(said);
      installation.demoProviders.setFault(id, null);
      installation.clock.advanceSeconds(COOL_DOWN_SECONDS);
      await expect(installation.begin(id, {}, adapter)).resolves.toMatchObject({ transaction: { provider: id } });
    }
  });

  it('is not reported as unavailable when it refuses a code', async () => {
    const { url, transaction } = await installation.begin('google');
    const answer = await chooseAtProvider(url, 'maria');
    installation.clock.advanceSeconds(120);
    await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
  });
});

describe('requests to a provider', () => {
  let installation: ProviderInstallation;

  beforeEach(async () => {
    installation = await startProviderInstallation();
  });
  afterEach(() => installation.close());

  it('[R-25] is asked for metadata once an hour, once for all who wait, and old metadata serve while new ones are missing', async () => {
    await Promise.all([installation.begin('google'), installation.begin('google'), installation.begin('google')]);
    await installation.begin('google');
    expect(installation.demoProviders.calls('google', 'metadata')).toBe(1);
    installation.clock.advanceSeconds(HOUR + 1);
    installation.demoProviders.setFault('google', 'status-500-metadata');
    await expect(installation.signIn('google')).resolves.toMatchObject({ provider: 'google' });
    expect(installation.demoProviders.calls('google', 'metadata')).toBeGreaterThan(1);
    installation.clock.advanceSeconds(24 * HOUR);
    await expect(installation.begin('google')).rejects.toThrow(ProviderUnavailable);
  });

  it.each(DIALECT_IDS)('[R-25] %s: new keys are found, and requested at most once a minute', async (id) => {
    await installation.signIn(id);
    await installation.signIn(id);
    expect(installation.demoProviders.calls(id, 'keys')).toBe(1);
    installation.demoProviders.rollKeys(id);
    installation.clock.advanceSeconds(70);
    await expect(installation.signIn(id)).resolves.toMatchObject({ provider: id });
    expect(installation.demoProviders.calls(id, 'keys')).toBe(2);
    installation.demoProviders.setFault(id, 'unknown-kid');
    for (let again = 0; again < 3; again++) await expect(installation.signIn(id)).rejects.toThrow(ProviderRefused);
    expect(installation.demoProviders.calls(id, 'keys')).toBe(2);
  });
});
