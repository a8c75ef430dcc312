/**
 * What a person has to do between a proof and the app. `Dispatch` asks it wherever `nextStep` says `accept`; everything that it needs
 * is read with the account, so that it costs no statement.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account, RequiredPassword } from '../../accounts/account/account.js';
import { findMissingFields, findRequiredEmailProof, type Deadline } from '../../accounts/account/required-details.js';
import { Clock } from '../../config/clock.js';
import type { Config, SignUpField } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { hasOwnMethod } from '../../contract/authentication.js';

/** What may be postponed until its day, once in each sign-in. */
export type Postponable = 'email' | 'fields' | 'factor';

/** A session says nothing about what was postponed: it continues until a task is due. */
export const EVERYTHING_POSTPONABLE: readonly Postponable[] = ['email'];

/** `fields`: the account lacks them. */
export type Task =
  | ({ kind: 'password' } & RequiredPassword)
  | ({ kind: 'email' } & Deadline)
  | { kind: 'fields'; fields: readonly SignUpField[] };

export interface TaskCase {
  account: Pick<Account, 'requiredPassword' | 'emailVerified' | 'hasSource' | 'attributes'>;
  /**
   * Whether the password that is stored here was proven. Nobody else is asked for a new one: a provider alone must not set a password,
   * because that could lock the owner out.
   */
  provesPassword: boolean;
  /** The proven methods. A provider or a mailed code alone must not change the address. */
  amr: readonly string[];
  /** What the person has postponed, which has no effect on a proof that is due. `fields`: they cannot be stored (`FieldsTask`). */
  postponed: readonly Postponable[];
}

/** @returns the outstanding tasks, in the order in which they have to be done */
export function findTasks(
  { account, provesPassword, amr, postponed }: TaskCase,
  { settings, now }: { settings: Config['tasks']; now: Date },
): Task[] {
  const { requiredPassword } = account;
  const proof = hasOwnMethod(amr) ? findRequiredEmailProof(account, settings, now) : null;
  const isPostponed = proof?.laterUntil !== undefined && postponed.includes('email');
  const fields = postponed.includes('fields') ? [] : findMissingFields(account, settings);
  return [
    ...(requiredPassword && provesPassword ? [{ kind: 'password' as const, ...requiredPassword }] : []),
    ...(proof && !isPostponed ? [{ kind: 'email' as const, ...proof }] : []),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : []),
  ];
}

/** The tasks that replace a way to the account, so that its second factor or passkey has to be proven before. */
const REPLACING: readonly Task['kind'][] = ['password', 'email'];

export function replacesCredential({ kind }: Task): boolean {
  return REPLACING.includes(kind);
}

@Injectable()
export class Tasks {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'tasks'>,
    private readonly clock: Clock,
  ) {}

  /** The time with which the day of a task is compared. */
  now(): Date {
    return this.clock.now();
  }

  find(taskCase: TaskCase): Task[] {
    return findTasks(taskCase, { settings: this.config.tasks, now: this.clock.now() });
  }
}
