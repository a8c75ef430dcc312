/** CPU and memory of processes that are not the bench's own, from proc_pid_stat(5) and proc_pid_status(5). Linux only. */
import { readFileSync, readdirSync } from 'node:fs';

/** Of `_SC_CLK_TCK`, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

interface Stat {
  parent: number;
  ownMs: number;
  /** CPU time of children that have ended. */
  endedMs: number;
}

function toStat(pid: number | string): Stat {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * MS_PER_TICK;
  return { parent: fields[1] ?? 0, ownMs: ticks(11), endedMs: ticks(13) };
}

export function toCpuMs(pid: number): number {
  return toStat(pid).ownMs;
}

/** Resident memory in MiB. */
export function toResidentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** With all its children, also those that have ended. */
export function cpuMsOfTree(pid: number): number {
  const { ownMs, endedMs } = toStat(pid);
  return findChildren(pid).reduce((sum, child) => sum + (statIfThere(child)?.ownMs ?? 0), ownMs + endedMs);
}

/** Resident memory in MiB, with all its children: a script may have started the server. */
export function residentMibOfTree(pid: number): number {
  return [String(pid), ...findChildren(pid)].reduce((sum, one) => sum + toResidentMib(Number(one)), 0);
}

function findChildren(pid: number): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((name) => statIfThere(name)?.parent === pid);
}

/** A process may end while it is looked at. */
function statIfThere(pid: string): Stat | null {
  try {
    return toStat(pid);
  } catch {
    return null;
  }
}
