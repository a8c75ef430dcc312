/** Describes a failed start for the terminal. */
import { ConfigError } from '../../src/config/config.js';
import { toCode } from '../../src/config/system-error.js';
import { DatabaseError } from '../../src/database/database.errors.js';
import type { UnavailablePort, WantedPort } from './ports.js';

export class PortsUnavailable extends Error {
  constructor(readonly ports: readonly UnavailablePort[]) {
    super(describeUnavailable(ports));
    this.name = 'PortsUnavailable';
  }
}

/**
 * @param wantedPorts the ports of this start, to name the setting of a port that was taken between the check and the start
 * @param isDetailed adds the stack of unexpected errors
 */
export function describeFailure(error: unknown, wantedPorts: readonly WantedPort[], isDetailed: boolean): string {
  if (error instanceof PortsUnavailable || error instanceof ConfigError || error instanceof DatabaseError) {
    return `Foyer could not start. ${error.message}`;
  }
  const conflict = isPortTaken(error) ? wantedPorts.find(({ port }) => port === toPort(error)) : undefined;
  if (conflict) return `Foyer could not start. ${describeUnavailable([{ ...conflict, obstacle: 'taken' }])}`;
  const message = error instanceof Error ? error.message : String(error);
  const details = isDetailed && error instanceof Error ? `\n${error.stack ?? ''}` : '\nLOG_LEVEL=debug shows more.';
  return `Foyer could not start: ${message}${details}`;
}

function describeUnavailable(ports: readonly UnavailablePort[]): string {
  const movablePorts = ports.filter(({ freePort }) => freePort !== undefined);
  const example = movablePorts.map(({ setting, freePort }) => `${setting}=${freePort}`).join(' ');
  const advice =
    movablePorts.length === 1
      ? 'This port is available. Add it to your settings:'
      : 'These ports are available. Add them to your settings:';
  return [
    ports.length === 1 ? 'A port that it needs is not available:' : `${ports.length} ports that it needs are not available:`,
    ...ports.map((port) => `  ${describePort(port)}`),
    ...(ports.some(({ obstacle }) => obstacle === 'taken')
      ? ['Foyer may already be running in another terminal. A second instance also needs its own DATA_DIR.']
      : []),
    ...(example === '' ? [] : [advice, `  ${example} npm start`]),
  ].join('\n');
}

function describePort({ port, host, purpose, setting, hostSetting, obstacle }: UnavailablePort): string {
  switch (obstacle) {
    case 'taken':
      return `Port ${port} is already in use (${purpose}): set ${setting}`;
    case 'forbidden':
      return `Port ${port} is reserved by the system (${purpose}): set ${setting} to 1024 or above`;
    case 'no-address':
      return `${host} is not an address of this machine (${purpose}): set ${hostSetting ?? setting}`;
  }
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return toCode(error) === 'EADDRINUSE' || toCode(cause) === 'EADDRINUSE';
}

function toPort(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'port' in error ? error.port : undefined;
}
