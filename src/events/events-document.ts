/** Generates the tables, the examples and the list of event kinds in docs/events.md from the catalogue and the mapping to OCSF. */
import { CATALOGUE, OPERATOR_DETAIL, TOPICS, type EventDescription } from '../accounts/audit/catalogue.js';
import { AUDIT_KINDS, type AuditKind } from '../accounts/audit/kinds.js';
import { buildMarkedTable, withGeneratedPart, type Marks } from '../config/generated-part.js';
import { CLASSES, OTHER_ACTIVITY_ID, SEVERITIES, findActivityId } from './ocsf/classes.js';
import { RULES } from './ocsf/rules.js';
import { toOcsf } from './ocsf/to-ocsf.js';
import type { SinkEvent } from './sink-event.js';

const toMarks = (name: string): Marks => ({
  begin: `<!-- ${name}:begin · made by \`npm run settings\` -->`,
  end: `<!-- ${name}:end -->`,
});

const ACTORS = { person: 'a person', operator: 'an operator', system: 'the product itself' };
const ACCOUNTS = { always: 'always with an account', sometimes: 'with or without an account', never: 'never with an account' };
const RETENTION = { permanent: 'kept', expiring: 'removed after 180 days' };

/** @returns the text with its generated parts up to date @throws if the text lacks the marks of a part */
export function withEventList(text: string): string {
  const operator = ['| detail | meaning |', '| --- | --- |', ...buildRows(OPERATOR_DETAIL)];
  const example = ['```json', JSON.stringify(toOcsf(buildExample('sign-in.ok')), null, 2), '```'];
  const parts = { 'operator-detail': operator, 'ocsf-example': example, events: TOPICS.flatMap(buildTopic) };
  let updatedText = text;
  for (const [name, lines] of Object.entries(parts)) {
    const marks = toMarks(name);
    updatedText = withGeneratedPart(updatedText, marks, buildMarkedTable(marks, lines));
  }
  return updatedText;
}

/** Builds an event of the kind from the examples of the catalogue. */
export function buildExample(kind: AuditKind): SinkEvent {
  const { actor, account, detail } = CATALOGUE[kind];
  const descriptions = { ...detail, ...(actor === 'operator' ? OPERATOR_DETAIL : {}) };
  const shownMembers = Object.entries(descriptions).filter(([name]) => name !== 'job' || name in detail);
  return {
    id: '48211',
    kind,
    at: new Date('2026-11-28T09:30:00.000Z'),
    actor,
    operator: actor === 'operator' ? 'olga.operator' : null,
    account: account === 'never' ? null : { id: '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55' },
    address: actor === 'system' ? null : '192.0.2.7',
    requestId: actor === 'system' ? null : '019ac9c8-7a40-7c3e-9f57-8d2b6c1f4e10',
    detail: Object.fromEntries(shownMembers.map(([name, { example }]) => [name, example])),
  };
}

function buildTopic(topic: string): string[] {
  const kinds = (Object.keys(CATALOGUE) as AuditKind[]).filter((kind) => CATALOGUE[kind].topic === topic);
  return [`## ${topic}`, '', ...kinds.flatMap(buildKind)];
}

function buildKind(kind: AuditKind): string[] {
  const { summary, remarks, actor, account = 'always', detail } = CATALOGUE[kind];
  const facts = `By ${ACTORS[actor]}, ${ACCOUNTS[account]}; ${RETENTION[AUDIT_KINDS[kind]]}. OCSF: ${toOcsfWords(kind)}.`;
  const example = buildExample(kind);
  return [
    `### \`${kind}\``,
    '',
    remarks === undefined ? summary : `${summary} ${remarks}`,
    '',
    facts,
    '',
    ...(Object.keys(detail).length === 0 ? [] : ['| detail | meaning |', '| --- | --- |', ...buildRows(detail), '']),
    '```json',
    JSON.stringify({ kind, actor: example.actor, detail: example.detail }),
    '```',
    '',
  ];
}

function buildRows(detail: EventDescription['detail']): string[] {
  return Object.entries(detail).map(
    ([name, { meaning, isOptional, isPersonal }]) =>
      `| \`${name}\` | ${meaning}${isOptional ? '; not always present' : ''}${isPersonal ? '; a sink receives it only with `username` in `person`' : ''} |`,
  );
}

function toOcsfWords(kind: AuditKind): string {
  const { className, activity, severity = 1 } = RULES[kind];
  const { uid } = CLASSES[className];
  const name = typeof activity === 'string' ? activity : activity({});
  const id = findActivityId(className, name);
  const activityText =
    typeof activity === 'string'
      ? `${name}${id === OTHER_ACTIVITY_ID ? '' : ` (${id})`}`
      : 'an activity that depends on the detail';
  return `${className} (${uid}), ${activityText}, ${SEVERITIES[severity].toLowerCase()}`;
}
