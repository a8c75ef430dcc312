/** Checks that docs/architecture.md lists the existing folders and imports. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildMarkedTable, withGeneratedPart, type Marks } from '../../src/config/generated-part.js';
import { readText } from '../support/documents.js';
import { PROJECT } from '../support/scratch-tree.js';

interface Architecture {
  ARCHITECTURE_MARKS: Marks;
  buildArchitectureLines(): Promise<string[]>;
}

const page = readText('docs/architecture.md');

describe('docs/architecture.md', () => {
  it('lists the imports between the folders (npm run architecture updates them)', async () => {
    const script = new URL('../../scripts/lib/architecture.mjs', import.meta.url).href;
    const { ARCHITECTURE_MARKS, buildArchitectureLines } = (await import(script)) as Architecture;
    expect(page).toBe(
      withGeneratedPart(page, ARCHITECTURE_MARKS, buildMarkedTable(ARCHITECTURE_MARKS, await buildArchitectureLines())),
    );
  });

  it('says what each folder of the source owns', () => {
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const table = page.slice(0, page.indexOf('<!-- imports:begin'));
    expect(folders.map(({ name }) => name).filter((name) => !table.includes(`| \`src/${name}\` |`))).toEqual([]);
  });
});
