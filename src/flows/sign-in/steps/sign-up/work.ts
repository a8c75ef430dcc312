/**
 * The work that a browser has to do before a code is mailed (`SIGN_UP_WORK`): an ALTCHA challenge (PBKDF2 until the key begins with a zero
 * byte), or, without script, a wait. Nothing is stored until it is used: the challenge is sealed in a field of the form, for one request
 * in one browser, and counts once, on all gateways together. A wait costs an attacker nothing, so only a part of the codes can be
 * requested that way.
 */
import { Inject, Injectable } from '@nestjs/common';
import { createChallenge, verifySolution, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { RequestLimits } from '../../../../accounts/limits/request-limits.js';
import { Clock } from '../../../../config/clock.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { Keys, fingerprint, randomToken } from '../../../../config/keys.js';
import { WORK_FIELDS, type WorkState } from '../../../../contract/registration-state.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';

const ALGORITHM = 'PBKDF2/SHA-256';
/** Two hexadecimal digits: 256 tries on average. */
const KEY_PREFIX = '00';
/** As long as the sign-up cookie is valid. */
const LIFETIME_SECONDS = 30 * 60;
const WAIT_SECONDS = 20;
/** A page states at least this wait, even if the wait is over. */
const MIN_SHOWN_SECONDS = 2;
const MAX_FIELD_LENGTH = 4096;

interface SealedWork {
  /** Random. The use of the work is counted under this id, and the key of the challenge's signature is derived from it. */
  id: string;
  /** The login request and the browser for which it counts. The challenge itself may be too long for a field of the form. */
  challengeHash: string;
  browser: string;
  /** In seconds since the epoch: when it counts without a solution, and until when it counts. */
  from: number;
  until: number;
  work: Challenge;
}

export interface SentWork {
  token: string;
  /** JSON of the counter and the key that the browser has found; empty without script. */
  solution: string;
}

/** `early`: the wait is not over. `again`: the work was used, has expired, is wrong, or was created for another request or browser. */
export type WorkRefusal = { kind: 'early' | 'again' } | { kind: 'limited'; retryAfter: number };

@Injectable()
export class SignUpWork {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
    private readonly limits: RequestLimits,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration'>,
  ) {}

  /**
   * @param earlierWork the work of the submitted form, whose wait continues
   * @returns the work for a form of this request; null if none is required
   */
  async create(
    challenge: string,
    { browser, formBrowser }: RequestContext,
    earlierWork: SentWork | null = null,
  ): Promise<WorkState | null> {
    const cost = this.config.registration.signUp?.workCost;
    if (cost === undefined) return null;
    const now = this.#nowSeconds();
    const waitingWork = earlierWork && this.#open(earlierWork.token, challenge, formBrowser);
    const id = randomToken();
    const work = await createChallenge({
      algorithm: ALGORITHM,
      cost,
      keyPrefix: KEY_PREFIX,
      deriveKey,
      hmacSignatureSecret: this.keys.mac('sign-up-work', id),
    });
    const waitEnd = waitingWork?.from ?? now + WAIT_SECONDS;
    const sealedWork: SealedWork = {
      id,
      challengeHash: fingerprint(challenge),
      browser,
      from: waitEnd,
      until: now + LIFETIME_SECONDS,
      work,
    };
    return {
      token: this.keys.seal('sign-up-work', JSON.stringify(sealedWork)),
      challenge: { parameters: work.parameters },
      wait: Math.max(waitEnd - now, MIN_SHOWN_SECONDS),
    };
  }

  /** Uses the work up. @returns null if it was done, or none is required */
  async use({ token, solution }: SentWork, challenge: string, context: RequestContext): Promise<WorkRefusal | null> {
    const settings = this.config.registration.signUp;
    if (settings?.workCost === undefined) return null;
    const sealedWork = this.#open(token, challenge, context.formBrowser);
    if (!sealedWork) return { kind: 'again' };
    if (solution === '' && sealedWork.from > this.#nowSeconds()) return { kind: 'early' };
    // Counted before the solution is verified, so that one form can cause only one verification, and a network only a limited number.
    if ((await this.limits.countTry(`sign-up-work\n${sealedWork.id}`, LIFETIME_SECONDS)) > 1) return { kind: 'again' };
    const { address, requestId } = context;
    const retryAfter =
      solution === ''
        ? await this.limits.countSignUpWait({ address, requestId, perHour: settings.codesPerHour })
        : await this.limits.count('sign-up-work', { address, requestId });
    if (retryAfter !== null) return { kind: 'limited', retryAfter };
    return solution === '' || (await this.#isSolved(sealedWork, solution)) ? null : { kind: 'again' };
  }

  async #isSolved({ id, work }: SealedWork, solution: string): Promise<boolean> {
    const parsedSolution = parseSolution(solution);
    if (!parsedSolution) return false;
    for (const hmacSignatureSecret of this.keys.macs('sign-up-work', id)) {
      const verdict = await verifySolution({ challenge: work, solution: parsedSolution, deriveKey, hmacSignatureSecret });
      if (verdict.verified) return true;
    }
    return false;
  }

  /** @returns null unless the work was created for this request and browser, and has not expired */
  #open(token: string, challenge: string, browser: string): SealedWork | null {
    const plaintext = this.keys.open('sign-up-work', token);
    if (plaintext === null) return null;
    const sealedWork = JSON.parse(plaintext) as SealedWork;
    const isOwn = sealedWork.challengeHash === fingerprint(challenge) && sealedWork.browser === browser;
    return isOwn && sealedWork.until > this.#nowSeconds() ? sealedWork : null;
  }

  #nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** @param body the unvalidated fields of the form */
export function readWork(body: Readonly<Record<string, unknown>>): SentWork {
  const read = (name: string): string => {
    const value = body[name];
    return typeof value === 'string' && value.length <= MAX_FIELD_LENGTH ? value : '';
  };
  return { token: read(WORK_FIELDS.token), solution: read(WORK_FIELDS.solution) };
}

function parseSolution(text: string): { counter: number; derivedKey: string } | null {
  try {
    const { counter, derivedKey } = JSON.parse(text) as { counter?: unknown; derivedKey?: unknown };
    return typeof counter === 'number' && typeof derivedKey === 'string' ? { counter, derivedKey } : null;
  } catch {
    return null;
  }
}
