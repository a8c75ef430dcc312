/** Checks what browsers of 2019 receive (`docs/browsers.md`): styles that they understand, and a script that they run or cannot parse. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformTo2019, findFlexWithoutMargins, findNewFeatures } from '../support/old-browser.js';
import { loadOrBuildPages, type BuiltPages } from '../support/page-build.js';

let built: BuiltPages;

beforeAll(async () => {
  built = await loadOrBuildPages();
}, 180_000);
afterAll(() => built.remove());

/** @returns the name and the content of each file */
function readFiles(ending: string): [string, string][] {
  const folder = join(built.folder, 'assets');
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

const canParse = (script: string, ecmaVersion: 2020 | 2021): boolean => {
  try {
    parse(script, { ecmaVersion, sourceType: 'module' });
    return true;
  } catch {
    return false;
  }
};

/** Methods and regular expressions that Chrome 85, Firefox 79 or Safari 14 lacks, and that parsing as ES2021 does not detect. */
const NEWER_FEATURES =
  /(?<!\.\.)\.(?:at|findLast|findLastIndex|toSorted|toReversed|toSpliced|isWellFormed)\(|\bObject\.(?:hasOwn|groupBy)\b|\bstructuredClone\b|\bArray\.fromAsync\b|\bPromise\.(?:withResolvers|try)\b|\bAbortSignal\.(?:any|timeout)\b|\brandomUUID\b|\bURL\.canParse\b|\bdateStyle\b|\btimeStyle\b|\(\?<[=!]|\breplaceChildren\b|\.requestSubmit\(\)(?! instead)/;

describe('[GEN-11] the stylesheets', () => {
  it('use no feature that browsers of 2019 lack, unless there is a fallback', () => {
    for (const [name, css] of readFiles('.css')) expect([name, findNewFeatures(css)]).toEqual([name, []]);
  });

  it('have margins for browsers without `gap` in flex boxes', () => {
    expect(
      findFlexWithoutMargins(
        readFiles('.css')
          .map(([, css]) => css)
          .join(''),
      ),
    ).toEqual([]);
  });

  it('are parsed to the end by this test', () => {
    for (const [, css] of readFiles('.css')) expect(transformTo2019(css).length).toBeGreaterThan(css.length / 2);
  });
});

describe('the check for new CSS features', () => {
  it.each([
    ['a{color:light-dark(#000,#fff)}', 1],
    ['a{color:red;color:light-dark(#000,#fff)}', 0],
    ['@supports (color:light-dark(red,red)){a{color:light-dark(#000,#fff)}}', 0],
    ['a{color:oklch(from red l c h)}', 1],
    ['a{background:color-mix(in oklab,red,blue)}', 1],
    ['a{padding-inline:1px}', 1],
    ['a{padding-inline-start:1px}', 0],
    ['a{inset:0}', 1],
    ['a{width:min(1px,2px)}', 1],
    ['a{grid-template-columns:minmax(0,1fr)}', 0],
    ['a{min-height:100vh;min-height:100dvh}', 0],
    ['a{min-height:100dvh}', 1],
    ['a:has(b){color:red}', 1],
    ['a:is(b,i){color:red}', 1],
    ['a:focus-visible{color:red}', 1],
    ['a:focus:not(:focus-visible){outline:none}', 0],
    ['@layer x{a{color:red}}', 1],
    ['@media (width>=30rem){a{color:red}}', 1],
    ['@container (width>1px){a{color:red}}', 1],
    ['a{&:hover{color:red}}', 1],
    ['a{rotate:1turn}', 1],
    ['a{-webkit-mask:none;mask:none}', 0],
    ['a{mask:none}', 1],
  ])('finds in %s this number of features without a fallback: %d', (css, count) =>
    expect(findNewFeatures(css)).toHaveLength(count),
  );

  it('finds a flex box whose gap has no margin as a fallback', () => {
    const box = '.a{display:flex;gap:1px}';
    expect(findFlexWithoutMargins(box)).toEqual(['.a']);
    expect(findFlexWithoutMargins(`${box}@supports not (inset:0){.a>i{margin:1px}}`)).toEqual([]);
  });

  it('removes the features from the CSS that old browsers understand', () => {
    const css = '@supports (inset:0){a{top:0}}@supports not (inset:0){a{top:1px}}b{inset:0;left:0}c:has(d){top:0}';
    expect(transformTo2019(css)).toBe('a{top:1px}b{left:0}');
  });
});

describe('[GEN-12] the script', () => {
  it('can be parsed by browsers since 2020', () => {
    for (const [name, script] of readFiles('.js')) expect([name, canParse(script, 2021)]).toEqual([name, true]);
  });

  it('cannot be parsed by older browsers, so that no part of it runs there', () => {
    const shared = readFiles('.js').filter(([name]) => name.startsWith('client-'));
    expect(shared).toHaveLength(1);
    for (const [, script] of shared) expect(canParse(script, 2020)).toBe(false);
  });

  it('uses no feature that one of the browsers that can parse it lacks', () => {
    const found = readFiles('.js').flatMap(([name, script]) =>
      (NEWER_FEATURES.exec(script) ?? []).map((feature) => `${name}: ${feature}`),
    );
    expect(found).toEqual([]);
  });
});
