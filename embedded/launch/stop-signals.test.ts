import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { stopOnSignals, type StopSource } from './stop-signals.js';

class FakeProcess extends EventEmitter implements StopSource {
  readonly exits: number[] = [];
  connected = true;

  exit(code: number): void {
    this.exits.push(code);
  }
}

describe('stopOnSignals', () => {
  let source: FakeProcess;
  let nowMs: number;
  let stops: number;
  let finish: (error?: Error) => void;

  beforeEach(() => {
    source = new FakeProcess();
    nowMs = 1000;
    stops = 0;
    stopOnSignals({
      source,
      deadlineMs: () => 60_000,
      clockMs: () => nowMs,
      stop: () => {
        stops++;
        return new Promise((resolve, reject) => (finish = (error) => (error ? reject(error) : resolve())));
      },
    });
  });

  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'])('stops cleanly on %s and then exits with code 0', async (event) => {
    source.emit(event);
    expect([stops, source.exits]).toEqual([1, []]);
    finish();
    await settle();
    expect(source.exits).toEqual([0]);
  });

  it('counts repeated signals of one Ctrl+C once, and exits at once on a second Ctrl+C', () => {
    source.emit('SIGINT');
    nowMs += 100;
    source.emit('SIGINT');
    expect([stops, source.exits]).toEqual([1, []]);
    nowMs += 1000;
    source.emit('SIGINT');
    expect([stops, source.exits]).toEqual([1, [1]]);
  });

  it('exits with code 1 when the stop fails', async () => {
    source.emit('SIGTERM');
    finish(new Error('could not close'));
    await settle();
    expect(source.exits).toEqual([1]);
  });
});
