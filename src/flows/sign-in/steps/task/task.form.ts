/** The address and the form of the page of a task. */
import { FIELDS } from '../../../../contract/form-fields.js';
import { TASK_FIELDS } from '../../../../contract/task-state.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';

/** Limits only the work: the check of a new password limits its length in bytes. */
const MAX_PASSWORD_LENGTH = 4096;
const MAX_TRUST_LENGTH = 100;
const MAX_POSTPONED_LENGTH = 1000;

export class TaskQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(MAX_TRUST_LENGTH)
  [FIELDS.trustBrowser]?: string;

  @OptionalText(MAX_POSTPONED_LENGTH)
  [TASK_FIELDS.postponed]?: string;
}

/** See `TASK_QUERIES`. */
export class DecisionQuery {
  @OptionalText(20)
  decision?: string;
}

export class TaskForm extends TaskQuery {
  @OptionalText(60)
  [TASK_FIELDS.task]?: string;

  @OptionalText(100)
  [TASK_FIELDS.termsHash]?: string;

  @OptionalText(10)
  [TASK_FIELDS.accepted]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.password]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.passwordRepeat]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

/** @returns the keys of the postponed tasks, which come from an address or a form, without texts that cannot be a key */
export function readPostponed({ postponed = '' }: TaskQuery): string[] {
  return [...new Set(postponed.split(' '))].filter((key) => /^[a-z0-9.-]{1,50}$/.test(key));
}
