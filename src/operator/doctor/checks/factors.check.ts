/** Checks whether the kinds of second factor that are offered or in use can work, and whether people can set up a required one. */
import type { FactorKind } from '../../../mfa/factor.port.js';
import { KINDS, findWorkingFactors, findWorkingKinds } from '../../../mfa/registry.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const factorsCheck: Check = {
  title: 'Second factors',
  async run(examination) {
    const { config } = examination;
    const findings = await checkKinds(examination);
    const workingKinds = findWorkingKinds(config);
    const cautions = workingKinds.flatMap(({ byMail }) => (byMail ? [hint(byMail.caution.problem, byMail.caution.fix)] : []));
    if (findWorkingFactors(config).length > 0) {
      return [...findings, ...cautions, ok(`People can set up: ${workingKinds.map(({ name }) => name).join(', ')}.`)];
    }
    if (config.mfa.policy === 'optional') return [...findings, ok('People cannot set up a second factor.')];
    const what = 'A second factor is required, but people cannot set one up, so they cannot sign in.';
    return [...findings, fault(what, 'Add a kind of second factor to MFA_FACTORS, or set MFA_POLICY=optional.')];
  },
};

/** A kind that is no longer offered must still work for people who have set it up. */
async function checkKinds(examination: Examination): Promise<Finding[]> {
  const { config } = examination;
  const findings: Finding[] = [];
  for (const kind of KINDS) {
    const obstacle = kind.examine?.(config);
    if (!obstacle) continue;
    const holderCount = await countHolders(kind, examination);
    if (config.mfa.factors.includes(kind.name)) {
      findings.push(fault(`MFA_FACTORS names ${kind.name}, but ${obstacle.problem}.`, obstacle.fix));
    }
    if (holderCount > 0) {
      const people = holderCount === 1 ? '1 account has' : `${holderCount} accounts have`;
      findings.push(fault(`${people} the second factor ${kind.name}, but ${obstacle.problem}.`, obstacle.fix));
    }
  }
  return findings;
}

async function countHolders({ folder }: FactorKind, examination: Examination): Promise<number> {
  const { inspection } = await examination.database();
  return inspection.state === 'open' ? (inspection.factorHolders[folder] ?? 0) : 0;
}
