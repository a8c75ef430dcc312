/**
 * Rules for bodies and queries of the operator API: unknown, missing and wrongly typed members are refused by name. The
 * accounts validate the values.
 */
import { BodyPipe, type BodyRules } from '../../gateway/http/body.pipe.js';
import { OperatorFault } from './operator-fault.js';
import { quoted, shortened } from './quoted.js';

const RULES: BodyRules = {
  notAnObject: () => new OperatorFault(400, 'bad_json', 'The body has to be a JSON object.'),
  unknown: (name, known) => {
    const takes = known.length === 0 ? 'nothing' : known.join(', ');
    const message = `${quoted(name)} is unknown here; this call takes ${takes}.`;
    return new OperatorFault(400, 'unknown_member', message, { field: shortened(name) });
  },
  invalid: ([{ name: field, isMissing, message }]) =>
    isMissing
      ? new OperatorFault(400, 'missing', `${field} is missing.`, { field })
      : new OperatorFault(400, 'wrong_type', message, { field }),
};

/** For every route of the operator API and for lines of an import. */
export const operatorBodyPipe = new BodyPipe(() => RULES);

/** A null member counts as absent. */
export function withoutNulls(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
