/** Checks that the documents, the dashboard and the alerts use only existing metrics, labels and values. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_KINDS } from '../../src/accounts/audit/kinds.js';
import { withCatalogueTables } from '../../src/telemetry/catalogue-table.js';
import { INSTRUMENTS, type Bound, type Instrument } from '../../src/telemetry/catalogue.js';
import { SPANS } from '../../src/telemetry/span-catalogue.js';
import { toPrometheusName } from '../../src/telemetry/prometheus-name.js';
import { PROJECT } from '../support/scratch-tree.js';

const readText = (...path: string[]): string => readFileSync(join(PROJECT, ...path), 'utf8');

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  datasource?: { uid: string };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}

interface Dashboard {
  uid: string;
  panels: Panel[];
  templating: { list: { name: string; type: string; definition?: string }[] };
  annotations: { list: { expr: string }[] };
}

const dashboard = JSON.parse(readText('deploy', 'observability', 'grafana-dashboard.json')) as Dashboard;
const alerts = readText('deploy', 'observability', 'alerts.yml');

/** The labels of each series in Prometheus. */
const SERIES = new Map<string, Readonly<Record<string, Bound>>>(
  (Object.entries(INSTRUMENTS) as [keyof typeof INSTRUMENTS, Instrument][]).flatMap(([name, { kind, attributes }]) => {
    const labels = Object.fromEntries(
      Object.entries(attributes).map(([label, bound]) => [label.replaceAll(/[.-]/g, '_'), bound]),
    );
    const suffixes = kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    return suffixes.map((suffix) => [
      `${toPrometheusName(name)}${suffix}`,
      suffix === '_bucket' ? { ...labels, le: 'limits' } : labels,
    ]);
  }),
);
/** The labels that Prometheus adds. */
const PROMETHEUS_LABELS = ['job', 'instance'];
const WORD = /\b(?:foyer|http|db|nodejs|process|url|error|service|cpu)_\w+/g;

/** @returns the series, labels and values in the expression that do not exist */
function findFaults(expression: string): string[] {
  const used = [...expression.matchAll(/([a-z]\w+)\s*(?:\{([^}]*)\})?(?=\s*(?:[)[,/<>=]|$|unless|and|\*))/g)].filter(
    ([, name = '']) => SERIES.has(name),
  );
  const labels = new Set(used.flatMap(([, name = '']) => Object.keys(SERIES.get(name) ?? {})));
  const unknown = [...expression.matchAll(WORD)].flatMap(([word]) =>
    SERIES.has(word) || labels.has(word) ? [] : [`there is no ${word}`],
  );
  const selected = used.flatMap(([, name = '', selectors = '']) => findSelectorFaults(name, selectors));
  return [...(used.length === 0 ? [`names no series: ${expression}`] : []), ...selected, ...unknown];
}

function findSelectorFaults(series: string, selectors: string): string[] {
  const own = SERIES.get(series) ?? {};
  return [...selectors.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].flatMap(([, label = '', operator = '', value = '']) => {
    const bound = own[label];
    if (bound === undefined && !PROMETHEUS_LABELS.includes(label)) return [`${series} has no label ${label}`];
    const closed = label === 'foyer_event_kind' ? Object.keys(AUDIT_KINDS) : typeof bound === 'object' ? bound.map(String) : null;
    if (closed === null || value === '') return [];
    const meant = operator.includes('~') ? value.split('|') : [value];
    const absent = meant.filter((one) => !closed.some((known) => new RegExp(`^(?:${one})$`).test(known)));
    return absent.map((one) => `${series} has no ${label} like ${one}`);
  });
}

