/** Checks that links in documents work, and that the documents which code and tests cite are in the repository. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toAnchors, documents, firstCells, relativeLinks, readText } from '../support/documents.js';
import { PROJECT } from '../support/scratch-tree.js';

const MAX_README_BYTES = 8192;
const CODE_FOLDERS = ['src', 'web', 'console', 'embedded', 'scripts', 'test', 'testing', 'test-kit', 'deploy'];
const CODE_FILE = /\.(tsx?|mjs|css|ya?ml)$/;
/** This file breaks rules on purpose, with names of documents that do not exist. */
const RULE_BREAKER = join('test', 'shape', 'words.test.ts');

const code = CODE_FOLDERS.filter((folder) => existsSync(join(PROJECT, folder))).flatMap((folder) =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => CODE_FILE.test(path) && join(folder, path) !== RULE_BREAKER)
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(PROJECT, folder, path), 'utf8') })),
);

/** @returns the matches, each with one file that contains it */
function findCitations(pattern: RegExp): Map<string, string> {
  return new Map(code.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, found = '']) => [found, path])));
}

function findMissing(ids: ReadonlyMap<string, string>, known: readonly string[]): string[] {
  return [...ids].filter(([id]) => !known.includes(id)).map(([id, path]) => `${id} (${path})`);
}

describe('the README', () => {
  it('has at most 8 KB', () => {
    expect(Buffer.byteLength(readText('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES);
  });
});

describe('the links in documents', () => {
  const links = documents().flatMap(relativeLinks);

  it('lead to files that exist', () => {
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ to }) => !existsSync(join(PROJECT, to)))).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const anchored = links.filter(({ to, anchor }) => anchor !== '' && to.endsWith('.md'));
    expect(anchored.length).toBeGreaterThan(10);
    expect(anchored.filter(({ to, anchor }) => !toAnchors(to).has(anchor))).toEqual([]);
  });

  it('lead from the index to every page', () => {
    const listed = new Set(['docs/README.md', ...relativeLinks('docs/README.md').map(({ to }) => to)]);
    const folders = ['docs/clients/', 'docs/decisions/'];
    const pages = documents().filter((path) => !folders.some((folder) => path.startsWith(folder)));
    expect(pages.filter((path) => !listed.has(path) && path !== 'CONTRIBUTING.md')).toEqual([]);
    expect(listed).toContain('CONTRIBUTING.md');
  });
});

describe('citations in code and tests', () => {
  it('name documents that exist', () => {
    const paths = findCitations(/\b(docs\/[\w./-]+\.(?:md|json))\b/g);
    expect(paths.size).toBeGreaterThan(10);
    expect([...paths].filter(([path]) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  it('name threats, faults and decisions of docs/security.md', () => {
    const known = firstCells('docs/security.md');
    const ids = findCitations(/\b([SR]-\d{2,}[a-z]?)\b/g);
    expect(ids.size).toBeGreaterThan(30);
    expect(findMissing(ids, known)).toEqual([]);
    expect(findMissing(findCitations(/(?:security decision |it\(['"])(D\d+)\b/g), known)).toEqual([]);
    expect(findMissing(findCitations(/(?:security\.md,? |it\(['"]\[?|S-\d+ )(V\d+)\b/g), known)).toEqual([]);
  });

  it('name facts and rows of docs/hydra-behaviour.md', () => {
    const known = [...firstCells('docs/hydra-behaviour.md'), ...findHeadingNumbers('docs/hydra-behaviour.md')];
    const rows = findCitations(/\b(D\.\d+)\b/g);
    expect(rows.size).toBeGreaterThan(50);
    expect(findMissing(rows, known)).toEqual([]);
    expect(findMissing(findCitations(/docs\/hydra-behaviour\.md,? (?:part )?([A-G](?:\.\d+)?)\b/g), known)).toEqual([]);
  });

  it('name no document outside the repository', () => {
    const strangers = /\b(hydra-contract|house\.md|design\.md|stack\.md|style\.md|ui\.md|findings\.md)\b/g;
    const own = join('test', 'shape', 'documents.test.ts');
    expect([...findCitations(strangers)].filter(([, path]) => path !== own)).toEqual([]);
  });
});

describe('docs/requirements.md', () => {
  it('has each row of test/requirements.json once', () => {
    const ids = firstCells('docs/requirements.md').filter((cell) => /^[A-Z0-9]{3}-\d+$/.test(cell));
    const table = JSON.parse(readText('test/requirements.json')) as { requirements: { id: string }[] };
    expect([...ids].sort()).toEqual(table.requirements.map(({ id }) => id).sort());
  });
});

describe('the decision records', () => {
  const files = documents().filter((path) => /^docs\/decisions\/(?!README)/.test(path));

  it('have unique numbers and names in kebab-case', () => {
    const named = files.map((path) => basename(path)).sort();
    expect(new Set(named.map((name) => name.slice(0, 4))).size).toBe(named.length);
    expect(named.filter((name) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)+\.md$/.test(name))).toEqual([]);
  });

  it('are all listed in the index with their titles', () => {
    const titles = files.map((path) => {
      const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(readText(path)) ?? [];
      return `| [${number}](${basename(path)}) | ${title} |`;
    });
    const index = readText('docs/decisions/README.md').match(/^\| \[\d{4}\].+$/gm) ?? [];
    expect([...index].sort()).toEqual(titles.sort());
  });
});

describe('the walks of CONTRIBUTING.md', () => {
  // The limits apply to files of the product, without locales and tests.
  it.each([
    ['page', 8],
    ['factor', 8],
    ['language', 1],
    ['setting', 6],
  ])('mention only files that exist, and for adding a %s at most %d', (walk, most) => {
    const files = readWalk(walk);
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
    expect(files.filter((file) => !/^(locales|test)\/|\.test\.tsx?$/.test(file)).length).toBeLessThanOrEqual(most);
  });

  it('mention for adding a page exactly the files that mention the example page', () => {
    const known = [...code, ...['de', 'en'].map((name) => `locales/${name}.json`).map((path) => ({ path, text: readText(path) }))]
      .filter(
        ({ path, text }) =>
          /\bnot_me\b|NotMe(Flow|Controller)/.test(text) && !/^(src\/mail|test\/(support|conformance|e2e))\//.test(path),
      )
      .map(({ path }) => path);
    const walk = readWalk('page');
    expect(walk.filter((path) => !known.includes(path) && !/\.test\.tsx?$/.test(path))).toEqual([]);
    expect(known.filter((path) => !walk.includes(path) && !/\.test\.tsx?$/.test(path))).toEqual([]);
  });
});

function readWalk(name: string): string[] {
  const [, list = ''] = new RegExp(`<!-- walk:${name} -->([\\s\\S]*?)<!-- walk:end -->`).exec(readText('CONTRIBUTING.md')) ?? [];
  return [...list.matchAll(/^- `([^`]+)`$/gm)].map(([, file = '']) => file);
}

function findHeadingNumbers(path: string): string[] {
  const headings = [...readText(path).matchAll(/^#{2,3} ([A-G](?:, [A-G]| ?\.\d+)?)/gm)];
  return headings.flatMap(([, number = '']) => number.split(', '));
}
