import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { importProvider } from './quiet-import.js';

describe('importProvider', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('suppresses only notices of the library, and only while it loads', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue(undefined);
    const libraryImport = importProvider();
    console.warn('oidc-provider WARNING: for deployers');
    console.warn('\u001b[31;1moidc-provider NOTICE: in colour\u001b[0m');
    console.warn('something else', 1);
    const { Provider } = await libraryImport;
    console.warn('oidc-provider WARNING: later');

    expect(warn.mock.calls).toEqual([['something else', 1], ['oidc-provider WARNING: later']]);
    expect(typeof Provider).toBe('function');
  });
});
