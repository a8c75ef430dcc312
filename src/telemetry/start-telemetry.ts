/** Loads OpenTelemetry's SDK only if the settings enable telemetry. */
import type { Config } from '../config/config.js';
import type { ExportState } from './sdk/observed-exporter.js';
import { TELEMETRY_OFF, type Telemetry } from './telemetry.js';

/** @param onChange called when the receiver stops accepting exports, and when it accepts them again @param readTimeoutMs see `OpenTelemetry` */
export async function startTelemetry(
  settings: Config['telemetry'],
  onChange: (state: ExportState) => void,
  readTimeoutMs?: number,
): Promise<Telemetry> {
  if (!settings.otlp && !settings.prometheus) return TELEMETRY_OFF;
  const { OpenTelemetry } = await import('./sdk/open-telemetry.js');
  return new OpenTelemetry(settings, onChange, readTimeoutMs);
}
