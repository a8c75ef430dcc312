/** Generates the tables of metrics and spans in the documentation from the catalogues. */
import { INSTRUMENTS, type Bound, type Instrument } from './catalogue.js';
import { SPANS } from './span-catalogue.js';
import { toPrometheusName } from './prometheus-name.js';

const TABLES = { metrics: buildMetricsTable, spans: buildSpansTable };

/** @param text document with markers for each table @returns the document with new tables @throws Error if a marker is missing */
export function withCatalogueTables(text: string): string {
  let newText = text;
  for (const [name, buildTable] of Object.entries(TABLES)) {
    const [startMark, endMark] = [`<!-- ${name}:begin · made by \`npm run settings\` -->`, `<!-- ${name}:end -->`];
    const [begin, end] = [newText.indexOf(startMark), newText.indexOf(endMark)];
    if (begin < 0 || end < begin) throw new Error(`The text lacks the lines\n${startMark}\n${endMark}`);
    newText = `${newText.slice(0, begin)}${startMark}\n\n${buildTable()}\n\n${newText.slice(end)}`;
  }
  return newText;
}

function buildMetricsTable(): string {
  const rows = (Object.entries(INSTRUMENTS) as [keyof typeof INSTRUMENTS, Instrument][]).map(
    ([name, { kind, unit, about, attributes }]) => {
      const attributeTexts = Object.entries(attributes).map(([attribute, bound]) => `\`${attribute}\`: ${toBoundText(bound)}`);
      const type = kind === 'histogram' ? 'histogram' : /ounter$/.test(kind) ? 'counter' : 'gauge';
      return `| \`${name}\`<br>\`${toPrometheusName(name)}\` | ${type}, \`${unit}\` | ${about} | ${attributeTexts.join('<br>')} |`;
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
