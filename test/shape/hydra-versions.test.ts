/** Checks that the contract suite tests the table of Hydra's capabilities, and that the document contains it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withVersionTables } from '../../src/hydra/versions-table.js';
import {
  CAPABILITIES,
  CONSTANTS,
  NEWEST_RELEASE,
  OLDEST_RELEASE,
  hasCapability,
  toReleaseName,
} from '../../src/hydra/versions.js';
import { PROJECT } from '../support/scratch-tree.js';

const SUITE = join(PROJECT, 'test', 'conformance', 'upstream');
const suite = (readdirSync(SUITE, { recursive: true }) as string[])
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(SUITE, path), 'utf8'))
  .join('\n');
const page = readFileSync(join(PROJECT, 'docs', 'hydra-versions.md'), 'utf8');

describe('the capabilities of each Hydra version', () => {
  it('are listed in docs/hydra-versions.md (npm run settings updates the page)', () => {
    expect(page).toBe(withVersionTables(page));
    expect(page).toContain(
      `Hydra ${toReleaseName(OLDEST_RELEASE)}, the oldest release that it supports, and ${toReleaseName(NEWEST_RELEASE)}`,
    );
  });

  it('are all tested by the contract suite, as are all constants', () => {
    const names = Object.keys(CAPABILITIES).filter((name) => !suite.includes(`'${name}'`) && !suite.includes(`'!${name}'`));
    const rows = CONSTANTS.map(({ row }) => row).filter((row) => !suite.includes(`'${row}`));
    expect({ names, rows }).toEqual({ names: [], rows: [] });
  });

  it('depend on the number of the release; any other version counts as the newest', () => {
    const device = ['v2.3.0', 'v25.3.9', 'v25.4.0', 'v26.2.0', '100.0.0', 'master'].map((version) => [
      version,
      hasCapability(version, 'deviceFlow'),
    ]);
    expect(Object.fromEntries(device)).toEqual({
      'v2.3.0': false,
      'v25.3.9': false,
      'v25.4.0': true,
      'v26.2.0': true,
      '100.0.0': true,
      master: true,
    });
  });
});
