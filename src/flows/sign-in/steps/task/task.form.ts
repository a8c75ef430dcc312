/** The query and the form of the page of a task. */
import { FIELDS, MANAGE_QUERY } from '../../../../contract/form-fields.js';
import { TASK_FIELDS } from '../../../../contract/task-state.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';

/** Limits only the work: the check of a new password has a smaller limit (VAL-1). */
const MAX_PASSWORD_LENGTH = 4096;
const MAX_TRUST_LENGTH = 100;

export class TaskQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(MAX_TRUST_LENGTH)
  [FIELDS.trustBrowser]?: string;

  /** `ask` shows the form for the address, although a code was mailed. */
  @OptionalText(20)
  [MANAGE_QUERY.status]?: string;
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

  @OptionalText(1024)
  [FIELDS.email]?: string;

  @OptionalText(100)
  [FIELDS.code]?: string;

  @OptionalText(10)
  [FIELDS.proceed]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

/** `details`: all fields of the form, unvalidated. */
export type SubmittedTask = TaskForm & { details: Readonly<Record<string, unknown>> };
