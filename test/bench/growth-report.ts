/** What grew between two numbers of accounts, as a table. */
import type { Growth } from './growth-bench.js';
import type { Row } from './report.js';

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const percent = (from: number, to: number): string => `${to >= from ? '+' : ''}${((to / from - 1) * 100).toFixed(0)} %`;

export function growthRows(small: Growth, large: Growth): Row[] {
  const compared = (name: string, text: (growth: Growth) => string, change = ''): Row => ({
    name,
    value: `${text(small)} → ${text(large)}`,
    hashes: change,
  });
  return [
    compared('accounts', ({ accounts }) => accounts.toLocaleString('en')),
    compared('filling the database', ({ fillSeconds }) => `${fillSeconds.toFixed(0)} s`),
    compared('CPU of one hash', ({ hashMs }) => ms(hashMs)),
    ...Object.keys(small.efforts).map((name) => {
      const of = ({ efforts }: Growth): { cpuMs: number; medianMs: number } => efforts[name] ?? { cpuMs: 0, medianMs: 0 };
      // In hashes, because the machine is not the same all the time.
      const change = percent(of(small).cpuMs / small.hashMs, of(large).cpuMs / large.hashMs);
      return compared(name, (growth) => `${ms(of(growth).cpuMs)} CPU, ${ms(of(growth).medianMs)}`, change);
    }),
    compared('memory, idle', ({ idleMib }) => `${idleMib.toFixed(0)} MiB`),
    compared('memory during an export, most', ({ exportMib }) => `${exportMib.toFixed(0)} MiB`),
  ];
}
