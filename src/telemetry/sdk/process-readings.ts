/** Measures the resource usage of this process, with the names of the semantic conventions, and reports the versions of Foyer and Node. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Telemetry } from '../telemetry.js';

const RESOLUTION_MS = 20;
const NANOSECONDS_PER_SECOND = 1e9;

/** @returns a function that stops the measurement */
export function observeProcess(telemetry: Telemetry, version: string): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let previous = performance.eventLoopUtilization();
  // The histogram records the time between two timer events, so the interval itself is subtracted.
  const toDelayReading = (nanoseconds: number) => {
    const delaySeconds = nanoseconds / NANOSECONDS_PER_SECOND - RESOLUTION_MS / 1000;
    return [{ value: delaySeconds > 0 ? delaySeconds : 0, attributes: {} }];
  };
  telemetry.observe('nodejs.eventloop.delay.mean', () => toDelayReading(delay.mean));
  telemetry.observe('nodejs.eventloop.delay.p99', () => toDelayReading(delay.percentile(99)));
  telemetry.observe('nodejs.eventloop.delay.max', () => {
    const longest = toDelayReading(delay.max);
    delay.reset();
    return longest;
  });
  telemetry.observe('nodejs.eventloop.utilization', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, previous);
    previous = now;
    return [{ value: utilization, attributes: {} }];
  });
  telemetry.observe('process.cpu.time', () => {
    const { user, system } = process.cpuUsage();
    return [
      { value: user / 1e6, attributes: { 'cpu.mode': 'user' as const } },
      { value: system / 1e6, attributes: { 'cpu.mode': 'system' as const } },
    ];
  });
  telemetry.observe('process.memory.usage', () => [{ value: process.memoryUsage.rss(), attributes: {} }]);
  telemetry.observe('process.uptime', () => [{ value: process.uptime(), attributes: {} }]);
  const build = { 'service.version': version, 'process.runtime.version': process.versions.node };
  telemetry.observe('foyer.build.info', () => [{ value: 1, attributes: build }]);
  return () => delay.disable();
}
