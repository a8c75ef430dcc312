/**
 * What a person has to do between a proof and the app. `Dispatch` finds the tasks at each of its decisions, without an SQL statement:
 * everything that decides about them is read with the account.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account, RequiredPassword } from '../../accounts/account/account.js';
import { findOpenTerms } from '../../accounts/terms/open-terms.js';
import { findMissingFields, findRequiredEmailProof, toDeadline, type Deadline } from '../../accounts/account/required-details.js';
import { Clock } from '../../config/clock.js';
import type { Config, SignUpField, Terms } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { hasOwnMethod } from '../../contract/authentication.js';

/**
 * A task, or the set-up of a factor, that a person may postpone until it is due; only `FieldsTask` postpones `fields`. Terms are named by
 * their id.
 */
export type PostponableTask = 'email' | 'fields' | 'factor' | `terms.${string}`;

export type TermsToAccept = { kind: 'terms'; terms: Terms } & Deadline;

/** `fields`: the account lacks them. */
export type Task =
  | TermsToAccept
  | ({ kind: 'password' } & RequiredPassword)
  | ({ kind: 'email' } & Deadline)
  | { kind: 'fields'; fields: readonly SignUpField[] };

export interface TaskCase {
  account: Pick<Account, 'acceptedTerms' | 'requiredPassword' | 'emailVerified' | 'hasSource' | 'attributes'>;
  /** The client that the person signs in to. */
  clientId: string;
  /**
   * Whether the password that is stored here was proven. Only then is a new password required: a provider alone must not set a password,
   * because that could lock the owner out.
   */
  provesPassword: boolean;
  /** The proven methods. A provider or a mailed code alone must not change the address. */
  amr: readonly string[];
  /**
   * What the person has postponed, which has no effect on a task that is due, except `fields`: the entered attributes cannot be stored
   * (`FieldsTask`). `everything`: for a session, which does not store what was postponed and continues until a task is due, and for a
   * request that started again.
   */
  postponed: readonly PostponableTask[] | 'everything';
}

/** @returns the outstanding tasks, in the order in which they have to be done */
export function findTasks(
  { account, clientId, provesPassword, amr, postponed }: TaskCase,
  { settings, terms: allTerms, now }: { settings: Config['tasks']; terms: readonly Terms[]; now: Date },
): Task[] {
  const { requiredPassword } = account;
  const isOpen = ({ laterUntil }: Deadline, key: PostponableTask): boolean =>
    laterUntil === undefined || (postponed !== 'everything' && !postponed.includes(key));
  const terms = findOpenTerms(account, { terms: allTerms, now }, clientId)
    .map((openTerms) => ({
      kind: 'terms' as const,
      terms: openTerms,
      ...(openTerms.laterUntil ? toDeadline(openTerms.laterUntil, now) : {}),
    }))
    .filter((task) => isOpen(task, toTaskKey(task)));
  const proof = hasOwnMethod(amr) ? findRequiredEmailProof(account, settings, now) : null;
  const fields = postponed !== 'everything' && postponed.includes('fields') ? [] : findMissingFields(account, settings);
  return [
    ...terms,
    ...(requiredPassword && provesPassword ? [{ kind: 'password' as const, ...requiredPassword }] : []),
    ...(proof && isOpen(proof, 'email') ? [{ kind: 'email' as const, ...proof }] : []),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : []),
  ];
}

/** The name of a task in a form, and in the list of postponed tasks. */
export function toTaskKey(task: TermsToAccept): `terms.${string}`;
export function toTaskKey(task: Task): Exclude<Task['kind'], 'terms'> | `terms.${string}`;
export function toTaskKey(task: Task): Exclude<Task['kind'], 'terms'> | `terms.${string}` {
  return task.kind === 'terms' ? `terms.${task.terms.id}` : task.kind;
}

/**
 * The tasks that replace the password or the address of an account. Its second factor or passkey has to be proven first: otherwise the
 * password alone would be enough to take the account over.
 */
const REPLACING_KINDS: readonly Task['kind'][] = ['password', 'email'];

export function isCredentialReplacement({ kind }: Task): boolean {
  return REPLACING_KINDS.includes(kind);
}

@Injectable()
export class Tasks {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'tasks' | 'terms'>,
    private readonly clock: Clock,
  ) {}

  /** The time that decides whether a task is due. */
  now(): Date {
    return this.clock.now();
  }

  find(taskCase: TaskCase): Task[] {
    const { tasks: settings, terms } = this.config;
    return findTasks(taskCase, { settings, terms, now: this.clock.now() });
  }
}
