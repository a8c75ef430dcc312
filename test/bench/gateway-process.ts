/** The built gateway as a process of its own, as an installation runs it, with a probe loaded beside it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVER_PATHS } from '../../src/contract/paths.js';
import { Worker } from './worker.js';

export interface Usage {
  /** CPU of the whole process since its start. */
  cpuMs: number;
  /** CPU time of the thread pool, which hashes, and of the thread that runs the product, where the platform reports them. */
  poolMs?: number;
  mainMs?: number;
  /** The part of `mainMs` that system calls took. */
  mainKernelMs?: number;
  rssBytes: number;
}

const MAIN = join('dist', 'src', 'main.js');
const PROBE = pathToFileURL(join(process.cwd(), 'test', 'bench', 'probe.mjs')).href;
/** What `npm run serve` starts it with. */
const AS_SERVED = {
  flags: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '8' },
};
const READY_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 5;

export class GatewayProcess {
  private constructor(
    private readonly worker: Worker,
    /** From the start of the process until it says that it is ready. */
    readonly readyMs: number,
  ) {}

  /** @throws with what it wrote to its error output when it ends instead */
  static async start(env: NodeJS.ProcessEnv, port: number): Promise<GatewayProcess> {
    const begin = performance.now();
    const worker = new Worker(MAIN, [], {
      env: { ...env, ...AS_SERVED.env },
      execArgv: [...AS_SERVED.flags, '--import', PROBE],
    });
    while (!(await isReady(port))) {
      if (worker.hasEnded) throw new Error(`The gateway ended instead of being ready:\n${worker.errors}`);
      if (performance.now() - begin > READY_WITHIN_MS) {
        await worker.stop();
        throw new Error(`The gateway is not ready after ${READY_WITHIN_MS} ms:\n${worker.errors}`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    return new GatewayProcess(worker, performance.now() - begin);
  }

  usage(): Promise<Usage> {
    return this.worker.ask('usage');
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
