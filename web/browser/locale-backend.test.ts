import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createInstance } from 'i18next';
import { I18N_OPTIONS } from '../i18n/options.js';
import { hasPhrases, localeBackend, type PhraseLoaders } from './locale-backend.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function start(loaders: PhraseLoaders) {
  const i18n = createInstance().use(localeBackend(loaders));
  const ready = i18n.init({ ...I18N_OPTIONS, lng: 'de', ns: 'login', defaultNS: 'login' });
  return { i18n, ready };
}

/** Times of the reads, in milliseconds after the first. */
function failTimes(times: number) {
  const reads: number[] = [];
  const load = () => {
    reads.push(Date.now());
    if (reads.length <= times) return Promise.reject(new Error('offline'));
    return Promise.resolve({ default: { 'login.submit': 'Anmelden' } });
  };
  return { load, waits: () => reads.slice(1).map((at, index) => at - (reads[index] ?? 0)) };
}

describe('the backend of the locales', () => {
  it('[I18-4] reads the phrases of one page from its chunk', async () => {
    const { i18n, ready } = start({ de: failTimes(0).load });
    await ready;
    expect(i18n.t('login.submit')).toBe('Anmelden');
  });

  it('[I18-4] tries five times more, first after 350 ms, then after twice as long each time', async () => {
    const { load, waits } = failTimes(5);
    const { i18n, ready } = start({ de: load });
    await jest.advanceTimersByTimeAsync(20_000);
    await ready;
    expect(waits()).toEqual([350, 700, 1_400, 2_800, 5_600]);
    expect(hasPhrases(i18n, 'de', 'login')).toBe(true);
  });

  it('[I18-4] gives up after that, and says that there are no phrases', async () => {
    const { load, waits } = failTimes(100);
    const { i18n, ready } = start({ de: load });
    await jest.advanceTimersByTimeAsync(60_000);
    await ready;
    expect(waits()).toHaveLength(5);
    expect(hasPhrases(i18n, 'de', 'login')).toBe(false);
  });

  it('[I18-4] does not try again for what does not exist', async () => {
    const { i18n, ready } = start({});
    await ready;
    expect(hasPhrases(i18n, 'de', 'login')).toBe(false);
  });

  it('[I18-4] reads at most ten at a time', async () => {
    const waiting: ((phrases: { default: Record<string, string> }) => void)[] = [];
    const names = Array.from({ length: 14 }, (_, index) => `page${index}`);
    const load = () => new Promise<{ default: Record<string, string> }>((resolve) => waiting.push(resolve));
    const i18n = createInstance().use(localeBackend({ de: load }));
    const ready = i18n.init({ ...I18N_OPTIONS, lng: 'de', ns: names });
    expect(waiting).toHaveLength(10);
    waiting[0]?.({ default: {} });
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting).toHaveLength(11);
    for (let next = 1; next < names.length; next += 1) {
      waiting[next]?.({ default: {} });
      await jest.advanceTimersByTimeAsync(0);
    }
    await ready;
  });
});
