/**
 * Rules for bodies and queries of the operator API: a refusal names the member that is unknown, missing or of the wrong type.
 * The services validate the values.
 */
import { BodyPipe, type BodyRules } from '../../gateway/http/body.pipe.js';
import { OperatorFault } from './operator-fault.js';
import { quote, shorten } from './quote.js';

const RULES: BodyRules = {
  notAnObject: () => new OperatorFault(400, 'bad_json', 'The body must be a JSON object.'),
  unknownMember: (name, members) => {
    const list = members.length === 0 ? 'no members' : members.join(', ');
    const message = `${quote(name)} is not known; this call accepts ${list}.`;
    return new OperatorFault(400, 'unknown_member', message, { field: shorten(name) });
  },
  invalidMembers: ([{ name: field, isMissing, message }]) =>
    isMissing
      ? new OperatorFault(400, 'missing', `${field} is missing.`, { field })
      : new OperatorFault(400, 'wrong_type', message, { field }),
};

/** The pipe for all routes of the operator API, and for the lines of an import. */
export const operatorBodyPipe = new BodyPipe(() => RULES);

/** Removes null members, which are treated as left out. */
export function removeNulls(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
