/**
 * docker-compose.yml as a separate project with its own name, ports and volumes, and two gateways; removed at the
 * end. Uses only `docker compose`.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePorts } from '../../test-kit/free-ports.js';

const run = promisify(execFile);
const FILE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));
const COMMAND_TIMEOUT_MS = 180_000;
/** A machine without access to the registry often hangs instead of failing. */
const PULL_TIMEOUT_MS = 300_000;
const BUILD_TIMEOUT_MS = 600_000;
const PORT_SETTINGS = [
  'FOYER_PORT',
  'HYDRA_PORT',
  'DEMO_PORT',
  'MAILBOX_PORT',
  'REGISTRATION_PORT',
  'PROVIDERS_PORT',
  'CONSOLE_PORT',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;
export type ComposePorts = Record<(typeof PORT_SETTINGS)[number], number>;

interface CommandOptions {
  input?: string;
  timeoutMs?: number;
}

export class ComposeProject {
  readonly #env: Environment;

  private constructor(
    readonly ports: ComposePorts,
    env: Environment,
  ) {
    const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    const name = `foyer-e2e-${randomBytes(4).toString('hex')}`;
    this.#env = { ...env, ...numbers, COMPOSE_FILE: FILE, COMPOSE_PROJECT_NAME: name, COMPOSE_PROFILES: 'replicas' };
  }

  static async prepare(env: Environment): Promise<ComposeProject> {
    const free = await findFreePorts(PORT_SETTINGS.length);
    return new ComposeProject(Object.fromEntries(PORT_SETTINGS.map((name, index) => [name, free[index]])) as ComposePorts, env);
  }

  /**
   * Builds the images of this project unless others are named, and downloads the rest. @returns why it cannot be started here, or
   * null
   */
  async whyNot(): Promise<string | null> {
    const steps: [fault: string, work: () => Promise<unknown>][] = [
      ['there is no docker compose', () => this.#compose(['version'])],
      ['there is no engine', () => run('docker', ['version'], { env: this.#env, timeout: COMMAND_TIMEOUT_MS })],
      [
        'an image cannot be downloaded',
        () => this.#compose(['pull', '--quiet', '--ignore-buildable', '--policy', 'missing'], { timeoutMs: PULL_TIMEOUT_MS }),
      ],
    ];
    if (!this.#env['FOYER_IMAGE'] || !this.#env['FOYER_DEMO_IMAGE']) {
      steps.push(['the image cannot be built', () => this.#compose(['build'], { timeoutMs: BUILD_TIMEOUT_MS })]);
    }
    for (const [fault, work] of steps) {
      const reason = await work().then(() => null, findLastLine);
      if (reason !== null) return `${fault} (${reason})`;
    }
    return null;
  }

  /** @returns the output of its last job, which runs when everything is ready @throws with the output of its services */
  async up(): Promise<string> {
    try {
      await this.#compose(['up', '--detach', '--no-build']);
      await this.#compose(['wait', 'ready']);
      await this.start('foyer-second');
      return await this.#compose(['logs', '--no-log-prefix', 'ready']);
    } catch (error) {
      const logs = await this.#compose(['logs', '--tail', '20']).catch(String);
      await this.down();
      throw new Error(`docker-compose.yml did not come up: ${findLastLine(error)}\n${logs}`, { cause: error });
    }
  }

  async down(): Promise<void> {
    await this.#compose(['down', '--volumes', '--timeout', '5']);
  }

  async stop(service: string): Promise<void> {
    await this.#compose(['stop', service]);
  }

  /** @returns when it is healthy again */
  async start(service: string): Promise<void> {
    await this.#compose(['up', '--detach', '--no-build', '--no-deps', '--wait', service]);
  }

  /** Runs a command in the container of a service. */
  async exec(service: string, command: readonly string[], input = ''): Promise<string> {
    return this.#compose(['exec', '-T', service, ...command], { input });
  }

  async #compose(args: readonly string[], { input, timeoutMs = COMMAND_TIMEOUT_MS }: CommandOptions = {}): Promise<string> {
    const running = run('docker', ['compose', ...args], { env: this.#env, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }
}

/** The last output of a failed command. */
function findLastLine(error: unknown): string {
  const { stderr = '', message = String(error) } = error as { stderr?: string; message?: string };
  return (stderr.trim() || message).split('\n').at(-1)?.trim() ?? '';
}
