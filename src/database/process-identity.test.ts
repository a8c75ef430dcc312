import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { findStart, toLiveness, systemProcesses, type ProcessIdentity, type ProcessTable } from './process-identity.js';

const SELF: ProcessIdentity = { pid: 1, host: 'here', start: '10' };

function buildTable(start: string | null): ProcessTable {
  return { self: () => SELF, findStart: () => start };
}

describe('process identity', () => {
  it.each([
    ['alive when pid and start time agree', { pid: 7, host: 'here', start: '42' }, '42', 'alive'],
    ['dead when there is no such process', { pid: 7, host: 'here', start: '42' }, null, 'dead'],
    ['dead when its pid now belongs to another process', { pid: 7, host: 'here', start: '42' }, '43', 'dead'],
    ['unknown where the system does not report start times', { pid: 7, host: 'here', start: '' }, '', 'unknown'],
    ['unknown for a process of another container or of an earlier boot', { pid: 7, host: 'there', start: '42' }, '42', 'unknown'],
  ])('is %s', (_, identity, start, liveness) => {
    expect(toLiveness(identity, buildTable(start))).toBe(liveness);
  });

  it('is unknown, and not dead, while a process runs whose data cannot be read', () => {
    const identity = { ...SELF, pid: process.pid };
    const start = findStart(identity.pid, '/proc/a-directory-that-cannot-be-read');
    expect(toLiveness(identity, buildTable(start))).toBe('unknown');
  });

  it('is the same each time for this process', () => {
    expect(systemProcesses.self()).toEqual(systemProcesses.self());
    expect(systemProcesses.self()).toMatchObject({ pid: process.pid, host: expect.stringMatching(/./) });
  });

  it('is not dead while a real process runs, and is dead after its end', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const pid = child.pid ?? 0;
    const identity = { ...systemProcesses.self(), pid, start: systemProcesses.findStart(pid) ?? '' };
    expect(toLiveness(identity, systemProcesses)).not.toBe('dead');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(toLiveness(identity, systemProcesses)).toBe('dead');
  });
});
