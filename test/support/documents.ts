/** The project's Markdown documents: texts, links, and the anchors of their headings. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PROJECT } from './scratch-tree.js';

const ROOT_DOCUMENTS = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

export interface Link {
  from: string;
  /** Path from the project's folder. */
  to: string;
  /** Without `#`; empty for a whole file. */
  anchor: string;
}

/** @returns paths from the project's folder */
export function documents(): string[] {
  const below = readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [...ROOT_DOCUMENTS, ...below.filter((path) => path.endsWith('.md')).map((path) => join('docs', path))];
}

export function readText(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

/** Links and pictures inside the project, without those in code examples. */
export function relativeLinks(from: string): Link[] {
  const targets = [...toProse(from).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { from, to: path === '' ? from : normalize(join(dirname(from), path)), anchor };
    });
}

/** Anchors as GitHub creates them: a repeated heading gets a number. */
export function toAnchors(path: string): Set<string> {
  const counts = new Map<string, number>();
  const headings = [...toProse(path, false).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) => {
      const slug = text
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** First cells of the rows of all tables. */
export function firstCells(path: string): string[] {
  return [...readText(path).matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell);
}

function toProse(path: string, withoutCode = true): string {
  const text = readText(path).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return withoutCode ? text.replaceAll(/`[^`\n]*`/g, '') : text;
}
