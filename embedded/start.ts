/** What `npm start` runs after the build: the gateway and, without an upstream of one's own, everything beside it. */
import { environment } from '../src/config/environment.js';
import { banner } from './launch/banner.js';
import { Launch } from './launch/launch.js';
import { takenPorts, wantedPorts } from './launch/ports.js';
import type { WantedPort } from './launch/ports.js';
import { readLaunchSettings } from './launch/read-settings.js';
import { PortsTaken, describeFailure } from './launch/start-failure.js';
import { stopOnSignals } from './launch/stop-signals.js';

/** Beyond the drain: closing the database and what stands beside the gateway. */
const CLOSING_MS = 10_000;

let stop = (): Promise<void> => Promise.resolve();
let drainMs = 0;
let wanted: readonly WantedPort[] = [];
let detailed = false;

stopOnSignals({
  source: process,
  stop: () => stop(),
  deadlineMs: () => drainMs + CLOSING_MS,
  clockMs: () => performance.now(),
});

async function start(): Promise<void> {
  const { config, warnings } = readLaunchSettings(environment());
  wanted = wantedPorts(config);
  drainMs = config.http.drainMs;
  detailed = config.log.level === 'debug';
  const [taken, { realParts }] = await Promise.all([takenPorts(wanted), import('./launch/real-parts.js')]);
  if (taken.length > 0) throw new PortsTaken(taken);
  const launch = new Launch(config, realParts);
  const starting = launch.start();
  // A start under way is waited for: what it has opened is known only at its end.
  stop = () => starting.then(() => launch.stop());
  const addresses = await starting;
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  if (config.mode === 'production') return;
  const colours = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(banner({ ...addresses, seconds: performance.now() / 1000 }, colours));
}

await start().catch((error: unknown) => {
  process.stderr.write(`\n${describeFailure(error, wanted, detailed)}\n\n`);
  process.exit(1);
});
