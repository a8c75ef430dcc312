/** Generates the tables of metrics and spans in the documentation from the catalogues. */
import { INSTRUMENTS, type Bound, type Instrument } from './catalogue.js';
import { SPANS } from './span-catalogue.js';
import { toPrometheusName } from './prometheus-name.js';

const TABLES = { metrics: buildMetricsTable, spans: buildSpansTable };

/** @param text document with markers for each table @returns the document with new tables @throws if a marker is missing */
export function withCatalogueTables(text: string): string {
  let fresh = text;
  for (const [name, table] of Object.entries(TABLES)) {
    const [opening, closing] = [`<!-- ${name}:begin · made by \`npm run settings\` -->`, `<!-- ${name}:end -->`];
    const [begin, end] = [fresh.indexOf(opening), fresh.indexOf(closing)];
    if (begin < 0 || end < begin) throw new Error(`The text lacks the lines\n${opening}\n${closing}`);
    fresh = `${fresh.slice(0, begin)}${opening}\n\n${table()}\n\n${fresh.slice(end)}`;
  }
  return fresh;
}

function buildMetricsTable(): string {
  const rows = (Object.entries(INSTRUMENTS) as [keyof typeof INSTRUMENTS, Instrument][]).map(
    ([name, { kind, unit, about, attributes }]) => {
      const shown = Object.entries(attributes).map(([attribute, bound]) => `\`${attribute}\`: ${toBoundText(bound)}`);
      const type = kind === 'histogram' ? 'histogram' : /ounter$/.test(kind) ? 'counter' : 'gauge';
      return `| \`${name}\`<br>\`${toPrometheusName(name)}\` | ${type}, \`${unit}\` | ${about} | ${shown.join('<br>')} |`;
    },
  );
  return ['| metric, in Prometheus | kind, unit | meaning | attributes |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function toBoundText(bound: Bound): string {
  return typeof bound === 'string' ? bound : bound.map((value) => `\`${String(value)}\``).join(' ');
}

function buildSpansTable(): string {
  const rows = Object.values(SPANS).map(
    ({ kind, name, about, attributes }) =>
      `| ${kind} | ${name} | ${about} | ${attributes.map((attribute) => `\`${attribute}\``).join(' ')} |`,
  );
  return ['| kind | name | meaning | attributes |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
