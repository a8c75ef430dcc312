/** Documents hold together: links lead somewhere, and what code and tests cite is in the repository. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toAnchors, documents, firstCells, relativeLinks, readText } from '../support/documents.js';
import { PROJECT } from '../support/scratch-tree.js';

const LONGEST_README_BYTES = 8192;
const CODE_FOLDERS = ['src', 'web', 'embedded', 'scripts', 'test', 'testing', 'test-kit', 'deploy'];
const CODE_FILE = /\.(tsx?|mjs|css|ya?ml)$/;
/** Breaks rules on purpose, with names of documents that do not exist. */
const INVENTED = join('test', 'shape', 'words.test.ts');

const code = CODE_FOLDERS.filter((folder) => existsSync(join(PROJECT, folder))).flatMap((folder) =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => CODE_FILE.test(path) && join(folder, path) !== INVENTED)
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(PROJECT, folder, path), 'utf8') })),
);

/** @returns what matches, each with one file that has it */
function findCited(pattern: RegExp): Map<string, string> {
  return new Map(code.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, found = '']) => [found, path])));
}

function findMissing(ids: ReadonlyMap<string, string>, known: readonly string[]): string[] {
  return [...ids].filter(([id]) => !known.includes(id)).map(([id, path]) => `${id} (${path})`);
}

describe('the README', () => {
  it('has at most 8 KB', () => {
    expect(Buffer.byteLength(readText('README.md'))).toBeLessThanOrEqual(LONGEST_README_BYTES);
  });
});

describe('links of documents', () => {
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

  it('of the index name every page', () => {
    const listed = new Set(['docs/README.md', ...relativeLinks('docs/README.md').map(({ to }) => to)]);
    const folders = ['docs/clients/', 'docs/decisions/'];
    const pages = documents().filter((path) => !folders.some((folder) => path.startsWith(folder)));
    expect(pages.filter((path) => !listed.has(path) && path !== 'CONTRIBUTING.md')).toEqual([]);
    expect(listed).toContain('CONTRIBUTING.md');
  });
});

describe('what code and tests cite', () => {
  it('are documents that exist', () => {
    const paths = findCited(/\b(docs\/[\w./-]+\.(?:md|json))\b/g);
    expect(paths.size).toBeGreaterThan(10);
    expect([...paths].filter(([path]) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  it('are threats, faults and decisions of docs/security.md', () => {
    const known = firstCells('docs/security.md');
    const ids = findCited(/\b([SR]-\d{2,}[a-z]?)\b/g);
    expect(ids.size).toBeGreaterThan(30);
    expect(findMissing(ids, known)).toEqual([]);
    expect(findMissing(findCited(/(?:security decision |it\(['"])(D\d+)\b/g), known)).toEqual([]);
    expect(findMissing(findCited(/(?:security\.md,? |it\(['"]\[?|S-\d+ )(V\d+)\b/g), known)).toEqual([]);
  });

  it('are facts and rows of docs/hydra-behaviour.md', () => {
    const known = [...firstCells('docs/hydra-behaviour.md'), ...findHeadingNumbers('docs/hydra-behaviour.md')];
    const rows = findCited(/\b(D\.\d+)\b/g);
    expect(rows.size).toBeGreaterThan(50);
    expect(findMissing(rows, known)).toEqual([]);
    expect(findMissing(findCited(/docs\/hydra-behaviour\.md,? (?:part )?([A-G](?:\.\d+)?)\b/g), known)).toEqual([]);
  });

  it('has no document that is not in the repository', () => {
    const strangers = /\b(hydra-contract|house\.md|design\.md|stack\.md|style\.md|ui\.md|findings\.md)\b/g;
    const own = join('test', 'shape', 'documents.test.ts');
    expect([...findCited(strangers)].filter(([, path]) => path !== own)).toEqual([]);
  });
});

describe('docs/requirements.md', () => {
  it('has the rows of test/requirements.json, each once', () => {
    const ids = firstCells('docs/requirements.md').filter((cell) => /^[A-Z0-9]{3}-\d+$/.test(cell));
    const table = JSON.parse(readText('test/requirements.json')) as { requirements: { id: string }[] };
    expect([...ids].sort()).toEqual(table.requirements.map(({ id }) => id).sort());
  });
});

describe('decisions', () => {
  const files = documents().filter((path) => /^docs\/decisions\/(?!README)/.test(path));

  it('have numbers of their own, and are named after their titles', () => {
    const named = files.map((path) => basename(path)).sort();
    expect(new Set(named.map((name) => name.slice(0, 4))).size).toBe(named.length);
    expect(named.filter((name) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)+\.md$/.test(name))).toEqual([]);
  });

  it('are all in the index, by their titles', () => {
    const titles = files.map((path) => {
      const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(readText(path)) ?? [];
      return `| [${number}](${basename(path)}) | ${title} |`;
    });
    const index = readText('docs/decisions/README.md').match(/^\| \[\d{4}\].+$/gm) ?? [];
    expect([...index].sort()).toEqual(titles.sort());
  });
});

describe('the walks of CONTRIBUTING.md', () => {
  // Files of the product; those of locales and tests come on top.
  it.each([
    ['page', 8],
    ['factor', 8],
    ['language', 1],
    ['setting', 6],
  ])('to add a %s name files that exist, and no more than %d', (walk, most) => {
    const files = filesOfWalk(walk);
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
    expect(files.filter((file) => !/^(locales|test)\/|\.test\.tsx?$/.test(file)).length).toBeLessThanOrEqual(most);
  });

  it('to add a page name every file that knows the page of the example, and no other', () => {
    const known = [...code, ...['de', 'en'].map((name) => `locales/${name}.json`).map((path) => ({ path, text: readText(path) }))]
      .filter(
        ({ path, text }) =>
          /\bnot_me\b|NotMe(Flow|Controller)/.test(text) && !/^(src\/mail|test\/(support|conformance|e2e))\//.test(path),
      )
      .map(({ path }) => path);
    const walk = filesOfWalk('page');
    expect(walk.filter((path) => !known.includes(path) && !/\.test\.tsx?$/.test(path))).toEqual([]);
    expect(known.filter((path) => !walk.includes(path) && !/\.test\.tsx?$/.test(path))).toEqual([]);
  });
});

function filesOfWalk(name: string): string[] {
  const [, list = ''] = new RegExp(`<!-- walk:${name} -->([\\s\\S]*?)<!-- walk:end -->`).exec(readText('CONTRIBUTING.md')) ?? [];
  return [...list.matchAll(/^- `([^`]+)`$/gm)].map(([, file = '']) => file);
}

function findHeadingNumbers(path: string): string[] {
  const headings = [...readText(path).matchAll(/^#{2,3} ([A-G](?:, [A-G]| ?\.\d+)?)/gm)];
  return headings.flatMap(([, number = '']) => number.split(', '));
}
