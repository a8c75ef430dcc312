/** A private nginx in front of one server of this machine, with its default buffers. It ends with the test process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isServed, waitUntil } from './upstream-waiting.js';

const PROGRAM = '/usr/sbin/nginx';
const START_TIMEOUT_MS = 180_000;

/** @returns why nginx cannot be started here, or null */
export function whyNoNginx(): string | null {
  return existsSync(PROGRAM) ? null : `no ${PROGRAM} (Debian: apt-get install nginx)`;
}

export class Nginx {
  private constructor(
    private readonly directory: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param port the port of the loopback address on which it listens @param target the port of the server, which has `/health/live` */
  static async start(port: number, target: number): Promise<Nginx> {
    const directory = await mkdtemp(join(tmpdir(), 'foyer-nginx-'));
    await writeFile(join(directory, 'nginx.conf'), buildConfiguration(directory, port, target));
    // nginx ends when the pipe closes.
    const script = '"$@" & server=$!; cat >/dev/null; kill -TERM $server; wait $server';
    const program = [PROGRAM, '-p', directory, '-e', 'error.log', '-c', 'nginx.conf'];
    const started = spawn('sh', ['-c', script, 'sh', ...program], { stdio: ['pipe', 'ignore', 'ignore'] });
    const nginx = new Nginx(directory, started);
    try {
      await waitUntil(START_TIMEOUT_MS, () => isServed(`http://127.0.0.1:${port}/health/live`));
    } catch (error) {
      await nginx.stop();
      throw error;
    }
    return nginx;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin?.end();
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Sets no sizes of headers. */
function buildConfiguration(directory: string, port: number, target: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${directory}/${kind};`);
  return `
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${target};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto http;
    }
  }
}
`;
}
