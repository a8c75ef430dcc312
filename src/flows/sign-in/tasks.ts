/**
 * What a person has to do between a proof and the app. `Dispatch` asks it wherever `nextStep` says `accept`; everything that it needs
 * is read with the account, so that it costs no statement.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account, RequiredPassword } from '../../accounts/account/account.js';
import { findOpenTerms } from '../../accounts/terms/open-terms.js';
import { Clock } from '../../config/clock.js';
import type { Config, Terms } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';

export type TermsOfTask = {
  kind: 'terms';
  terms: Terms;
  /** Set while the person may postpone the task. */
  laterUntil?: Date;
};

export type Task = TermsOfTask | ({ kind: 'password' } & RequiredPassword);

export interface TaskCase {
  account: Pick<Account, 'requiredPassword' | 'acceptedTerms'>;
  /**
   * Whether the password that is stored here was proven. Nobody else is asked for a new one: a provider alone must not set a password,
   * because that could lock the owner out.
   */
  provesPassword: boolean;
  /** The client that the person signs in to. */
  clientId: string;
}

/** @returns the outstanding tasks, in the order in which they have to be done */
export function findTasks(taskCase: TaskCase, rules: { terms: readonly Terms[]; now: Date }): Task[] {
  const { account, provesPassword } = taskCase;
  const { requiredPassword } = account;
  const password: Task[] = requiredPassword && provesPassword ? [{ kind: 'password', ...requiredPassword }] : [];
  return [...findTerms(taskCase, rules), ...password];
}

function findTerms({ account, clientId }: TaskCase, rules: { terms: readonly Terms[]; now: Date }): TermsOfTask[] {
  return findOpenTerms(account, rules, clientId).map((terms) => {
    const { laterUntil } = terms;
    return { kind: 'terms', terms, ...(laterUntil && laterUntil > rules.now ? { laterUntil } : {}) };
  });
}

/** Names a task in the address of its page, so that the page remembers what was postponed. */
export function toTaskKey(task: Task): string {
  return task.kind === 'terms' ? `terms.${task.terms.id}` : task.kind;
}

@Injectable()
export class Tasks {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'terms'>,
    private readonly clock: Clock,
  ) {}

  find(taskCase: TaskCase): Task[] {
    return findTasks(taskCase, { terms: this.config.terms, now: this.clock.now() });
  }
}

/** @param postponed keys of tasks; ignored for tasks that may not be postponed */
export function withoutPostponed(tasks: readonly Task[], postponed: readonly string[]): Task[] {
  return tasks.filter((task) => !isPostponable(task) || !postponed.includes(toTaskKey(task)));
}

export function isPostponable(task: Task): boolean {
  return task.kind === 'terms' && task.laterUntil !== undefined;
}
