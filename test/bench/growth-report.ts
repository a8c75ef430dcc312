/** What grew between two numbers of accounts, as a table. */
import type { Growth } from './growth-bench.js';
import type { Row } from './report.js';

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const percent = (from: number, to: number): string => `${to >= from ? '+' : ''}${((to / from - 1) * 100).toFixed(0)} %`;

export function growthRows(small: Growth, large: Growth): Row[] {
  const toRow = (name: string, text: (growth: Growth) => string, change = ''): Row => ({
    name,
    value: `${text(small)} → ${text(large)}`,
    hashes: change,
  });
  return [
    toRow('accounts', ({ accounts }) => accounts.toLocaleString('en')),
    toRow('filling the database', ({ fillSeconds }) => `${fillSeconds.toFixed(0)} s`),
    toRow('CPU of one hash', ({ hashMs }) => ms(hashMs)),
    ...Object.keys(small.efforts).map((name) => {
      const findEffort = ({ efforts }: Growth): { cpuMs: number; medianMs: number } => efforts[name] ?? { cpuMs: 0, medianMs: 0 };
      // In hashes, because the machine is not the same all the time.
      const change = percent(findEffort(small).cpuMs / small.hashMs, findEffort(large).cpuMs / large.hashMs);
      return toRow(name, (growth) => `${ms(findEffort(growth).cpuMs)} CPU, ${ms(findEffort(growth).medianMs)}`, change);
    }),
    toRow('memory, idle', ({ idleMib }) => `${idleMib.toFixed(0)} MiB`),
    toRow('memory during an export, most', ({ exportMib }) => `${exportMib.toFixed(0)} MiB`),
  ];
}
