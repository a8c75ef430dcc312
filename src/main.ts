/** The process of a gateway: settings from the environment, start, stop on a signal. Nothing else happens here. */
import { ConfigError } from './config/config.js';
import { environment } from './config/environment.js';
import { withInstallationSecrets } from './config/installation-secrets.js';
import { loadConfig } from './config/load-config.js';
import { startFoyer } from './start-foyer.js';

async function main(): Promise<void> {
  const { config, warnings } = loadConfig(environment());
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const foyer = await startFoyer(withInstallationSecrets(config));
  let stopping = false;
  const stop = (): void => {
    // A second signal means now.
    if (stopping) process.exit(130);
    stopping = true;
    foyer.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** A fault of the installation is told in a sentence; anything else with its trace, because it is ours. */
function fail(error: unknown): never {
  const isTold = error instanceof ConfigError || (error instanceof Error && 'isForPeople' in error);
  process.stderr.write(`${isTold ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}

await main().catch(fail);
