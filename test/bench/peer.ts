/**
 * Another login server that is measured in the same run as Foyer (`--peer=FOLDER`). The file `peer.json` of the folder says how to start
 * it and who can sign in; docs/production.md describes its members.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isServed, waitUntil } from '../support/upstream-waiting.js';
import type { Person, Route } from './login-walk.js';

/** `${NAME}` in a text stands for a value of the run (`readPeer`), or for a variable of the environment. */
export interface PeerDescription {
  name: string;
  /** Commands that run to their end before the start, in the folder. */
  prepare?: string[][];
  command: string[];
  env?: Record<string, string>;
  /** Answers successfully once people can sign in. */
  readyUrl: string;
  readySeconds?: number;
  authorizationUrl: string;
  tokenUrl: string;
  callback: string;
  clientId: string;
  clientSecret?: string;
  people: { username: string; password: string }[];
  /** Sign-ins before the measured ones. */
  warmUp?: number;
}

interface PeerValues {
  folder: string;
  port: number;
  database: { port: number; name: string };
}

const READY_SECONDS = 300;
const LAST_OUTPUT = 2000;

/** @throws Error that names the file, or the placeholder without a value */
export function readPeer({ folder, port, database }: PeerValues): PeerDescription {
  const file = join(folder, 'peer.json');
  if (!existsSync(file)) throw new Error(`--peer: there is no ${file}.`);
  const values: Record<string, string | undefined> = {
    ...process.env,
    PEER: resolve(folder),
    PORT: String(port),
    DATABASE: database.name,
    DATABASE_PORT: String(database.port),
  };
  const text = readFileSync(file, 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} needs the environment variable ${name}.`);
    return JSON.stringify(value).slice(1, -1);
  });
  return JSON.parse(text) as PeerDescription;
}

export class Peer {
  readonly #ended: Promise<unknown>;

  private constructor(
    readonly description: PeerDescription,
    private readonly process: ChildProcess,
  ) {
    this.#ended = new Promise((ended) => process.once('exit', ended).once('error', ended));
  }

  /** @throws Error with the last output of a peer that is not ready in time, or of a command that fails */
  static async start(folder: string, description: PeerDescription): Promise<Peer> {
    const { name, prepare = [], command, env = {}, readyUrl, readySeconds = READY_SECONDS } = description;
    const options = { cwd: folder, env: { ...process.env, ...env } };
    for (const [program = '', ...args] of prepare) await promisify(execFile)(program, args, options);
    const [program = '', ...args] = command;
    const started = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-LAST_OUTPUT)));
    const peer = new Peer(description, started);
    const isReady = async (): Promise<boolean> => {
      if (started.exitCode !== null || started.pid === undefined) throw new Error('it has ended');
      return isServed(readyUrl);
    };
    try {
      await waitUntil(readySeconds * 1000, isReady);
      return peer;
    } catch (error) {
      await peer.stop();
      throw new Error(`${name} does not answer at ${readyUrl} (${(error as Error).message}). Its last output: ${output}`, {
        cause: error,
      });
    }
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get route(): Route {
    const { authorizationUrl, tokenUrl, callback, clientId, clientSecret } = this.description;
    const secret = clientSecret === undefined ? {} : { clientSecret };
    return { kind: 'skipConsent', gateway: '', authorizationUrl, tokenUrl, callback, clientId, ...secret };
  }

  get people(): readonly Omit<Person, 'address'>[] {
    return this.description.people;
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.#ended;
  }
}
