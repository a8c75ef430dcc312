/** A private rsyslog of Debian that receives over TLS and writes a file, as docs/event-recipes.md configures it. It ends with the test process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { waitUntil } from './upstream-waiting.js';

const PROGRAM = '/usr/sbin/rsyslogd';
const DRIVERS = ['/usr/lib/x86_64-linux-gnu/rsyslog/lmnsd_ossl.so', '/usr/lib/aarch64-linux-gnu/rsyslog/lmnsd_ossl.so'];
const START_TIMEOUT_MS = 180_000;

/** @returns why rsyslog cannot be started here, or null */
export function whyNoRsyslog(): string | null {
  const isThere = existsSync(PROGRAM) && DRIVERS.some((driver) => existsSync(driver));
  return isThere ? null : `no ${PROGRAM} with TLS (Debian: apt-get install rsyslog rsyslog-openssl)`;
}

export class Rsyslog {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly directory: string,
  ) {}

  /** @param configuration the recipe, with paths and port of its own @param tls PEM of its certificate and key */
  static async prepare(configuration: string, tls: { certificate: string; key: string }): Promise<Rsyslog> {
    const directory = await mkdtemp(join(tmpdir(), 'foyer-rsyslog-'));
    const [port = 0] = await findFreePorts(1);
    const changes: readonly (readonly [from: string, to: string])[] = [
      ['/etc/rsyslog-tls/ca.pem', join(directory, 'certificate.pem')],
      ['/etc/rsyslog-tls/certificate.pem', join(directory, 'certificate.pem')],
      ['/etc/rsyslog-tls/key.pem', join(directory, 'key.pem')],
      ['/var/log/foyer.log', join(directory, 'foyer.log')],
      ['port="6514"', `port="${port}" address="127.0.0.1"`],
    ];
    const own = changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`The recipe lacks ${from}`);
      return text.replaceAll(from, to);
    }, configuration);
    await writeFile(join(directory, 'rsyslog.conf'), `global(workDirectory="${directory}")\n${own}`);
    await writeFile(join(directory, 'certificate.pem'), tls.certificate);
    await writeFile(join(directory, 'key.pem'), tls.key, { mode: 0o600 });
    return new Rsyslog(port, directory);
  }

  async start(): Promise<void> {
    const options = ['-n', '-f', join(this.directory, 'rsyslog.conf'), '-i', join(this.directory, 'pid')];
    // rsyslog ends when the pipe closes, as the test process ends.
    const script = '"$@" & server=$!; cat >/dev/null; kill -TERM $server; wait $server';
    this.#process = spawn('sh', ['-c', script, 'sh', PROGRAM, ...options], { stdio: ['pipe', 'ignore', 'ignore'] });
    await waitUntil(START_TIMEOUT_MS, () => isListening(this.port));
  }

  /** What it has written so far. */
  async lines(): Promise<string[]> {
    const file = join(this.directory, 'foyer.log');
    return existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '') : [];
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await ended;
    this.#process = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
