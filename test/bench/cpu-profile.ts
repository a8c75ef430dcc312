/** Where the time of a CPU profile went: by package or source file, and by function, each its own time. */
import { readFileSync } from 'node:fs';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const MOST_ROWS = 25;

export function profileSummary(file: string): string {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPlace = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (!frame || ['(idle)', '(root)'].includes(frame.functionName)) continue;
    const micros = timeDeltas[index] ?? 0;
    busy += micros;
    const place = placeOf(frame.url, frame.functionName);
    add(byPlace, place, micros);
    add(byFunction, `${frame.functionName || '(anonymous)'}  ${place}:${frame.lineNumber + 1}`, micros);
  }
  return [
    `By place (of ${Math.round(busy / 1000)} ms busy)`,
    ...top(byPlace, busy),
    '',
    'By function',
    ...top(byFunction, busy),
  ].join('\n');
}

function placeOf(url: string, name: string): string {
  if (url === '') return name.startsWith('(') ? name : '(native)';
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return inPackage ?? url.replace(/^.*\/dist\//, '');
}

function add(sums: Map<string, number>, key: string, micros: number): void {
  sums.set(key, (sums.get(key) ?? 0) + micros);
}

function top(sums: Map<string, number>, busy: number): string[] {
  const sorted = [...sums].sort(([, one], [, other]) => other - one).slice(0, MOST_ROWS);
  return sorted.map(([key, micros]) => `${((micros / busy) * 100).toFixed(1).padStart(6)} %  ${key}`);
}
