/**
 * Verifies a mailed code with which a person signs in (`secrets/sign-in-codes.ts`), within the limits on guessing. A wrong code counts
 * like a wrong password, with the same counters. A name that no account has leads to the same statements, counting and answer as a wrong code.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import type { Account } from '../account/account.js';
import type { FactorCounts } from '../account/factor-counts.js';
import type { AuditContext } from '../audit/audit-log.js';
import { Attempts, type CheckOutcome, type RefusalReason, type AttemptState, type Wait } from '../limits/attempts.js';
import { findCandidate, type Candidate, type Lookup } from './candidate.js';
import { SourceAdmission } from './source-admission.js';
import type { SourceProblem } from './source-sign-in.js';
import type { CodeTry } from '../secrets/mailed-code.js';
import { SignInCodes, type CodeRequest, type CodeRules } from '../secrets/sign-in-codes.js';

export interface CodeAttempt {
  /** Id of the sign-in. */
  signIn: string;
  /** As typed. */
  code: string;
  rules: CodeRules;
  address: string;
  /** Secret of the known-device cookie; null if the browser has no such cookie. */
  device: string | null;
  requestId: string;
}

export interface ProvenCode {
  account: Account;
  factors: FactorCounts;
  /** See `account/security-stamp.ts`. */
  securityStamp: string;
  /** See `ProvenPassword`. True for every browser if the account has a password here or belongs to a source or provider. */
  isDeviceStored: boolean;
  isOwnedDevice: boolean | undefined;
}

/** `ended`: the code of this sign-in was not requested, has expired, was used or has no tries left. */
type CodeRefusal = { kind: 'refused' } | { kind: 'ended' } | SourceProblem;

export type CodeVerdict = (ProvenCode & { kind: 'proven' }) | CodeRefusal | Wait | { kind: 'busy' };

interface TypedCode extends Lookup {
  attempt: CodeAttempt;
  request: CodeRequest;
}

@Injectable()
export class CodeAttempts {
  constructor(
    private readonly database: Database,
    private readonly codes: SignInCodes,
    private readonly attempts: Attempts,
    private readonly sources: SourceAdmission,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  async attempt(attempt: CodeAttempt): Promise<CodeVerdict> {
    const request = await this.codes.find(attempt.signIn);
    const verdict: CodeVerdict = request ? await this.#judge(attempt, request) : { kind: 'ended' };
    const result = verdict.kind === 'ended' ? 'refused' : verdict.kind;
    this.telemetry.count('foyer.login.attempts', { 'foyer.login.method': 'code', 'foyer.login.result': result });
    return verdict;
  }

  async #judge(attempt: CodeAttempt, request: CodeRequest): Promise<CodeVerdict> {
    const { device, address, requestId } = attempt;
    const { username } = request;
    const lookup = await findCandidate({ username, device }, this.config.login, this.database);
    const { candidate } = lookup;
    const knownDevice = candidate?.device_known === true && device !== null ? { secret: device, accountId: candidate.id } : null;
    const countedAccount = { username: candidate?.username ?? username, accountId: candidate?.id ?? null };
    const verdict = await this.attempts.judge<ProvenCode, CodeRefusal>(
      { ...countedAccount, device: knownDevice, address, requestId, proof: 'sign-in-code' },
      (state) => this.#check({ ...lookup, attempt, request }, state),
    );
    if (verdict.kind === 'proven') return { kind: 'proven', ...verdict.proof };
    return verdict.kind === 'refused' ? verdict.refusal : verdict;
  }

  async #check(typedCode: TypedCode, { isStopped }: AttemptState): Promise<CheckOutcome<ProvenCode, CodeRefusal>> {
    const { attempt, request, candidate, lookedUpAt } = typedCode;
    const { signIn, device, rules } = attempt;
    const codeTry = await this.codes.countTry(request);
    const rightCode = await this.codes.findRightCode(signIn, request, attempt.code);
    const isRight = rightCode !== null && candidate?.id === rightCode.accountId && codeTry.isAllowed;
    if (!isRight || isStopped) return this.#refuse(typedCode, { codeTry, reason: isStopped ? 'stopped' : toReason(candidate) });
    const auditContext: AuditContext = { actor: 'person', address: attempt.address, requestId: attempt.requestId };
    // The mailbox stays with a person who has left the source.
    const admission = await this.sources.admit(candidate, { auditContext, lookedUpAt });
    if (admission.kind !== 'admitted') return { kind: 'refused', refusal: admission, counts: false, reason: 'source' };
    const factors = await this.codes.spend(rightCode, { rules, device: candidate.device_known ? device : null });
    if (!factors) return this.#refuse(typedCode, { codeTry, reason: 'replaced' });
    await this.codes.end(signIn);
    const { account, securityStamp } = admission;
    // On a known device, failures of others do not delay password guesses. A code therefore makes a browser known only if there is no password.
    const mayHavePassword = candidate.hash !== null || candidate.source !== null;
    const devices = { isDeviceStored: candidate.device_stored || mayHavePassword, isOwnedDevice: candidate.device_owned };
    // A right code does not clear the wrong passwords, because a reader of the mailbox would get further guesses at the password.
    return { kind: 'proven', proof: { account, factors, securityStamp, ...devices }, isCountedAccount: false };
  }

  async #refuse(
    { attempt: { signIn } }: TypedCode,
    { codeTry: { isLast }, reason }: { codeTry: CodeTry; reason: RefusalReason },
  ): Promise<CheckOutcome<ProvenCode, CodeRefusal>> {
    if (isLast) await this.codes.end(signIn);
    return { kind: 'refused', refusal: { kind: isLast ? 'ended' : 'refused' }, counts: true, reason };
  }
}

function toReason(candidate: Candidate | null): RefusalReason {
  if (candidate === null) return 'unknown-name';
  return candidate.status === 'active' ? 'wrong-code' : 'disabled';
}
