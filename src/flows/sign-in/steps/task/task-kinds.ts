import { Injectable } from '@nestjs/common';
import { EmailTask } from './email-task.js';
import { FieldsTask } from './fields-task.js';
import { PasswordTask } from './password-task.js';

/** All kinds of tasks. */
@Injectable()
export class TaskKinds {
  constructor(
    readonly password: PasswordTask,
    readonly email: EmailTask,
    readonly fields: FieldsTask,
  ) {}
}
