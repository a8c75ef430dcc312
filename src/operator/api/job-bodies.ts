/** Bodies and queries of the calls about jobs. Only the types, cursors and ranges of numbers are checked here. */
import { IsInt, IsObject, Max, Min } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';
import { DAYS_RULE, Cursor, Limit, Text } from './body-members.js';

/** The largest number that the database can store; `AccountJobs` limits the number of accounts of a job. */
const MAX_JOB_COUNT = 2_147_483_647;
const COUNT_RULE = { message: `$property must be a whole number from 0 to ${MAX_JOB_COUNT}.` };

/** A job whose accounts are counted. */
export class JobCountBody {
  /** `disable`, `enable`, `end_sessions`, `mail_reset`, `invite` or `schedule_deletion`. */
  @Text() action: string;
  /** The parameters of the list of accounts as strings, without `cursor` and `limit`. */
  @IsObject({ message: '$property must be a JSON object.' }) filter: Record<string, unknown>;
}

/** A job to start. */
export class JobBody extends JobCountBody {
  /** The number of accounts that was counted: the job does not start if the number has changed. */
  @Max(MAX_JOB_COUNT, COUNT_RULE) @Min(0, COUNT_RULE) @IsInt(COUNT_RULE) count: number;
  /** Days until the scheduled deletion, from 1 to 90; only for `schedule_deletion`. */
  @OptionalMember(Max(90, DAYS_RULE), Min(1, DAYS_RULE), IsInt(DAYS_RULE)) days?: number;
}

/** The page of a list of jobs, or of the failures of a job. */
export class JobListQuery {
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of entries, up to 200; default: 50. */
  @Limit() limit?: string;
}
