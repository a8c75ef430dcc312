/** Gateways whose standard output accepts nothing: a full volume, a pipe that nobody reads, a closed pipe. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { makeMigratedDataDirectory } from '../support/databases.js';
import { SHORT_LIVED, processEnvironment } from '../support/process-environment.js';
import { isServed, waitUntil } from '../support/upstream-waiting.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const TIMEOUT_MS = 180_000;
/** Far more than fits into a pipe and the volume. */
const REQUESTS = 300;
const AT_ONCE = 20;
const METRICS_TOKEN = randomBytes(32).toString('hex');

describe('standard output that takes no more', () => {
  let directory: string;
  let dataDir: string;
  let gateway: ChildProcess;
  let url: string;
  let metrics: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'foyer-output-'));
    dataDir = await makeMigratedDataDirectory('foyer-data');
  });

  afterEach(async () => {
    if (gateway.exitCode === null && gateway.signalCode === null) {
      gateway.kill('SIGKILL');
      await once(gateway, 'exit');
    }
    for (const each of [directory, dataDir]) rmSync(each, { recursive: true, force: true });
  });

  async function start(stdout: number): Promise<void> {
    const [port = 0, operatorPort = 0, publicPort = 0, adminPort = 0] = await findFreePorts(4);
    const env = {
      ...processEnvironment(),
      DATA_DIR: dataDir,
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      HYDRA_PUBLIC_URL: `http://localhost:${publicPort}`,
      HYDRA_ADMIN_URL: `http://localhost:${adminPort}`,
      OTEL_METRICS_EXPORTER: 'prometheus',
      METRICS_TOKEN,
    };
    gateway = spawn(process.execPath, [...SHORT_LIVED, MAIN], { env, stdio: ['ignore', stdout, stdout] });
    url = `http://localhost:${port}`;
    await waitUntil(TIMEOUT_MS, () => isServed(`${url}/health/live`));
    metrics = `http://localhost:${operatorPort}/metrics`;
  }

  async function countDropped(): Promise<number> {
    const answer = await fetch(metrics, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    return Number(/^foyer_log_dropped_total\S* (\d+)/m.exec(await answer.text())?.[1]);
  }

  /** Each request writes a log line of some hundred bytes. */
  async function request(): Promise<void> {
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const asked = Array.from({ length: AT_ONCE }, () => fetch(`${url}/nothing-${'x'.repeat(190)}`));
      for (const { status } of await Promise.all(asked)) expect(status).toBe(404);
    }
  }

  async function expectEndInTime(): Promise<void> {
    const exit = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  }

  it(
    'a full volume loses lines, which are counted, but no request; lines continue when it has space again',
    async () => {
      const { file, makeSpace, remove } = fullVolume(directory);
      try {
        await start(file);
        await request();
        expect(await countDropped()).toBeGreaterThan(REQUESTS / 2);
        if (makeSpace) {
          makeSpace();
          const before = await countDropped();
          await request();
          expect(await countDropped()).toBe(before);
        }
        await expectEndInTime();
      } finally {
        closeSync(file);
        remove();
      }
    },
    TIMEOUT_MS,
  );

  it(
    'a pipe that nobody reads loses no request, and the gateway ends on a signal',
    async () => {
      const path = join(directory, 'pipe');
      execFileSync('mkfifo', [path]);
      const pipe = openSync(path, constants.O_RDWR);
      await start(pipe);
      await request();
      await expectEndInTime();
      closeSync(pipe);
    },
    TIMEOUT_MS,
  );

  it(
    'a closed pipe loses lines, which are counted, but no request',
    async () => {
      const path = join(directory, 'pipe');
      execFileSync('mkfifo', [path]);
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const pipe = openSync(path, constants.O_WRONLY);
      await start(pipe);
      closeSync(reader);
      closeSync(pipe);
      await request();
      expect(await countDropped()).toBeGreaterThan(REQUESTS / 2);
      await expectEndInTime();
    },
    TIMEOUT_MS,
  );
});

/** A volume of 16 KB if this process may mount one, otherwise the device that is always full. */
function fullVolume(directory: string): { file: number; makeSpace?: () => void; remove: () => void } {
  const volume = join(directory, 'volume');
  mkdirSync(volume);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', volume], { stdio: 'ignore' });
  } catch {
    process.stderr.write('SKIPPED: a volume that has space again: this process may not mount one\n');
    return { file: openSync('/dev/full', 'a'), remove: () => undefined };
  }
  return {
    file: openSync(join(volume, 'log'), 'a'),
    makeSpace: () => void execFileSync('mount', ['-o', 'remount,size=64m', volume]),
    remove: () => void execFileSync('umount', ['-l', volume]),
  };
}
