/** Validates the mapping of every kind of event against the published OCSF schema, as the package `ocsf-json-schema` contains it. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { AUDIT_KINDS, type AuditKind } from '../../../src/accounts/audit/kinds.js';
import { buildExample } from '../../../src/events/events-document.js';
import { CATEGORIES, CLASSES, OCSF_VERSION, SEVERITIES, STATUSES } from '../../../src/events/ocsf/classes.js';
import { RULES } from '../../../src/events/ocsf/rules.js';
import { toOcsf, type OcsfEvent } from '../../../src/events/ocsf/to-ocsf.js';
import type { SinkEvent } from '../../../src/events/sink-event.js';
import { toSyslogFrame } from '../../../src/events/transports/syslog-message.js';
import { providePythonPackage, runPython } from '../../support/python-package.js';

const PACKAGE = {
  name: 'ocsf-json-schema',
  version: '1.2.0',
  sha256: '64d819042d20c3c04bc0d024c7c47c41006ebbe0209ce768ba6efa1240106708',
};

/** Prints the JSON Schema of each class that has a number of the list, and what the schema says of its numbers. */
const PROGRAM = `
import json
from ocsf_json_schema import OcsfJsonSchemaEmbedded, get_ocsf_schema
schema = get_ocsf_schema(version='${OCSF_VERSION}')
found = {}
for entry in schema['classes'].values():
    if entry['uid'] not in ${JSON.stringify(Object.values(CLASSES).map(({ uid }) => uid))}:
        continue
    captions = {name: {id: value['caption'] for id, value in attribute.get('enum', {}).items()}
                for name, attribute in entry['attributes'].items()}
    found[entry['caption']] = {'uid': entry['uid'], 'captions': captions,
                               'schema': OcsfJsonSchemaEmbedded(schema).get_class_schema(entry['name'])}
print(json.dumps(found))
`;

interface PublishedClass {
  uid: number;
  /** Names of the numbers of each attribute. */
  captions: Record<string, Record<string, string>>;
  schema: Record<string, unknown>;
}

const KINDS = Object.keys(AUDIT_KINDS) as AuditKind[];
const provided = await providePythonPackage(PACKAGE);
if ('fault' in provided)
  process.stderr.write(`SKIPPED: events are not validated against the schema of OCSF: ${provided.fault}\n`);

('fault' in provided ? describe['skip'] : describe)('the mapping to OCSF', () => {
  const published =
    'path' in provided
      ? runPython(PROGRAM, provided.path).then(readClasses)
      : Promise.resolve<Record<string, PublishedClass>>({});

  it('has the numbers and names of the published schema', async () => {
    const classes = await published;
    for (const [name, { uid, category, activities }] of Object.entries(CLASSES)) {
      const { captions, uid: expected } = classes[name] ?? {};
      expect([name, uid]).toEqual([name, expected]);
      expect(captions?.['category_uid']).toMatchObject({ [category]: CATEGORIES[category] });
      expect(captions?.['activity_id']).toMatchObject(activities);
      expect(captions?.['severity_id']).toMatchObject(SEVERITIES);
      expect(captions?.['status_id']).toMatchObject(STATUSES);
      const others = Object.values(RULES).flatMap(({ className, activity }) =>
        className === name && typeof activity === 'string' && !Object.values<string>(activities).includes(activity)
          ? activity
          : [],
      );
      expect(Object.values(captions?.['activity_id'] ?? {}).filter((caption) => others.includes(caption))).toEqual([]);
    }
  });

  it('is valid for every kind, with all and with nothing that an event may have', async () => {
    const validators = toValidators(await published);
    const faults = KINDS.flatMap((kind) => toVariants(kind).flatMap((event) => findFaults(kind, toOcsf(event), validators)));
    expect(faults).toEqual([]);
  });

  it('is valid for a kind of a newer version, and for the short form of a long event in syslog', async () => {
    const validators = toValidators(await published);
    const newer = toOcsf({ ...buildExample('sign-in.ok'), kind: 'newer.kind' as AuditKind });
    expect([validators['Base Event']?.(newer), validators['Base Event']?.errors]).toEqual([true, null]);
    const long = 'x'.repeat(9000);
    for (const kind of KINDS) {
      const { detail, ...example } = buildExample(kind);
      const frame = toSyslogFrame({ ...example, detail: { ...detail, reason: long, scopes: [long], more: long } }).toString();
      const short = JSON.parse(frame.slice(frame.indexOf('{'))) as OcsfEvent;
      expect(frame.length).toBeLessThan(8192 + 10);
      expect([kind, findFaults(kind, short, validators)]).toEqual([kind, []]);
    }
  });

  it('would be found invalid with an attribute or number that the schema does not have', async () => {
    const { 'Account Change': validate } = toValidators(await published);
    const mapped = toOcsf(buildExample('account.created'));
    expect(validate?.({ ...mapped, service: { name: 'x' } })).toBe(false);
    expect(validate?.({ ...mapped, activity_id: 8123 })).toBe(false);
    expect(validate?.({ ...mapped, user: {} })).toBe(false);
  });
});

function readClasses(output: string): Record<string, PublishedClass> {
  return JSON.parse(output) as Record<string, PublishedClass>;
}

let compiled: Record<string, ValidateFunction> | undefined;

function toValidators(classes: Record<string, PublishedClass>): Record<string, ValidateFunction> {
  compiled ??= Object.fromEntries(
    Object.entries(classes).map(([name, { schema }]) => [
      name,
      new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true }).compile(schema),
    ]),
  );
  return compiled;
}

function findFaults(kind: AuditKind, mapped: OcsfEvent, validators: Record<string, ValidateFunction>): unknown[] {
  const validate = validators[RULES[kind].className];
  if (validate?.(mapped) !== true) return [kind, ...(validate?.errors ?? ['no schema'])];
  return mapped.type_uid === mapped.class_uid * 100 + Number(mapped['activity_id']) ? [] : [kind, mapped.type_uid];
}

/** The example of the catalogue; with names of the person; with hostile values; and with nothing at all. */
function toVariants(kind: AuditKind): SinkEvent[] {
  const example = buildExample(kind);
  const { id = '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55' } = example.account ?? {};
  const hostile = '\u0000"]\n\u202e<script>😀';
  return [
    example,
    { ...example, account: { id, username: 'anna', email: 'anna@example.com' }, address: '2001:db8::7' },
    {
      ...example,
      actor: 'operator',
      operator: hostile,
      account: { id, username: hostile, email: `${hostile}@bücher.example` },
      address: hostile,
      requestId: hostile,
      detail: Object.fromEntries(Object.keys(example.detail).map((name) => [name, hostile])),
    },
    { ...example, actor: 'operator', operator: null, account: null, address: null, requestId: null, detail: {} },
    { ...example, actor: 'person', operator: null, account: null, address: null, requestId: null, detail: {} },
    { ...example, actor: 'system', operator: null, account: null, address: null, requestId: null, detail: {} },
  ];
}
