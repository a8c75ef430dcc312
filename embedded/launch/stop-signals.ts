/** When the process has to end: a signal, or the parent that started it is gone. */
import type { EventEmitter } from 'node:events';

/** The part of `process` that is needed here. */
export interface StopSource extends EventEmitter {
  exit(code: number): void;
  /** Present when a parent holds a channel to this process. */
  connected?: boolean;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** One Ctrl+C reaches this process from the terminal and from every parent that passes it on. */
const ONE_PRESS_MS = 500;

export interface StopOptions {
  source: StopSource;
  /** Ends everything in good order; called once. */
  stop: () => Promise<void>;
  /** After so long the process ends as it stands. Asked when a stop begins. */
  deadlineMs: () => number;
  clockMs: () => number;
}

export function stopOnSignals({ source, stop, deadlineMs, clockMs }: StopOptions): void {
  let since: number | null = null;
  const onSignal = (): void => {
    if (since !== null) {
      if (clockMs() - since > ONE_PRESS_MS) source.exit(1);
      return;
    }
    since = clockMs();
    setTimeout(() => source.exit(1), deadlineMs()).unref();
    stop().then(
      () => source.exit(0),
      () => source.exit(1),
    );
  };
  for (const signal of SIGNALS) source.on(signal, onSignal);
  // Whoever started this process has died without a word: without this it would go on and hold its ports.
  if (source.connected) source.on('disconnect', onSignal);
}
