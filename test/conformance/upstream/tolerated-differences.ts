/**
 * Where the embedded upstream may differ from a real Hydra, and why the difference is harmless. Any difference that is not
 * in this table is a defect in the embedded upstream.
 */
import { EMBEDDED } from '../../support/upstream-leg.js';

const TOLERATED = {
  codeFlowOnly: {
    leg: EMBEDDED,
    reason: 'Tokens in the address bar (implicit and hybrid flows) are left out, so discovery does not offer them.',
  },
  requestObjects: {
    leg: EMBEDDED,
    reason: 'Request objects are left out, so discovery does not offer them, and the client is told so.',
  },
} as const satisfies Record<string, { leg: string; reason: string }>;

export type ToleratedDifference = keyof typeof TOLERATED;

export function tolerates(leg: string, difference: ToleratedDifference): boolean {
  return TOLERATED[difference].leg === leg;
}
