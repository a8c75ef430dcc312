/** A configuration for tests: the product's defaults, no embedded parts, fast hashes. */
import type { Config } from '../../src/config/config.js';
import { loadConfig } from '../../src/config/load-config.js';

export function testConfig(change: (config: Config) => Partial<Config> = () => ({})): Config {
  const { console: _console, ...config } = loadConfig({ SECRETS_SYSTEM: 'a secret for the tests of this installation' }).config;
  const base: Config = {
    ...config,
    log: { level: 'silent' },
    hashing: { ...config.hashing, memoryKiB: 1024, iterations: 1 },
    http: { ...config.http, drainMs: 0 },
    // The demo's services may run beside the tests and do not belong to them.
    registration: { hintNames: [] },
    sources: [],
  };
  return { ...base, ...change(base) };
}
