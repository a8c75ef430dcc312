/** A child process that answers questions over its IPC channel and ends when its parent ends. */
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';

interface Question {
  id: number;
  name: string;
  value?: unknown;
}

interface Answer {
  id: number;
  answer?: unknown;
  error?: string;
}

const STOP_WITHIN_MS = 15_000;

export class Worker {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #lastId = 0;
  #stderr = '';

  constructor(file: string, args: readonly string[], options: ForkOptions = {}) {
    this.#process = fork(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr = (this.#stderr + text).slice(-4000)));
    this.#process.on('message', (message) => this.#settle(message as Answer));
    this.#process.once('error', (error) => this.#fail(error));
    this.#process.once('exit', (code) =>
      this.#fail(new Error(`${file} ${args.join(' ')} ended (${String(code)}): ${this.#stderr}`)),
    );
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null || this.#process.pid === undefined;
  }

  get errors(): string {
    return this.#stderr;
  }

  ask<T>(name: string, value?: unknown): Promise<T> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#process.send({ id, name, value } satisfies Question, (error) => error && this.#fail(error));
    return answer as Promise<T>;
  }

  /** Asks the process to end, and kills it if it does not end in time. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    const late = setTimeout(() => this.#process.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(late);
  }

  #settle({ id, answer, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

export type Handlers = Record<string, (value: never) => unknown>;

/** Answers the questions in the child process. @param close runs before the process ends */
export function answerQuestions(handlers: Handlers, close: () => Promise<void> = () => Promise.resolve()): void {
  const end = (): void => void close().finally(() => process.exit(0));
  process.once('SIGTERM', end).once('disconnect', end);
  // Ctrl+C in a terminal reaches all processes; the parent decides in which order they end.
  process.on('SIGINT', () => undefined);
  process.on('message', (message) => {
    const { id, name, value } = message as Question;
    const work = async (): Promise<unknown> => {
      const handle = handlers[name];
      if (!handle) throw new Error(`There is no question ${name}.`);
      return handle(value as never);
    };
    work().then(
      (answer) => process.send?.({ id, answer } satisfies Answer),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
