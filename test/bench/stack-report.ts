/** The costs of the whole stack as a table in Markdown: of several runs the one in the middle. */
import type { StackCost } from './hydra-bench.js';

const COLUMNS: Readonly<Record<string, (cost: StackCost) => string>> = {
  'sign-ins a second': ({ perSecond }) => perSecond.toFixed(1),
  'median, 95 of 100': ({ medianMs, p95Ms }) => `${medianMs.toFixed(0)}, ${p95Ms.toFixed(0)} ms`,
  Hydra: ({ hydraMs, hashMs }) => toHashes(hydraMs, hashMs),
  PostgreSQL: ({ postgresMs, hashMs }) => toHashes(postgresMs, hashMs),
  'Foyer or peer': ({ gatewayMs, hashMs }) => toHashes(gatewayMs, hashMs),
  memory: ({ hydraMib, gatewayMib }) => `${(hydraMib + gatewayMib).toFixed(0)} MiB`,
  'one hash': ({ hashMs }) => `${hashMs.toFixed(1)} ms`,
};

const toHashes = (ms: number, hashMs: number): string => `${ms.toFixed(1)} ms (${(ms / hashMs).toFixed(2)})`;

export function stackTable(costs: Readonly<Record<string, readonly (StackCost | null)[]>>): string {
  const rows = Object.entries(costs).map(([name, runs]) => {
    const ended = runs.filter((run) => run !== null);
    if (ended.length < runs.length)
      return [
        name,
        'stands still',
        ...Object.keys(COLUMNS)
          .slice(1)
          .map(() => '–'),
      ];
    const middle = toMiddle(ended);
    return [name, ...Object.values(COLUMNS).map((column) => column(middle))];
  });
  const heading = ['CPU of a sign-in, in hashes', ...Object.keys(COLUMNS)];
  return [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Each value from the middle of its own order. */
function toMiddle(runs: readonly StackCost[]): StackCost {
  const [first] = runs;
  if (!first) throw new RangeError('At least one run.');
  const middle = (key: keyof StackCost): number =>
    runs.map((run) => run[key]).sort((one, other) => one - other)[Math.floor(runs.length / 2)] ?? 0;
  return Object.fromEntries((Object.keys(first) as (keyof StackCost)[]).map((key) => [key, middle(key)])) as unknown as StackCost;
}
