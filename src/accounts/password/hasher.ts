/**
 * Computes Argon2id hashes, and verifies them and hashes of other products, within limits: no more hashes at a time than there are
 * cores or threads in libuv's pool, and a bounded queue. More hashes at a time would use memory (19 MiB each by default) and wait in the
 * thread pool, which file access and DNS need too.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { hash, parseOptions, verify, type Options } from '@node-rs/argon2';
import type { Logger } from 'pino';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { countPoolThreads } from '../../config/environment.js';
import { LOG } from '../../config/log.token.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { BoundedQueue } from '../queue/bounded-queue.js';
import { HashRefused, readForeignHash, verifyForeignHash, type ForeignHash } from './foreign-hash.js';
import { toPasswordBytes } from './text.js';

/** Algorithm and version: the defaults of the package, whose enums have no values at run time. */
const ALGORITHM = '$argon2id$v=19$';
const LANES = 1;
const FAMILY = '$argon2';
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The queue of hashes is full: the password was not hashed or verified. */
export class HasherBusy extends Error {
  constructor() {
    super('Too many passwords are being hashed or verified at once.');
    this.name = 'HasherBusy';
  }
}

interface Urgency {
  isPreferred?: boolean;
}

interface Verification extends Urgency {
  /** The owner of the hash, for the log. */
  accountId?: string;
}

@Injectable()
export class PasswordHasher {
  readonly #options: Options;
  readonly #dummyHash: string;
  readonly #queue: BoundedQueue;
  readonly #maxWaiting: number;

  constructor(
    @Inject(CONFIG) { hashing }: Pick<Config, 'hashing'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
    @Inject(LOG) private readonly log?: Pick<Logger, 'warn'>,
  ) {
    const { memoryKiB, iterations, queueLength } = hashing;
    this.#options = { memoryCost: memoryKiB, timeCost: iterations, parallelism: LANES, outputLen: HASH_BYTES };
    this.#dummyHash = createDummyHash(memoryKiB, iterations);
    this.#queue = new BoundedQueue({
      concurrency: Math.min(availableParallelism(), countPoolThreads()),
      maxWaiting: queueLength,
    });
    this.#maxWaiting = queueLength;
  }

  /**
   * @param urgency `isPreferred`: runs before work that is not preferred
   * @returns a PHC string
   * @throws RangeError for a password that is too long or not well-formed, HasherBusy
   */
  async hash(password: string, urgency: Urgency = {}): Promise<string> {
    const bytes = toPasswordBytes(password);
    if (!bytes) throw new RangeError('This password cannot be hashed: it is too long or not well-formed.');
    return this.#runInTurn('hash', () => hash(bytes, this.#options), urgency);
  }

  /**
   * Also verifies hashes of other products (`foreign-hash.ts`). Returns false for a hash that cannot be verified.
   * @param verification `isPreferred`: as in `hash`
   * @throws HasherBusy
   */
  async verify(phc: string, password: string, { accountId, ...urgency }: Verification = {}): Promise<boolean> {
    const bytes = toPasswordBytes(password);
    if (!bytes) return this.verifyDummy('', urgency);
    if (phc.startsWith(FAMILY)) return this.#runInTurn('verify', () => verify(phc, bytes).catch(() => false), urgency);
    const foreignHash = this.#readForeignHash(phc, accountId);
    if (!foreignHash) return this.verifyDummy(password, urgency);
    // Other products hashed the password as typed; Foyer hashes its NFC form. Their argon2 hashes are compared with the NFC form only.
    const typedBytes = Buffer.from(password, 'utf8');
    return this.#runInTurn(
      'verify',
      async () =>
        (await verifyForeignHash(foreignHash, bytes)) ||
        (!typedBytes.equals(bytes) && (await verifyForeignHash(foreignHash, typedBytes))),
      urgency,
    );
  }

  /**
   * Returns true for another algorithm, version or number of lanes, and for less memory or fewer passes than configured. A hash of another
   * recommended pair always has less of one of the two values.
   */
  needsRehash(phc: string): boolean {
    try {
      const hashOptions = parseOptions(phc);
      const { memoryCost = 0, timeCost = 0 } = this.#options;
      const isSameKind = phc.startsWith(ALGORITHM) && hashOptions.parallelism === LANES;
      return !isSameKind || hashOptions.memoryCost < memoryCost || hashOptions.timeCost < timeCost;
    } catch {
      return true;
    }
  }

  /** Takes as long as `verify` with the current parameters, and always returns false. */
  async verifyDummy(password: string, urgency: Urgency = {}): Promise<false> {
    const bytes = toPasswordBytes(password) ?? Buffer.alloc(0);
    await this.#runInTurn('verify', () => verify(this.#dummyHash, bytes), urgency);
    return false;
  }

  /** Whether a hash would be refused now. */
  isFull(urgency: Urgency): boolean {
    return this.#queue.isFull(urgency);
  }

  /** Current load of the queue. */
  get load(): { runningCount: number; waitingCount: number; maxWaiting: number } {
    return { runningCount: this.#queue.runningCount, waitingCount: this.#queue.waitingCount, maxWaiting: this.#maxWaiting };
  }

  /** @returns null for a hash that imports no longer accept, but that an earlier import may have stored */
  #readForeignHash(text: string, accountId?: string): ForeignHash | null {
    try {
      return readForeignHash(text);
    } catch (error) {
      if (!(error instanceof HashRefused)) throw error;
      this.log?.warn(
        { account: accountId, reason: error.message },
        'a stored password hash cannot be verified; the owner of the account needs a new password',
      );
      return null;
    }
  }

  /** A dummy verification looks like any other verification in traces and metrics. */
  #runInTurn<T>(operation: 'hash' | 'verify', work: () => Promise<T>, urgency: Urgency): Promise<T> {
    const { telemetry } = this;
    if (!telemetry.isOn) return this.#enqueue(work, urgency);
    const attributes = { 'foyer.hash.operation': operation };
    return telemetry.runInSpan({ span: 'hash', name: `hash ${operation}`, attributes }, async (span) => {
      const queuedAt = performance.now();
      return this.#enqueue(async () => {
        const startedAt = performance.now();
        const waitSeconds = (startedAt - queuedAt) / 1000;
        span.set({ 'foyer.hash.wait': waitSeconds });
        telemetry.record('foyer.hash.wait.duration', waitSeconds, {});
        try {
          return await work();
        } finally {
          telemetry.record('foyer.hash.duration', (performance.now() - startedAt) / 1000, attributes);
        }
      }, urgency);
    });
  }

  async #enqueue<T>(work: () => Promise<T>, urgency: Urgency): Promise<T> {
    const result = this.#queue.run(work, urgency);
    if (result) return result;
    this.telemetry.count('foyer.hash.refused', {});
    throw new HasherBusy();
  }
}

/** @returns a hash of the configured cost that matches no password */
function createDummyHash(memoryKiB: number, iterations: number): string {
  const part = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `${ALGORITHM}m=${memoryKiB},t=${iterations},p=${LANES}$${part(SALT_BYTES)}$${part(HASH_BYTES)}`;
}
