/** What browsers of 2019 are sent (`docs/browsers.md`): styles that they read, and a script that they run or cannot parse. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformTo2019, findFlexWithoutMargins, findNewFeatures } from '../support/old-browser.js';
import { buildPages, type BuiltPages } from '../support/page-build.js';

let built: BuiltPages;

beforeAll(async () => {
  built = await buildPages();
}, 60_000);
afterAll(() => built.remove());

function toFiles(ending: string): [string, string][] {
  const folder = join(built.folder, 'assets');
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

const parses = (script: string, ecmaVersion: 2020 | 2021): boolean => {
  try {
    parse(script, { ecmaVersion, sourceType: 'module' });
    return true;
  } catch {
    return false;
  }
};

/** Methods and regular expressions younger than Chrome 85, Firefox 79 and Safari 14, which ES2021 does not tell. */
const YOUNGER =
  /\.(?:at|findLast|findLastIndex|toSorted|toReversed|toSpliced|isWellFormed)\(|\bObject\.(?:hasOwn|groupBy)\b|\bstructuredClone\b|\bArray\.fromAsync\b|\bPromise\.(?:withResolvers|try)\b|\bAbortSignal\.(?:any|timeout)\b|\brandomUUID\b|\bURL\.canParse\b|\bdateStyle\b|\btimeStyle\b|\(\?<[=!]|\breplaceChildren\b|\.requestSubmit\(\)(?! instead)/;

describe('[GEN-11] the stylesheets', () => {
  it('have nothing that browsers of 2019 do not know and nothing else stands for', () => {
    for (const [name, css] of toFiles('.css')) expect([name, findNewFeatures(css)]).toEqual([name, []]);
  });

  it('have margins where those browsers know no gap', () => {
    expect(
      findFlexWithoutMargins(
        toFiles('.css')
          .map(([, css]) => css)
          .join(''),
      ),
    ).toEqual([]);
  });

  it('are read to the end by the parser of this test', () => {
    for (const [, css] of toFiles('.css')) expect(transformTo2019(css).length).toBeGreaterThan(css.length / 2);
  });
});

describe('what is too young', () => {
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
  ])('%s', (css, count) => expect(findNewFeatures(css)).toHaveLength(count));

  it('and a flex box whose gap has no margin', () => {
    const box = '.a{display:flex;gap:1px}';
    expect(findFlexWithoutMargins(box)).toEqual(['.a']);
    expect(findFlexWithoutMargins(`${box}@supports not (inset:0){.a>i{margin:1px}}`)).toEqual([]);
  });

  it('is gone from what they read', () => {
    const css = '@supports (inset:0){a{top:0}}@supports not (inset:0){a{top:1px}}b{inset:0;left:0}c:has(d){top:0}';
    expect(transformTo2019(css)).toBe('a{top:1px}b{left:0}');
  });
});

describe('[GEN-12] the script', () => {
  it('is parsed by browsers from 2020 on, file by file', () => {
    for (const [name, script] of toFiles('.js')) expect([name, parses(script, 2021)]).toEqual([name, true]);
  });

  it('is not parsed by older ones, where no part of it runs', () => {
    const shared = toFiles('.js').filter(([name]) => name.startsWith('client-'));
    expect(shared).toHaveLength(1);
    for (const [, script] of shared) expect(parses(script, 2020)).toBe(false);
  });

  it('calls nothing that those who parse it may lack', () => {
    const found = toFiles('.js').flatMap(([name, script]) => (YOUNGER.exec(script) ?? []).map((what) => `${name}: ${what}`));
    expect(found).toEqual([]);
  });
});
