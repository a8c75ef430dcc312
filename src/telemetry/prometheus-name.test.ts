import { describe, expect, it } from '@jest/globals';
import { INSTRUMENTS } from './catalogue.js';
import { toPrometheusName, toUnitSuffix } from './prometheus-name.js';

describe('a name in Prometheus', () => {
  it('ends with the unit, and with total for a counter', () => {
    expect(toPrometheusName('http.server.request.duration')).toBe('http_server_request_duration_seconds');
    expect(toPrometheusName('foyer.login.attempts')).toBe('foyer_login_attempts_total');
    expect(toPrometheusName('process.cpu.time')).toBe('process_cpu_time_seconds_total');
    expect(toPrometheusName('process.memory.usage')).toBe('process_memory_usage_bytes');
    expect(toPrometheusName('foyer.part.ready')).toBe('foyer_part_ready_ratio');
    expect(toPrometheusName('foyer.hash.waiting')).toBe('foyer_hash_waiting');
  });

  it('ends with ratio only for a gauge', () => {
    expect([toUnitSuffix('1', true), toUnitSuffix('1', false), toUnitSuffix('{mail}', true)]).toEqual(['_ratio', '', '']);
  });

  it('is unique to one instrument', () => {
    const names = Object.keys(INSTRUMENTS).map((name) => toPrometheusName(name as keyof typeof INSTRUMENTS));
    expect(new Set(names).size).toBe(names.length);
  });
});
