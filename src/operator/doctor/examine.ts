/**
 * Runs every check on one installation, and the burst on request. A check that throws or exceeds the time limit becomes a finding and does
 * not stop the others.
 */
import { CHECKS } from './checks.js';
import type { Check } from './check.js';
import { buildBurstCheck } from './checks/burst.check.js';
import { Examination, type ExaminationParts } from './examination.js';
import { fault, type Finding, type Level } from './finding.js';
import { waitAtMost } from '../../config/wait-at-most.js';

export interface Diagnosis {
  status: 'ok' | 'fault';
  counts: Record<Level, number>;
  findings: (Finding & { check: string })[];
}

export async function examine(parts: ExaminationParts, checks: readonly Check[] = CHECKS): Promise<Diagnosis> {
  const examination = new Examination(parts);
  const checkFindings = await Promise.all(checks.map((check) => runCheck(check, examination)));
  // The burst runs last and alone, because it slows down other checks.
  const burstFindings = parts.burst === undefined ? [] : await runCheck(buildBurstCheck(parts.burst), examination);
  const findings = [...checkFindings.flat(), ...burstFindings];
  const counts = { ok: 0, hint: 0, fault: 0 };
  for (const { level } of findings) counts[level] += 1;
  return { status: counts.fault > 0 ? 'fault' : 'ok', counts, findings };
}

async function runCheck(check: Check, examination: Examination): Promise<Diagnosis['findings']> {
  const work = runSafely(check, examination);
  const { checkTimeoutMs } = examination.parts;
  const findings = await (checkTimeoutMs === undefined ? work : waitAtMost(work, checkTimeoutMs, [LATE_FINDING]));
  return findings.map((finding) => ({ check: check.title, ...finding }));
}

async function runSafely(check: Check, examination: Examination): Promise<Finding[]> {
  try {
    return await check.run(examination);
  } catch (error) {
    return [toBrokenFinding(error)];
  }
}

const LATE_FINDING = fault(
  'This check did not finish in time, so its part of the installation was not checked.',
  'Look for a part that accepts connections and does not answer, then run the doctor again.',
);

/** Shows only the name of the error, because its message may contain a secret. */
function toBrokenFinding(error: unknown): Finding {
  const name = error instanceof Error ? error.name : typeof error;
  return fault(
    `This check failed with an unexpected error (${name}), so its part of the installation was not checked.`,
    'This is a defect in Foyer: please report it.',
  );
}
