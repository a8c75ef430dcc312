/** Reads the example of docs/scim.md as the gateway does. */
import { expect, it } from '@jest/globals';
import { buildUserSourcesKind } from '../../src/config/source-kinds.js';
import { toExamples } from '../support/doc-examples.js';

it('docs/scim.md: the example is a source that can be used', () => {
  const example = toExamples('docs/scim.md').get('scim.json') ?? '';
  const reading = buildUserSourcesKind(() => 't'.repeat(40)).read(example);
  expect(reading).toMatchObject({
    value: [
      { type: 'scim', id: 'entra', signIn: { provider: 'microsoft', claim: 'oid' }, groups: { most: 100 }, onDelete: 'delete' },
    ],
  });
});
