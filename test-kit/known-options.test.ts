import { describe, expect, it } from '@jest/globals';
import { startFoyer } from './index.js';
import type { StartOptions } from './installation.js';
import { Clients } from './clients.js';
import { Foyer } from './foyer.js';
import { requireKnownStart } from './known-options.js';

describe('options of startFoyer', () => {
  it('are accepted if the mode has them', () => {
    expect(() => requireKnownStart({})).not.toThrow();
    expect(() => requireKnownStart({ settings: {}, providers: true })).not.toThrow();
    expect(() => requireKnownStart({ mode: 'docker', mailboxImage: false })).not.toThrow();
  });

  it.each([
    [{ setings: {} }, 'mode embedded has no option setings; the options are: mode, settings, providers'],
    [{ mode: 'docker', providers: true }, 'mode docker has no option providers'],
    [{ mode: 'embeded' }, 'no mode "embeded"; the modes are: embedded, docker, upstream'],
  ])('are refused before anything starts if the mode is unknown or does not have them: %j', async (options, sentence) => {
    await expect(startFoyer(options as StartOptions)).rejects.toThrow(sentence);
  });
});

describe('options of the other calls', () => {
  const unusedUrl = 'http://localhost:1';
  const foyer = new Foyer({
    mode: 'upstream',
    foyerUrl: unusedUrl,
    hydraPublicUrl: unusedUrl,
    hydraAdminUrl: unusedUrl,
    operatorUrl: unusedUrl,
    operatorToken: 'none',
    mailboxUrl: null,
    providersUrl: null,
    clock: null,
    stop: () => Promise.resolve(),
  });
  const person = { id: '', username: 'maria', password: '' };

  it.each<[string, () => unknown, string]>([
    [
      'registerClient',
      () => foyer.registerClient({ redirectUris: [], skipConsent: true } as never),
      'no option skipConsent; the options are: redirectUris',
    ],
    [
      'createPerson',
      () => foyer.createPerson({ username: 'maria', mail: 'x' } as never),
      'no option mail; the options are: username',
    ],
    ['loginAs', () => foyer.loginAs(person, unusedUrl, { code: '1' } as never), 'no option code; the options are: browser'],
    ['browser', () => foyer.browser({ locale: 'de' } as never), 'no option locale; the options are: stopAt'],
  ])('%s refuses an unknown option', async (call, act, sentence) => {
    await expect((async () => act())()).rejects.toThrow(`${call} has ${sentence}`);
  });

  it.each([['metadata'], ['skip_consent'], ['backchannel_logout_uri'], ['token_endpoint_auth_method']])(
    'registerClient refuses the client field %s in metadata',
    async (name) => {
      const clients = new Clients({ hydraAdminUrl: unusedUrl, hydraPublicUrl: unusedUrl });
      await expect(clients.register({ redirectUris: [], metadata: { [name]: {} } })).rejects.toThrow(`pass ${name} in "fields"`);
    },
  );
});
