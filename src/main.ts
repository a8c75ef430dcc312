/**
 * Runs one gateway as a process: reads the settings from the environment, starts the gateway, and stops it on a signal. With the
 * argument `migrate`, the process migrates the database and ends; a job can do so before the gateways of a new version start.
 */
import { SystemClock } from './config/clock.js';
import { ConfigError, type Config } from './config/config.js';
import { environment } from './config/environment.js';
import { withInstallationSecrets } from './config/installation-secrets.js';
import { loadConfig } from './config/load-config.js';
import { DatabaseError } from './database/database.errors.js';
import { openDatabase } from './database/open-database.js';
import { startFoyer } from './start-foyer.js';

async function main(): Promise<void> {
  const { config, warnings } = loadConfig(environment());
  // A full volume or a closed pipe behind standard error would otherwise end the process.
  process.stderr.on('error', () => undefined);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const [command, ...more] = process.argv.slice(2);
  if (command === 'migrate' && more.length === 0) return migrate(config);
  if (command !== undefined)
    throw new ConfigError([
      `${[command, ...more].join(' ')}: is not a command; the only command is migrate, and without a command a gateway starts`,
    ]);
  const foyer = await startFoyer(withInstallationSecrets(config));
  let isStopping = false;
  const stop = (): void => {
    // A second signal ends the process immediately.
    if (isStopping) process.exit(130);
    isStopping = true;
    foyer.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function migrate({ database: settings }: Config): Promise<void> {
  const write = (message: string): void => void process.stdout.write(`${message}\n`);
  const database = await openDatabase({ database: settings, clock: new SystemClock(), onEvent: ({ message }) => write(message) });
  await database.close();
  write('The database has the tables of this version.');
}

/** The error of a listener: `address` if the address cannot be used, `hostname` if the name cannot be resolved. */
type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Prints only the message of an error that the operator can correct, and any other error with its stack trace. */
function fail(error: unknown): never {
  process.stderr.write(`${toText(error)}\n`);
  process.exit(1);
}

function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof DatabaseError) return error.message;
  const { code, address, hostname, port } = error as ListenError;
  if (code === 'EADDRINUSE')
    return `${address}:${port} is already in use. Set PORT (gateway) or OPERATOR_PORT (operator API) to a free port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${address ?? hostname} is not an address of this machine. Set HOST or OPERATOR_HOST.`;
  return error.stack ?? error.message;
}

await main().catch(fail);
