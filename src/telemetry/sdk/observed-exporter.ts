/** Reports once when a receiver stops accepting exports, and once when it accepts them again. */

/** The common part of the exporters of traces and metrics. */
export interface Sender<Batch> {
  export(batch: Batch, done: (result: { code: number; error?: Error }) => void): void;
}

export interface ExportState {
  signal: 'traces' | 'metrics';
  /** The receiver accepts exports. */
  isAccepting: boolean;
  /** A code or the name of an error, never text from the receiver. */
  reason?: string;
}

/** `ExportResultCode.SUCCESS` of OpenTelemetry. */
const SUCCESS = 0;

/** Changes the exporter in place, because the SDK uses more of it than `Sender` lists. */
export function observeExporter<Batch, Exporter extends Sender<Batch>>(
  exporter: Exporter,
  signal: ExportState['signal'],
  onChange: (state: ExportState) => void,
): Exporter {
  let isAccepting: boolean | undefined;
  const originalExport = exporter.export.bind(exporter);
  exporter.export = (batch, done) => {
    originalExport(batch, (result) => {
      const isNowAccepting = result.code === SUCCESS;
      if (isNowAccepting !== (isAccepting ?? true)) {
        onChange({ signal, isAccepting: isNowAccepting, ...(isNowAccepting ? {} : { reason: toReason(result.error) }) });
      }
      isAccepting = isNowAccepting;
      done(result);
    });
  };
  return exporter;
}

function toReason(error: Error | undefined): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : typeof name === 'string' ? name : 'unknown';
}
