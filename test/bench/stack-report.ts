/** Builds a Markdown table of the costs of the whole stack, with the median of several runs. */
import type { StackCost } from './hydra-bench.js';

const COLUMNS: Readonly<Record<string, (cost: StackCost) => string>> = {
  'sign-ins per second': ({ perSecond }) => perSecond.toFixed(1),
  'median, 95th percentile': ({ medianMs, p95Ms }) => `${medianMs.toFixed(0)}, ${p95Ms.toFixed(0)} ms`,
  Hydra: ({ hydraMs, hashMs }) => toHashes(hydraMs, hashMs),
  PostgreSQL: ({ postgresMs, hashMs }) => toHashes(postgresMs, hashMs),
  'Foyer or peer': ({ gatewayMs, hashMs }) => toHashes(gatewayMs, hashMs),
  memory: ({ hydraMib, gatewayMib }) => `${(hydraMib + gatewayMib).toFixed(0)} MiB`,
  'one hash': ({ hashMs }) => `${hashMs.toFixed(1)} ms`,
};

const toHashes = (ms: number, hashMs: number): string => `${ms.toFixed(1)} ms (${(ms / hashMs).toFixed(2)})`;

export function buildStackTable(costs: Readonly<Record<string, readonly (StackCost | null)[]>>): string {
  const rows = Object.entries(costs).map(([name, runs]) => {
    const ended = runs.filter((run) => run !== null);
    if (ended.length < runs.length)
      return [
        name,
        'hangs',
        ...Object.keys(COLUMNS)
          .slice(1)
          .map(() => '–'),
      ];
    const median = toMedian(ended);
    return [name, ...Object.values(COLUMNS).map((format) => format(median))];
  });
  const heading = ['CPU of a sign-in, in hashes', ...Object.keys(COLUMNS)];
  return [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @returns the median of each value */
function toMedian(runs: readonly StackCost[]): StackCost {
  const [first] = runs;
  if (!first) throw new RangeError('There must be at least one run.');
  const middle = (key: keyof StackCost): number =>
    runs.map((run) => run[key]).sort((one, other) => one - other)[Math.floor(runs.length / 2)] ?? 0;
  return Object.fromEntries((Object.keys(first) as (keyof StackCost)[]).map((key) => [key, middle(key)])) as unknown as StackCost;
}
