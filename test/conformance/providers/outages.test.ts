import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId } from '../../../embedded/provider-stand-in/dialect.js';
import type { Endpoint, FaultName } from '../../../embedded/provider-stand-in/faults.js';
import { ProviderRefused, ProviderUnavailable } from '../../../src/providers/provider.errors.js';
import { chooseAtProvider, startProviderInstallation, type ProviderInstallation } from '../../support/provider-installation.js';

const HOUR = 3600;
const IMPATIENT_MS = 150;
/** So long nobody asks again for metadata that did not come. */
const COOL_DOWN_SECONDS = 15;

/** Apple's metadata are never asked for. */
function toEndpoints(id: DialectId): readonly Endpoint[] {
  return id === 'apple' ? ['token', 'keys'] : ['metadata', 'token', 'keys'];
}

describe('a provider that fails', () => {
  let at: ProviderInstallation;

  beforeEach(async () => {
    at = await startProviderInstallation();
  });
  afterEach(() => at.close());

  const wire = ['status-500', 'broken-json', 'redirect', 'huge', 'slow'] as const;

  it.each(wire.flatMap((kind) => DIALECT_IDS.map((id) => [kind, id] as const)))(
    '[PRV-4] [R-25] "%s" at any endpoint of %s is an outage, and over when it is over',
    async (kind, id) => {
      const adapter = at.adapter(undefined, kind === 'slow' ? IMPATIENT_MS : undefined);
      for (const endpoint of toEndpoints(id)) {
        at.standIn.setFault(id, `${kind}-${endpoint}` satisfies FaultName);
        await expect(at.signIn(id, 'maria', adapter)).rejects.toThrow(ProviderUnavailable);
        expect(at.failures.at(-1)).toMatchObject({ provider: id, kind: 'ProviderUnavailable' });
        at.standIn.setFault(id, null);
        at.clock.advanceSeconds(COOL_DOWN_SECONDS);
      }
      const patient = at.adapter();
      await expect(at.signIn(id, 'maria', patient)).resolves.toMatchObject({ provider: id });
      expect(JSON.stringify(at.failures)).not.toMatch(/eyJ|code=|state=|xxx/);
    },
  );

  it('[PRV-4] that is not there at all is an outage, for itself alone', async () => {
    const elsewhere = await startProviderInstallation();
    const adapter = at.adapter((settings) =>
      settings.id === 'google' ? { ...settings, issuer: `${elsewhere.standIn.url}/google` } : settings,
    );
    await elsewhere.close();
    await expect(at.begin('google', {}, adapter)).rejects.toThrow(ProviderUnavailable);
    expect(at.failures[0]?.message).toMatch(/ECONNREFUSED/);
    await expect(at.signIn('company', 'maria', adapter)).resolves.toMatchObject({ provider: 'company' });
  });

  it.each<[FaultName, string]>([
    ['metadata-issuer', 'another issuer'],
    ['metadata-inner-address', 'token_endpoint'],
  ])('[S-70] metadata that lie are not used: %s', async (fault, said) => {
    for (const id of DIALECT_IDS.filter((one) => toEndpoints(one).includes('metadata'))) {
      at.standIn.setFault(id, fault);
      await expect(at.begin(id)).rejects.toThrow(ProviderUnavailable);
      expect(at.failures.at(-1)?.message).toContain(said);
      at.standIn.setFault(id, null);
      at.clock.advanceSeconds(COOL_DOWN_SECONDS);
      await expect(at.begin(id)).resolves.toMatchObject({ transaction: { provider: id } });
    }
  });

  it('[R-25] metadata are asked for once an hour, once for all who wait, and old ones serve while they cannot be had', async () => {
    await Promise.all([at.begin('google'), at.begin('google'), at.begin('google')]);
    await at.begin('google');
    expect(at.standIn.calls('google', 'metadata')).toBe(1);
    at.clock.advanceSeconds(HOUR + 1);
    at.standIn.setFault('google', 'status-500-metadata');
    await expect(at.signIn('google')).resolves.toMatchObject({ provider: 'google' });
    expect(at.standIn.calls('google', 'metadata')).toBeGreaterThan(1);
    at.clock.advanceSeconds(24 * HOUR);
    await expect(at.begin('google')).rejects.toThrow(ProviderUnavailable);
  });

  it.each(DIALECT_IDS)('[R-25] %s: keys that were changed are found, and asked for once a minute at most', async (id) => {
    await at.signIn(id);
    await at.signIn(id);
    expect(at.standIn.calls(id, 'keys')).toBe(1);
    at.standIn.rollKeys(id);
    at.clock.advanceSeconds(70);
    await expect(at.signIn(id)).resolves.toMatchObject({ provider: id });
    expect(at.standIn.calls(id, 'keys')).toBe(2);
    at.standIn.setFault(id, 'unknown-kid');
    for (let again = 0; again < 3; again++) await expect(at.signIn(id)).rejects.toThrow(ProviderRefused);
    expect(at.standIn.calls(id, 'keys')).toBe(2);
  });

  it('the refusal of a code is the end of that sign-in, not an outage', async () => {
    const { url, transaction } = await at.begin('google');
    const answer = await chooseAtProvider(url, 'maria');
    at.clock.advanceSeconds(120);
    await expect(at.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
  });
});
