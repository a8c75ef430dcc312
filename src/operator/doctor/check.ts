/** The interface of a check of the doctor. A new check is one file in `checks/` and one entry in `checks.ts`. */
import type { Examination } from './examination.js';
import type { Finding } from './finding.js';

export interface Check {
  /** Heading in the report. */
  title: string;
  run(examination: Examination): Promise<Finding[]>;
}
