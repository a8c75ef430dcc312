/**
 * Identifies a process, so that the lock of a dead process is recognised even if its pid was reused. Linux provides exact data. On other
 * systems, a process is certainly dead if no process has its pid; in all other cases, and across containers, the heartbeat decides.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  pid: number;
  /** Where the pid is valid: host, boot and namespace. */
  host: string;
  /** Start time of the process, as the kernel reports it; empty if unknown. */
  start: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

/** Access to the operating system, replaced in tests. */
export interface ProcessTable {
  self(): ProcessIdentity;
  /** @returns null if the process does not exist or has ended, '' if its start time is unknown */
  findStart(pid: number): string | null;
}

export function toLiveness(identity: ProcessIdentity, table: ProcessTable): Liveness {
  if (identity.host !== table.self().host) return 'unknown';
  const start = table.findStart(identity.pid);
  if (start === null) return 'dead';
  if (start === '' || identity.start === '') return 'unknown';
  return start === identity.start ? 'alive' : 'dead';
}

/** Indexes of fields of /proc/PID/stat, counted from the state, which follows the name in parentheses (proc(5)). */
const STATE = 0;
const START_TIME = 19;

export const systemProcesses: ProcessTable = {
  self: () => ({ pid: process.pid, host: findHost(), start: systemProcesses.findStart(process.pid) ?? '' }),
  findStart: (pid) => findStart(pid, '/proc'),
};

/**
 * A process that runs may have no readable file: the option `hidepid` of /proc hides the processes of other users, other systems have no
 * such directory, and too many files may be open.
 * @param directory the directory in which Linux has a directory for each process; replaced in tests
 */
export function findStart(pid: number, directory: string): string | null {
  try {
    const stat = readFileSync(`${directory}/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return isDead(fields[STATE]) ? null : (fields[START_TIME] ?? '');
  } catch {
    return isRunning(pid) ? '' : null;
  }
}

/** Whether the process is dead, or a zombie that its parent has not collected yet. */
function isDead(state: string | undefined): boolean {
  return state === 'Z' || state === 'X';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function findHost(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
