/** The table of capabilities is what the contract suite proves, and what the page says. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withVersionTables } from '../../src/hydra/versions-table.js';
import { CAPABILITIES, CONSTANTS, NEWEST_RELEASE, OLDEST_RELEASE, hasCapability, releaseName } from '../../src/hydra/versions.js';
import { PROJECT } from '../support/scratch-tree.js';

const SUITE = join(PROJECT, 'test', 'conformance', 'upstream');
const suite = (readdirSync(SUITE, { recursive: true }) as string[])
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(SUITE, path), 'utf8'))
  .join('\n');
const page = readFileSync(join(PROJECT, 'docs', 'hydra-versions.md'), 'utf8');

describe('what each Hydra can do', () => {
  it('stands in docs/hydra-versions.md as the table says (npm run settings renews it)', () => {
    expect(page).toBe(withVersionTables(page));
    expect(page).toContain(`Hydra ${releaseName(OLDEST_RELEASE)}, the oldest it supports, to ${releaseName(NEWEST_RELEASE)}`);
  });

  it('is looked at by the contract suite, each capability and each constant', () => {
    const names = Object.keys(CAPABILITIES).filter((name) => !suite.includes(`'${name}'`) && !suite.includes(`'!${name}'`));
    const rows = CONSTANTS.map(({ row }) => row).filter((row) => !suite.includes(`'${row}`));
    expect({ names, rows }).toEqual({ names: [], rows: [] });
  });

  it('counts releases by their numbers, and takes what is not a release for the newest', () => {
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
