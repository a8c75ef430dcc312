/** Second factors: whether the kinds that are offered can work, and whether there is one where one is required. */
import { KINDS, workingKinds } from '../../../mfa/registry.js';
import type { Check } from '../check.js';
import { fault, ok } from '../finding.js';

export const factorsCheck: Check = {
  title: 'Second factors',
  async run({ config }) {
    const problems = KINDS.filter(({ name }) => config.mfa.factors.includes(name)).flatMap(({ examine }) => {
      const found = examine?.(config);
      return found ? [fault(found.problem, found.fix)] : [];
    });
    const offered = workingKinds(config).map(({ name }) => name);
    if (offered.length > 0) return [...problems, ok(`People can set up: ${offered.join(', ')}.`)];
    if (config.mfa.policy === 'optional') return [...problems, ok('People cannot set up a second factor.')];
    const nobody = 'A second factor is required, but people cannot set one up: they cannot sign in.';
    return [...problems, fault(nobody, 'Name a kind in MFA_FACTORS, or set MFA_POLICY=optional.')];
  },
};
