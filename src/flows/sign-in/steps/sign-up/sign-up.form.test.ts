import { describe, expect, it } from '@jest/globals';
import { findFormFaults, readDetails, toStates } from './sign-up.form.js';

describe('[JOI-3] an attribute with the name of a member of every object', () => {
  const fields = [{ name: 'constructor', kind: 'text', isRequired: true }] as const;

  it('is missing if it is empty, and is shown empty', () => {
    const details = readDetails(fields, {});
    expect(findFormFaults(fields, details)).toEqual([{ field: 'constructor', code: 'missing' }]);
    expect(toStates(fields, details, [])).toMatchObject([{ name: 'constructor', value: '' }]);
  });
});
