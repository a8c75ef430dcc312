/**
 * The name that a metric has in Prometheus, whether it is scraped here or comes through a collector (OpenTelemetry
 * specification, "Prometheus and OpenMetrics Compatibility").
 */
import { INSTRUMENTS } from './catalogue.js';
import type { Instrument } from './catalogue.js';

export function prometheusName(name: keyof typeof INSTRUMENTS): string {
  const { kind, unit }: Instrument = INSTRUMENTS[name];
  const isCounter = kind === 'counter' || kind === 'observedCounter';
  return `${name}${unitSuffix(unit, kind === 'observed')}${isCounter ? '_total' : ''}`.replaceAll('.', '_');
}

/** What stands in braces is no unit. */
export function unitSuffix(unit: string, isGauge: boolean): string {
  if (unit === '1') return isGauge ? '_ratio' : '';
  return { s: '_seconds', By: '_bytes' }[unit] ?? '';
}
