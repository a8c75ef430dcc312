import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { LogOutput, createFileWriter, type Writer } from './log-output.js';

const VOLUME_FULL_ERROR = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const flush = (output: LogOutput): Promise<void> => new Promise((resolve) => output.flush(resolve));

/** A volume that accepts a number of bytes, and can be emptied. */
function createVolume(bytes: number): { writer: Writer; readText: () => string; empty: () => void } {
  let text = '';
  let freeBytes = bytes;
  const writer: Writer = (chunk, done) => {
    const size = Math.min(freeBytes, chunk.length);
    freeBytes -= size;
    text += chunk.subarray(0, size).toString();
    setImmediate(() => (size === 0 ? done(VOLUME_FULL_ERROR, 0) : done(null, size)));
  };
  return { writer, readText: () => text, empty: () => (freeBytes = Infinity) };
}

describe('LogOutput', () => {
  it('writes lines in order', async () => {
    const { writer, readText } = createVolume(Infinity);
    const output = new LogOutput(writer);
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line);
    await flush(output);
    expect(readText()).toBe('one\ntwo\nthree\n');
  });

  it('drops and counts the lines that a full volume does not take, and continues with a whole line when there is space again', async () => {
    const { writer, readText, empty } = createVolume(6);
    const [drops, recoveries]: [number[], number[]] = [[], []];
    const output = new LogOutput(writer, {
      onDropped: (lines) => drops.push(lines),
      onRecovered: (lines) => recoveries.push(lines),
    });
    output.write('one\n');
    await flush(output);
    output.write('two\n');
    output.write('three\n');
    await flush(output);
    empty();
    output.write('four\n');
    await flush(output);
    expect(readText()).toBe('one\ntw\nfour\n');
    expect(drops.reduce((sum, lines) => sum + lines)).toBe(2);
    expect(recoveries).toEqual([2]);
  });

  it('ends a flush once, after a second, also if the lines are written later', () => {
    jest.useFakeTimers();
    try {
      let endWrite = (): void => undefined;
      const output = new LogOutput((chunk, done) => (endWrite = () => done(null, chunk.length)));
      output.write('one\n');
      const done = jest.fn();
      output.flush(done);
      jest.advanceTimersByTime(1000);
      expect(done).toHaveBeenCalledTimes(1);
      endWrite();
      expect(done).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('survives a device that is full', async () => {
    const device = openSync('/dev/full', 'w');
    let droppedLines = 0;
    const output = new LogOutput(createFileWriter(device), { onDropped: (lines) => (droppedLines += lines) });
    for (let line = 0; line < 50; line++) output.write('a line\n');
    await flush(output);
    closeSync(device);
    expect(droppedLines).toBe(50);
  });

  it('keeps lines for a pipe that nobody reads, and drops and counts the lines that no longer fit', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'foyer-log-'));
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const socket = new Socket({ fd: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), readable: false });
    const writer: Writer = (chunk, done) => void socket.write(chunk, (error) => done(error, chunk.length));
    let droppedLines = 0;
    const output = new LogOutput(writer, { mostBytes: 200_000, onDropped: (lines) => (droppedLines += lines) });
    const line = `${'x'.repeat(999)}\n`;
    for (let count = 0; count < 1000; count++) output.write(line);
    await flush(output);
    expect(droppedLines).toBe(800);
    const readBytes = Buffer.alloc(200_000);
    let length = 0;
    while (length < readBytes.length) {
      try {
        length += readSync(reader, readBytes, length, readBytes.length - length, null);
      } catch {
        // Nothing to read yet.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect(readBytes.toString()).toBe(line.repeat(200));
    socket.destroy();
    closeSync(reader);
    rmSync(directory, { recursive: true });
  });
});
