import { describe, expect, it } from '@jest/globals';
import { toReportedError } from './oauth-errors.js';

const DENIAL = 'The resource owner or authorization server denied the request.';
const TRAP = 'Call +49 900 123456 and give us your password.';

describe('[ERR-5] an error in the address', () => {
  it.each([
    ['access_denied', DENIAL, { code: 'access_denied', description: DENIAL, foreignText: '' }],
    ['access_denied', `${DENIAL} ${TRAP}`, { code: 'access_denied', description: DENIAL, foreignText: TRAP }],
    ['access_denied', TRAP, { code: 'access_denied', description: '', foreignText: TRAP }],
    [
      'request_forbidden',
      'The request is not allowed. No CSRF value available in the session cookie.',
      {
        code: 'request_forbidden',
        description: 'The request is not allowed. No CSRF value available in the session cookie.',
        foreignText: '',
      },
    ],
    ['Your account is locked', TRAP, { code: '', description: '', foreignText: `Your account is locked: ${TRAP}` }],
    ['', '', { code: '', description: '', foreignText: '' }],
  ])('is split into the words of Hydra and other words: %s, %s', (error, description, expected) => {
    expect(toReportedError(error, description)).toEqual(expected);
  });
});
