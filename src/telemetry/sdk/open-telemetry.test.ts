import { afterEach, describe, expect, it } from '@jest/globals';
import { OpenTelemetry, type TelemetrySettings } from './open-telemetry.js';

const SCRAPE_SETTINGS: TelemetrySettings = { serviceName: 'foyer', resource: {}, prometheus: {} };

const TIME_LIMIT_MS = 60_000;

let telemetry: OpenTelemetry;

const open = (): OpenTelemetry => (telemetry = new OpenTelemetry(SCRAPE_SETTINGS, () => undefined, TIME_LIMIT_MS));
afterEach(() => telemetry.stop());

/** Passes a value that only untyped code can pass. */
const toNever = (value: unknown): never => value as never;

describe('a counted event', () => {
  it('has the attributes of the catalogue and no others', async () => {
    open().count('foyer.factor.attempts', toNever({ 'foyer.factor': 'totp', 'foyer.factor.result': 'proven', username: 'anna' }));
    const text = await telemetry.scrape();
    expect(text).toContain('foyer_factor_attempts_total{foyer_factor="totp",foyer_factor_result="proven"} 1');
    expect(text).not.toContain('anna');
  });

  it('has no attribute value outside a closed set', async () => {
    open().count('foyer.factor.attempts', toNever({ 'foyer.factor': 'totp', 'foyer.factor.result': 'anna' }));
    expect(await telemetry.scrape()).toContain('{foyer_factor="totp",foyer_factor_result="_OTHER"} 1');
  });

  it('creates no more series than the limit', async () => {
    open();
    for (let count = 0; count < 3000; count++) telemetry.count('foyer.limits.reached', { 'foyer.limit': `limit-${count}` });
    const lines = (await telemetry.scrape())?.match(/^foyer_limits_reached_total\{/gm) ?? [];
    expect(lines).toHaveLength(1000);
  });
});

describe('a counter', () => {
  it('exists before its first event if all attribute values are known', async () => {
    const text = (await open().scrape()) ?? '';
    expect(text).toContain('foyer_hash_refused_total 0');
    expect(text.match(/^foyer_proof_attempts_total\{.* 0$/gm)).toHaveLength(5);
    expect(text).not.toContain('foyer_login_attempts_total{');
  });
});

describe('telemetry without a receiver for traces', () => {
  it('traces nothing, and runs work as usual', async () => {
    open();
    expect(
      await telemetry.runInSpan({ span: 'mail', name: 'mail send', begins: true }, () =>
        Promise.resolve(telemetry.getTraceIds()),
      ),
    ).toEqual({});
    expect(telemetry.buildTraceHeaders()).toEqual({});
    await expect(telemetry.runInSpan({ span: 'mail', name: 'x' }, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });
});
