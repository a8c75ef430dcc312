/** The built gateway in a separate process, as in an installation, with a probe in the same process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVER_PATHS } from '../../src/contract/paths.js';
import { Worker } from './worker.js';

export interface Usage {
  /** CPU time of the whole process since its start. */
  cpuMs: number;
  /** CPU time of the thread pool, which hashes, and of the main thread, if the platform reports them. */
  poolMs?: number;
  mainMs?: number;
  /** The part of `mainMs` in system calls. */
  mainKernelMs?: number;
  rssBytes: number;
}

const MAIN = join('dist', 'src', 'main.js');
const PROBE = pathToFileURL(join(process.cwd(), 'test', 'bench', 'probe.mjs')).href;
/** The options of `npm run serve`. */
const SERVE_OPTIONS = {
  flags: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '8' },
};
const READY_WITHIN_MS = 60_000;
const POLL_MS = 5;

export class GatewayProcess {
  private constructor(
    private readonly worker: Worker,
    /** The time from the start of the process until it reports that it is ready. */
    readonly readyMs: number,
  ) {}

  /** @throws an error with the error output of the process if it ends before it is ready */
  static async start(env: NodeJS.ProcessEnv, port: number): Promise<GatewayProcess> {
    const begin = performance.now();
    const worker = new Worker(MAIN, [], {
      env: { ...env, ...SERVE_OPTIONS.env },
      execArgv: [...SERVE_OPTIONS.flags, '--import', PROBE],
    });
    while (!(await isReady(port))) {
      if (worker.hasEnded) throw new Error(`The gateway ended before it was ready:\n${worker.errors}`);
      if (performance.now() - begin > READY_WITHIN_MS) {
        await worker.stop();
        throw new Error(`The gateway is not ready after ${READY_WITHIN_MS} ms:\n${worker.errors}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return new GatewayProcess(worker, performance.now() - begin);
  }

  readUsage(): Promise<Usage> {
    return this.worker.ask('readUsage');
  }

  startProfile(): Promise<void> {
    return this.worker.ask('startProfile');
  }

  stopProfile(file: string): Promise<void> {
    return this.worker.ask('stopProfile', file);
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${SERVER_PATHS.healthReady}`).then(
    ({ ok }) => ok,
    () => false,
  );
}
