import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createInstance } from 'i18next';
import { I18N_OPTIONS } from '../i18n/options.js';
import { hasPhrases, createLocaleBackend, type PhraseLoaders } from './locale-backend.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function start(loaders: PhraseLoaders) {
  const i18n = createInstance().use(createLocaleBackend(loaders));
  const initialization = i18n.init({ ...I18N_OPTIONS, lng: 'de', ns: 'login', defaultNS: 'login' });
  return { i18n, initialization };
}

/** Creates a loader that fails this many times. `listWaits` returns the milliseconds between the reads. */
function createFailingLoader(times: number) {
  const reads: number[] = [];
  const load = () => {
    reads.push(Date.now());
    if (reads.length <= times) return Promise.reject(new Error('offline'));
    return Promise.resolve({ default: { 'login.submit': 'Anmelden' } });
  };
  return { load, listWaits: () => reads.slice(1).map((at, index) => at - (reads[index] ?? 0)) };
}

describe('the backend of the locales', () => {
  it('[I18-4] reads the phrases of one page from its chunk', async () => {
    const { i18n, initialization } = start({ de: createFailingLoader(0).load });
    await initialization;
    expect(i18n.t('login.submit')).toBe('Anmelden');
  });

  it('[I18-4] tries five more times, first after 350 ms, then after twice as long each time', async () => {
    const { load, listWaits } = createFailingLoader(5);
    const { i18n, initialization } = start({ de: load });
    await jest.advanceTimersByTimeAsync(20_000);
    await initialization;
    expect(listWaits()).toEqual([350, 700, 1_400, 2_800, 5_600]);
    expect(hasPhrases(i18n, 'de', 'login')).toBe(true);
  });

  it('[I18-4] gives up after five more attempts, and has no phrases', async () => {
    const { load, listWaits } = createFailingLoader(100);
    const { i18n, initialization } = start({ de: load });
    await jest.advanceTimersByTimeAsync(60_000);
    await initialization;
    expect(listWaits()).toHaveLength(5);
    expect(hasPhrases(i18n, 'de', 'login')).toBe(false);
  });

  it('[I18-4] does not try again for a language that does not exist', async () => {
    const { i18n, initialization } = start({});
    await initialization;
    expect(hasPhrases(i18n, 'de', 'login')).toBe(false);
  });

  it('[I18-4] reads at most ten files at a time', async () => {
    const pendingReads: ((phrases: { default: Record<string, string> }) => void)[] = [];
    const names = Array.from({ length: 14 }, (_, index) => `page${index}`);
    const load = () => new Promise<{ default: Record<string, string> }>((resolve) => pendingReads.push(resolve));
    const i18n = createInstance().use(createLocaleBackend({ de: load }));
    const initialization = i18n.init({ ...I18N_OPTIONS, lng: 'de', ns: names });
    expect(pendingReads).toHaveLength(10);
    pendingReads[0]?.({ default: {} });
    await jest.advanceTimersByTimeAsync(0);
    expect(pendingReads).toHaveLength(11);
    for (let index = 1; index < names.length; index += 1) {
      pendingReads[index]?.({ default: {} });
      await jest.advanceTimersByTimeAsync(0);
    }
    await initialization;
  });
});
