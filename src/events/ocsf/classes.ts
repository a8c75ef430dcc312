/**
 * The classes of the Open Cybersecurity Schema Framework (OCSF) 1.8.0 to which audit events are mapped, with the numbers and names of the
 * published schema. A test compares them with that schema.
 */
export const OCSF_VERSION = '1.8.0';

const CREATE = 'Create';
const READ = 'Read';
const UPDATE = 'Update';
const DELETE = 'Delete';

export const CATEGORIES = { 0: 'Uncategorized', 3: 'Identity & Access Management', 6: 'Application Activity' } as const;

export const CLASSES = {
  'Base Event': { uid: 0, category: 0, activities: {} },
  'Account Change': {
    uid: 3001,
    category: 3,
    activities: {
      1: CREATE,
      2: 'Enable',
      3: 'Password Change',
      4: 'Password Reset',
      5: 'Disable',
      6: DELETE,
      9: 'Lock',
      10: 'MFA Factor Enable',
      11: 'MFA Factor Disable',
      12: 'Unlock',
    },
  },
  Authentication: { uid: 3002, category: 3, activities: { 1: 'Logon', 2: 'Logoff', 6: 'Preauth' } },
  'Authorize Session': { uid: 3003, category: 3, activities: { 1: 'Assign Privileges' } },
  'Entity Management': { uid: 3004, category: 3, activities: { 1: CREATE, 2: READ, 3: UPDATE, 4: DELETE } },
  'User Access Management': { uid: 3005, category: 3, activities: { 1: 'Assign Privileges', 2: 'Revoke Privileges' } },
  'Application Lifecycle': { uid: 6002, category: 6, activities: { 3: 'Start' } },
  'API Activity': { uid: 6003, category: 6, activities: { 2: READ } },
  'Application Error': { uid: 6008, category: 6, activities: { 1: 'General Error' } },
} as const;

export type ClassName = keyof typeof CLASSES;

/** The activities of a class that have a number in the schema. */
export type ActivityOf<Name extends ClassName> = Extract<
  (typeof CLASSES)[Name]['activities'][keyof (typeof CLASSES)[Name]['activities']],
  string
>;

/** The number of every activity that the schema does not define; the event contains its name. */
export const OTHER_ACTIVITY_ID = 99;

export const SEVERITIES = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' } as const;
export type SeverityId = keyof typeof SEVERITIES;

export const STATUSES = { 0: 'Unknown', 1: 'Success', 2: 'Failure' } as const;
export type StatusId = keyof typeof STATUSES;

/** @returns the number of an activity of the class; 99 for an activity that the schema does not define */
export function findActivityId(className: ClassName, activity: string): number {
  const entry = Object.entries(CLASSES[className].activities).find(([, name]) => name === activity);
  return entry ? Number(entry[0]) : OTHER_ACTIVITY_ID;
}
