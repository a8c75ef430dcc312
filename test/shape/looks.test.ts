/** Checks that the built stylesheets contain the names that `docs/looks.md` guarantees to the stylesheets of installations. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stylesheet } from '../../src/config/style-kind.js';
import { loadOrBuildPages, type BuiltPages } from '../support/page-build.js';
import { findNewFeatures } from '../support/old-browser.js';

const DOCUMENT = readFileSync('docs/looks.md', 'utf8');

let built: BuiltPages;
let css = '';

beforeAll(async () => {
  built = await loadOrBuildPages();
  const folder = join(built.folder, 'assets');
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'));
  css = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}, 180_000);
afterAll(() => built.remove());

/** Finds names in the first column of the tables. */
const findNames = (pattern: RegExp): string[] =>
  DOCUMENT.split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(pattern)].map(([, name = '']) => name));

describe('[LKS-3] the guaranteed names', () => {
  it('belong to properties that the pages set and use', () => {
    const properties = findNames(/`(--[\w-]+)`/g);
    expect(properties.length).toBeGreaterThan(20);
    expect(properties.filter((name) => !css.includes(`${name}:`) || !css.includes(`var(${name}`))).toEqual([]);
  });

  it('belong to classes that the pages have', () => {
    const classes = findNames(/`(\.[\w-]+)`/g);
    expect(classes.length).toBeGreaterThan(15);
    expect(classes.filter((name) => !new RegExp(`\\${name}(?![\\w-])`).test(css))).toEqual([]);
  });

  it('are used by an example that the setting accepts and that browsers of 2019 understand', () => {
    const [, example = ''] = /```css\n([^]*?)```/.exec(DOCUMENT) ?? [];
    expect(stylesheet.read(example)).toEqual({ value: example });
    expect(findNewFeatures(example)).toEqual([]);
  });
});
