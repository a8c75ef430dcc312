/** Reads the examples of a document by their `file=` attribute, so that a test runs exactly what people read. */
import { readFileSync } from 'node:fs';

const BLOCK = /^```[a-z]+ file=(\S+)\n([\s\S]*?)^```$/gm;

export function toExamples(path: string): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  return new Map([...text.matchAll(BLOCK)].map(([, file = '', source = '']) => [file, source]));
}
