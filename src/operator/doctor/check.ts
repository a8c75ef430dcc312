/** The shape of a check. A new one is one more file in `checks/` and one more line in `checks.ts`. */
import type { Examination } from './examination.js';
import type { Finding } from './finding.js';

export interface Check {
  /** Heading in the report. */
  title: string;
  run(examined: Examination): Promise<Finding[]>;
}
