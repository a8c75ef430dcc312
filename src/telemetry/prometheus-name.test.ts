import { describe, expect, it } from '@jest/globals';
import { INSTRUMENTS } from './catalogue.js';
import { prometheusName, unitSuffix } from './prometheus-name.js';

describe('a name in Prometheus', () => {
  it('ends in the unit, and in total where it only grows', () => {
    expect(prometheusName('http.server.request.duration')).toBe('http_server_request_duration_seconds');
    expect(prometheusName('foyer.login.attempts')).toBe('foyer_login_attempts_total');
    expect(prometheusName('process.cpu.time')).toBe('process_cpu_time_seconds_total');
    expect(prometheusName('process.memory.usage')).toBe('process_memory_usage_bytes');
    expect(prometheusName('foyer.part.ready')).toBe('foyer_part_ready_ratio');
    expect(prometheusName('foyer.hash.waiting')).toBe('foyer_hash_waiting');
  });

  it('is a share only where it is read and not added up', () => {
    expect([unitSuffix('1', true), unitSuffix('1', false), unitSuffix('{mail}', true)]).toEqual(['_ratio', '', '']);
  });

  it('belongs to one instrument', () => {
    const names = Object.keys(INSTRUMENTS).map((name) => prometheusName(name as keyof typeof INSTRUMENTS));
    expect(new Set(names).size).toBe(names.length);
  });
});
