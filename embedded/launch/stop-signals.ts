/** Stops the process on a signal, or when the channel to its parent process closes. */
import type { EventEmitter } from 'node:events';

/** The members of `process` that `stopOnSignals` uses. */
export interface StopSource extends EventEmitter {
  exit(code: number): void;
  /** Present if a parent process holds a channel to this one. */
  connected?: boolean;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** One Ctrl+C may arrive several times: from the terminal and from each parent process that forwards it. */
const ONE_PRESS_MS = 500;

export interface StopOptions {
  source: StopSource;
  /** Stops everything cleanly; called once. */
  stop: () => Promise<void>;
  /** The process exits after this time in any case. Called when the stop begins. */
  deadlineMs: () => number;
  clockMs: () => number;
}

export function stopOnSignals({ source, stop, deadlineMs, clockMs }: StopOptions): void {
  let stoppedAtMs: number | null = null;
  const onSignal = (): void => {
    if (stoppedAtMs !== null) {
      if (clockMs() - stoppedAtMs > ONE_PRESS_MS) source.exit(1);
      return;
    }
    stoppedAtMs = clockMs();
    setTimeout(() => source.exit(1), deadlineMs()).unref();
    stop().then(
      () => source.exit(0),
      () => source.exit(1),
    );
  };
  for (const signal of SIGNALS) source.on(signal, onSignal);
  // Without this listener, the process would continue and hold its ports after its parent was killed.
  if (source.connected) source.on('disconnect', onSignal);
}
