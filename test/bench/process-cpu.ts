/** Reads CPU time and memory of other processes from proc_pid_stat(5) and proc_pid_status(5). Linux only. */
import { readFileSync, readdirSync } from 'node:fs';

/** A tick of `_SC_CLK_TCK`, which is 100 per second on every Linux that Node.js supports. */
const MS_PER_TICK = 10;

interface Stat {
  parent: number;
  ownMs: number;
  /** CPU time of children that have ended. */
  endedMs: number;
}

function readStat(pid: number | string): Stat {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * MS_PER_TICK;
  return { parent: fields[1] ?? 0, ownMs: ticks(11), endedMs: ticks(13) };
}

export function readCpuMs(pid: number): number {
  return readStat(pid).ownMs;
}

/** @returns the resident memory in MiB */
export function readResidentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** @returns the CPU time of the process and all its children, including children that have ended */
export function readTreeCpuMs(pid: number): number {
  const { ownMs, endedMs } = readStat(pid);
  return listChildren(pid).reduce((sum, child) => sum + (findStat(child)?.ownMs ?? 0), ownMs + endedMs);
}

/** @returns resident memory in MiB of the process and its children: a script may have started the server */
export function readTreeResidentMib(pid: number): number {
  return [String(pid), ...listChildren(pid)].reduce((sum, one) => sum + readResidentMib(Number(one)), 0);
}

function listChildren(pid: number): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((name) => findStat(name)?.parent === pid);
}

/** @returns null if the process has ended meanwhile */
function findStat(pid: string): Stat | null {
  try {
    return readStat(pid);
  } catch {
    return null;
  }
}
