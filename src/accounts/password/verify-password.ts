/**
 * Verifies a password where it is kept: here, or at a user source. Every failure costs one hash and the work of every source, except in a
 * known device or session. `PasswordAttempts` counts failures.
 */
import { Injectable } from '@nestjs/common';
import { toAccount, type Account } from '../account/account.js';
import type { SourceLink } from '../identities/source-accounts.js';
import { HasherBusy, PasswordHasher } from './hasher.js';
import type { Candidate } from './candidate.js';
import { SourceSignIn, type SourceProblem } from './source-sign-in.js';

export interface PasswordAttempt {
  username: string;
  password: string;
  /** Address of the client; the gateway has already applied the trusted proxies. */
  address: string;
  /** Secret of the known-device cookie, if present. */
  device: string | null;
  requestId: string;
}

/** What a proven password says before the account is looked at again. */
export interface ProvenPassword {
  account: Account;
  /**
   * False if `KnownDevices` should remember this browser: it is new to the account, or half of its lifetime is
   * over.
   */
  deviceRemembered: boolean;
  /** This browser's device is known to some account; undefined if that was not looked at. */
  deviceOwned: boolean | undefined;
  /** What begins by this proof names one of them: see `password-version.ts`, and `security-stamp.ts` for a source. */
  passwordVersion?: string | undefined;
  securityStamp?: string | undefined;
  /** The person at the source that verified the password. */
  link?: SourceLink;
}

export interface Failure {
  verdict: { kind: 'refused' } | { kind: 'busy' } | SourceProblem;
  /** Against the limits. */
  counts: boolean;
}

export interface TypedPassword {
  candidate: Candidate | null;
  attempt: PasswordAttempt;
  /** The person is signed in and shows the password once more. */
  isSignedIn: boolean;
  /** By the time of the database. */
  lookedUpAt: Date;
}

@Injectable()
export class VerifyPassword {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly sources: SourceSignIn,
  ) {}

  /** @returns the username for which attempts at the name are counted; null: the name itself */
  findCountedName(typed: string): Promise<string | null> {
    return this.sources.findCountedName(typed);
  }

  /** A password that is kept here is never sent to a source. @throws HasherBusy */
  async verify({ candidate, attempt, isSignedIn, lookedUpAt }: TypedPassword): Promise<ProvenPassword | Failure> {
    const { username, password } = attempt;
    if (candidate?.hash && candidate.source === null) {
      if (await this.#verify(candidate, password)) return toProof(candidate);
      // In their own session or browser people know that their password is kept here: they wait for no source.
      if (isSignedIn || candidate.device_known) return { verdict: { kind: 'refused' }, counts: true };
      // While a source is down, show its error for names that are kept here too: a different one would reveal them.
      return { verdict: (await this.sources.refuseWithSameWork(username)) ?? { kind: 'refused' }, counts: true };
    }
    const proof = await this.sources.prove({ ...attempt, isSignedIn, lookedUpAt }, candidate);
    if (proof.kind === 'proven') {
      const { kind: _, ...proven } = proof;
      return { ...proven, ...toDevices(candidate) };
    }
    const counts = proof.kind === 'refused';
    try {
      await this.hasher.verifyDummy(password);
      return { verdict: proof, counts };
    } catch (error) {
      if (!(error instanceof HasherBusy) || this.sources.isEmpty) throw error;
      // A source has checked the password: not counted, it could be guessed without limit while the hasher is busy.
      return { verdict: { kind: 'busy' }, counts };
    }
  }

  async #verify({ hash, status }: Candidate, password: string): Promise<boolean> {
    return hash === null || status !== 'active' ? this.hasher.verifyDummy(password) : this.hasher.verify(hash, password);
  }

  /** For an attempt that is refused whatever its password is. @returns what people of a source get. @throws HasherBusy */
  async refuseWithSameWork({ username, password }: PasswordAttempt): Promise<SourceProblem | null> {
    const problem = await this.sources.refuseWithSameWork(username);
    await this.hasher.verifyDummy(password);
    return problem;
  }

  /** @returns null if the hash is as it should be. @throws HasherBusy */
  async renewHash(hash: string, password: string): Promise<string | null> {
    return this.hasher.needsRehash(hash) ? this.hasher.hash(password) : null;
  }
}

/** A password that was right has a hash, and so a version. */
function toProof(candidate: Candidate): ProvenPassword {
  return { account: toAccount(candidate), ...toDevices(candidate), passwordVersion: candidate.password_version ?? '' };
}

/** Nothing is known of a name that is not an account's. */
function toDevices(candidate: Candidate | null): Pick<ProvenPassword, 'deviceRemembered' | 'deviceOwned'> {
  return { deviceRemembered: candidate?.device_fresh ?? false, deviceOwned: candidate?.device_owned };
}
