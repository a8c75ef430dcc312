/** Builds the table that compares the costs with two numbers of accounts. */
import type { Growth } from './growth-bench.js';
import { formatMs, type Row } from './report.js';

const formatPercent = (from: number, to: number): string => `${to >= from ? '+' : ''}${((to / from - 1) * 100).toFixed(0)} %`;

export function buildGrowthRows(small: Growth, large: Growth): Row[] {
  const toRow = (name: string, text: (growth: Growth) => string, change = ''): Row => ({
    name,
    value: `${text(small)} → ${text(large)}`,
    hashes: change,
  });
  return [
    toRow('accounts', ({ accounts }) => accounts.toLocaleString('en')),
    toRow('filling the database', ({ fillSeconds }) => `${fillSeconds.toFixed(0)} s`),
    toRow('CPU of one hash', ({ hashMs }) => formatMs(hashMs)),
    ...Object.keys(small.efforts).map((name) => {
      const findEffort = ({ efforts }: Growth): { cpuMs: number; medianMs: number } => efforts[name] ?? { cpuMs: 0, medianMs: 0 };
      // The change is measured in hashes, because the speed of the machine varies.
      const change = formatPercent(findEffort(small).cpuMs / small.hashMs, findEffort(large).cpuMs / large.hashMs);
      return toRow(
        name,
        (growth) => `${formatMs(findEffort(growth).cpuMs)} CPU, ${formatMs(findEffort(growth).medianMs)}`,
        change,
      );
    }),
    toRow('memory, idle', ({ idleMib }) => `${idleMib.toFixed(0)} MiB`),
    toRow('peak memory during an export', ({ exportMib }) => `${exportMib.toFixed(0)} MiB`),
  ];
}
