import { describe, expect, it } from '@jest/globals';
import { startFoyer } from './index.js';
import type { StartOptions } from './installation.js';
import { requireKnownOptions } from './start-options.js';

describe('options of startFoyer', () => {
  it('are taken by their names', () => {
    expect(() => requireKnownOptions({})).not.toThrow();
    expect(() => requireKnownOptions({ settings: {}, providers: true })).not.toThrow();
    expect(() => requireKnownOptions({ mode: 'docker', mailboxImage: false })).not.toThrow();
  });

  it.each([
    [{ setings: {} }, 'mode embedded has no option setings; there are: mode, settings, providers'],
    [{ mode: 'docker', providers: true }, 'mode docker has no option providers'],
    [{ mode: 'embeded' }, 'no mode "embeded"; there are: embedded, docker, upstream'],
  ])('are refused by name before anything starts: %j', async (options, sentence) => {
    await expect(startFoyer(options as StartOptions)).rejects.toThrow(sentence);
  });
});
