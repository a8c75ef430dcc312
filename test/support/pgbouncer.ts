/** A private PgBouncer in front of a `PostgresCluster`, reachable only over a socket file. It ends with the test process. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asServerUser, serverUser, whyNoCluster, type PostgresCluster } from './postgres-cluster.js';
import { waitUntil } from './upstream-waiting.js';

const PROGRAM = '/usr/sbin/pgbouncer';
/** Foyer needs 1.18 or later, which Debian 12 has. */
const OLDEST_MINOR = 18;
const PORT = 6432;
const START_TIMEOUT_MS = 180_000;

/** @returns why PgBouncer cannot be started here, or null */
export function whyNoPgBouncer(): string | null {
  const cluster = whyNoCluster();
  if (cluster !== null) return cluster;
  if (!existsSync(PROGRAM)) return `no ${PROGRAM} (Debian: apt-get install pgbouncer)`;
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= OLDEST_MINOR ? null : `PgBouncer is older than 1.${OLDEST_MINOR}`;
}

export class PgBouncer {
  private constructor(
    private readonly directory: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param settings for its section `[pgbouncer]`, in addition to those of the socket */
  static async start(cluster: PostgresCluster, settings: Readonly<Record<string, string | number>>): Promise<PgBouncer> {
    const directory = await mkdtemp(join(tmpdir(), 'foyer-pgbouncer-'));
    const all = {
      listen_addr: '',
      listen_port: PORT,
      unix_socket_dir: directory,
      auth_type: 'trust',
      auth_file: join(directory, 'users'),
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    await writeFile(join(directory, 'users'), '"postgres" ""\n');
    await writeFile(
      join(directory, 'ini'),
      ['[databases]', `* = host=${cluster.directory} user=postgres`, '[pgbouncer]', ...lines, ''].join('\n'),
    );
    const user = serverUser();
    if (user) await Promise.all(['', 'users', 'ini'].map((name) => chown(join(directory, name), user.uid, user.gid)));
    // PgBouncer ends when the pipe closes, as the server does.
    const script = '"$@" >/dev/null 2>&1 & pooler=$!; cat >/dev/null; kill -KILL $pooler; wait $pooler';
    const [program = '', ...rest]: string[] = [...asServerUser, 'sh', '-c', script, 'sh', PROGRAM, join(directory, 'ini')];
    const started = spawn(program, rest, { cwd: directory, stdio: ['pipe', 'ignore', 'ignore'] });
    await waitUntil(START_TIMEOUT_MS, () => isListening(join(directory, `.s.PGSQL.${PORT}`)));
    return new PgBouncer(directory, started);
  }

  url(database: string): string {
    return `postgresql://postgres@localhost:${PORT}/${database}?host=${encodeURIComponent(this.directory)}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin?.end();
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Whether the server listens, because the file of its socket exists earlier. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
