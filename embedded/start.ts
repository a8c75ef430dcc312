/** `npm start` runs this file after the build. It starts the gateway and, if no upstream is configured, the embedded parts. */
import { environment } from '../src/config/environment.js';
import { buildBanner } from './launch/banner.js';
import { Launch } from './launch/launch.js';
import { findUnavailablePorts, listWantedPorts, type WantedPort } from './launch/ports.js';
import { readLaunchSettings } from './launch/read-settings.js';
import { PortsUnavailable, describeFailure } from './launch/start-failure.js';
import { stopOnSignals } from './launch/stop-signals.js';

/** Time for closing the database and the embedded parts, in addition to the drain time. */
const CLOSING_MS = 10_000;
/** An interrupted start may take this long to finish. Only then is it known which parts must be closed. */
const STARTING_MS = 3000;

let stop = (): Promise<void> => Promise.resolve();
let isStopping = false;
let drainMs = 0;
let wantedPorts: readonly WantedPort[] = [];
let isDetailed = false;

stopOnSignals({
  source: process,
  stop: () => {
    isStopping = true;
    return stop();
  },
  deadlineMs: () => drainMs + CLOSING_MS,
  clockMs: () => performance.now(),
});

async function start(): Promise<void> {
  const { config, warnings } = readLaunchSettings(environment());
  wantedPorts = listWantedPorts(config);
  drainMs = config.http.drainMs;
  isDetailed = config.log.level === 'debug';
  const [unavailablePorts, { realParts }] = await Promise.all([
    findUnavailablePorts(wantedPorts),
    import('./launch/real-parts.js'),
  ]);
  if (unavailablePorts.length > 0) throw new PortsUnavailable(unavailablePorts);
  const launch = new Launch(config, realParts);
  const addressesPromise = launch.start();
  stop = () => Promise.race([addressesPromise.then(() => launch.stop()), wait(STARTING_MS)]);
  const addresses = await addressesPromise;
  if (isStopping) return;
  stop = () => launch.stop();
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  if (config.mode === 'production') return;
  const hasColours = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(buildBanner({ ...addresses, seconds: performance.now() / 1000 }, hasColours));
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

await start().catch((error: unknown) => {
  process.stderr.write(`\n${describeFailure(error, wantedPorts, isDetailed)}\n\n`);
  process.exit(1);
});