describe('the document about traces and metrics', () => {
  it('has the tables of the catalogue (npm run settings updates them)', () => {
    const text = readText('docs', 'observability.md');
    expect(text).toBe(withCatalogueTables(text));
    expect(() => withCatalogueTables('a text without marks')).toThrow('metrics:begin');
  });

  it('has the same number of cells in every row', () => {
    const rows = readText('docs', 'observability.md').match(/^\|.*\|$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(Object.keys(INSTRUMENTS).length + Object.keys(SPANS).length);
    expect(rows.filter((row) => row.split('|').length !== 6)).toEqual([]);
  });
});

describe('the dashboard', () => {
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const queries = [
    ...expressions,
    ...dashboard.annotations.list.map(({ expr }) => expr),
    ...dashboard.templating.list.flatMap(({ definition }) => /label_values\((.*), \w+\)/.exec(definition ?? '')?.[1] ?? []),
  ];

  it('queries only existing metrics', () => {
    expect(expressions.length).toBeGreaterThan(40);
    expect(queries.flatMap(findFaults)).toEqual([]);
  });

  it('shows every metric', () => {
    const isShown = (name: keyof typeof INSTRUMENTS): boolean =>
      expressions.some((text) => text.includes(toPrometheusName(name)));
    const missing = (Object.keys(INSTRUMENTS) as (keyof typeof INSTRUMENTS)[]).filter((name) => !isShown(name));
    // An annotation uses this metric to mark restarts.
    expect(missing).toEqual(['process.uptime']);
  });

  it('lets the person who imports it choose the data source', () => {
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
    const sources = dashboard.panels.flatMap(({ targets = [], datasource }) => [
      datasource,
      ...targets.map((one) => one.datasource),
    ]);
    expect(new Set(sources.flatMap((source) => (source ? [source.uid] : [])))).toEqual(new Set(['${datasource}']));
  });

  it('has panels with unique ids that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos }) =>
      Array.from(
        { length: gridPos.h * gridPos.w },
        (_, cell) => `${gridPos.x + (cell % gridPos.w)}:${gridPos.y + Math.floor(cell / gridPos.w)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (const { targets = [] } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });
});

describe('the alerts', () => {
  const rules = alerts.split(/^ {6}- alert: /m).slice(1);
  const toName = (rule: string): string => rule.split('\n', 1)[0] ?? '';
  const toExpression = (rule: string): string => /^ {8}expr: (?:\|\n)?([\s\S]*?)^ {8}\w/m.exec(rule)?.[1]?.trim() ?? '';

  it('query only existing metrics', () => {
    expect(rules.length).toBeGreaterThan(12);
    expect(rules.flatMap((rule) => findFaults(toExpression(rule)).map((fault) => `${toName(rule)}: ${fault}`))).toEqual([]);
  });

  it('have a unique name, a severity, and a description of what to do', () => {
    expect(new Set(rules.map(toName)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule).toMatch(/^ {8}labels: \{ severity: (critical|warning|info) \}$/m);
      expect(rule).toMatch(/^ {10}summary: \S/m);
      expect(rule).toMatch(/^ {10}description: \S/m);
    }
  });

  const promtool = findPromtool();
  if (promtool === null) process.stderr.write('SKIPPED: Prometheus does not check the alerts: promtool is not on the PATH\n');
  (promtool === null ? it['skip'] : it)('are valid rules for Prometheus', () => {
    const path = join(PROJECT, 'deploy', 'observability', 'alerts.yml');
    expect(execFileSync(promtool ?? '', ['check', 'rules', path], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});

it('an expression with unknown series, labels or values has faults', () => {
  expect(findFaults('sum(rate(foyer_logins_total[5m]))')).toEqual([
    expect.stringMatching('names no'),
    'there is no foyer_logins_total',
  ]);
  expect(findFaults('foyer_mail_waiting{foyer_mail_kind="x"}')).toEqual([
    'foyer_mail_waiting has no label foyer_mail_kind',
    'there is no foyer_mail_kind',
  ]);
  expect(findFaults('sum by (job) (rate(foyer_events_total{foyer_event_kind=~"token.reused|token.lost"}[1h])) > 0')).toEqual([
    'foyer_events_total has no foyer_event_kind like token.lost',
  ]);
});

function findPromtool(): string | null {
  const promtool = process.env['PROMTOOL_BIN'] || 'promtool';
  try {
    execFileSync(promtool, ['--version'], { stdio: 'ignore' });
    return promtool;
  } catch {
    return null;
  }
}
