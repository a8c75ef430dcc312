/**
 * Builds the name of a metric in Prometheus, either scraped here or sent through a collector (OpenTelemetry specification,
 * "Prometheus and OpenMetrics Compatibility").
 */
import { INSTRUMENTS, type Instrument } from './catalogue.js';

export function toPrometheusName(name: keyof typeof INSTRUMENTS): string {
  const { kind, unit }: Instrument = INSTRUMENTS[name];
  const isCounter = kind === 'counter' || kind === 'observedCounter';
  return `${name}${toUnitSuffix(unit, kind === 'observed')}${isCounter ? '_total' : ''}`.replaceAll('.', '_');
}

/** Text in braces is an annotation, not a unit. */
export function toUnitSuffix(unit: string, isGauge: boolean): string {
  if (unit === '1') return isGauge ? '_ratio' : '';
  return { s: '_seconds', By: '_bytes' }[unit] ?? '';
}
