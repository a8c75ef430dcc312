/** The kind of value of `EVENT_SINKS`: a JSON list of event sinks (docs/event-sinks.md). */
import { readFileSync } from 'node:fs';
import { defined } from './defined.js';
import { readJson, type JsonReader, type TextRule } from './json-reader.js';
import { isSafeAddress } from './safe-address.js';
import { fromJson, type Kind } from './settings-kinds.js';
import type { SinkSettings } from './sink-settings.js';
import { PEM, readTextOrFile, type ReadFile } from './source-rules.js';

const MAX_SINKS = 8;
const MAX_PATTERNS = 100;
const MEMBERS = ['name', 'kind', 'address', 'secrets', 'ca', 'ca_file', 'events', 'person'] as const;

const NAME: TextRule = {
  fault: 'is not a name of at most 40 lower-case letters, digits and hyphens',
  isValid: (text) => /^[a-z0-9-]{1,40}$/.test(text),
};
/** Unlike the address of a user source (`isSafeAddress`), the address of a receiver may have a query. */
const WEB: TextRule = {
  fault: 'is not an address that begins with https:// (http:// only on this machine) and has no user name, password or fragment',
  isValid: (text) => text.length <= 2000 && isSafeAddress(text.replace(/\?[^#]*$/, '')),
};
const SYSLOG: TextRule = { fault: 'is not an address like syslog+tls://log.example.com:6514', isValid: isSyslogAddress };
const KEY: TextRule = { fault: 'is not whsec_ and 24 to 64 bytes in base64', isValid: isWebhookKey };
/** The characters of a header value. */
const AUTHORIZATION: TextRule = {
  fault: 'is not the value of a header of at most 4000 characters',
  isValid: (text) => /^[\x21-\x7e][\x20-\x7e]{0,3999}$/.test(text),
};
const PATTERN: TextRule = {
  fault: 'is not *, a kind such as sign-in.ok, or a group such as sign-in.*',
  isValid: (text) => /^(?:\*|[a-z-]{1,40}\.(?:\*|[a-z-]{1,40}))$/.test(text),
};

/** Two while a secret is replaced. */
const MAX_SECRETS = 2;

/** @param readFile reads `ca_file`; throws if it cannot be read */
export function buildEventSinksKind(readFile: ReadFile): Kind<readonly SinkSettings[]> {
  return { label: 'JSON', read: (value) => fromJson(value, (parsed) => readJson(parsed, (list) => readSinks(list, readFile))) };
}

export const eventSinks = buildEventSinksKind((path) => readFileSync(path, 'utf8'));

function readSinks(list: JsonReader, readFile: ReadFile): SinkSettings[] {
  const sinks = list.entries(MAX_SINKS).map((entry) => readSink(entry, readFile));
  const names = sinks.map(({ name }) => name);
  for (const name of new Set(names.filter((name, index) => name !== '' && names.indexOf(name) !== index)))
    list.addFault(`has the name ${name} twice`);
  return sinks;
}

function readSink(entry: JsonReader, readFile: ReadFile): SinkSettings {
  const members = entry.members(MEMBERS);
  const kind = members.kind.choice(['webhook', 'otlp', 'syslog']);
  const ca = readTextOrFile(members.ca, members.ca_file, { rule: PEM, readFile });
  const events = members.events.entries(MAX_PATTERNS).map((pattern) => pattern.text(PATTERN));
  if (events.length === 0) members.events.addFault('names no kind of event; ["*"] stands for all');
  return {
    name: members.name.text(NAME),
    kind,
    address: members.address.text(kind === 'syslog' ? SYSLOG : WEB),
    secrets: readSecrets(members.secrets, kind),
    ...defined({ ca }),
    events,
    person: members.person.entries(2).map((member) => member.choice(['username', 'email'])),
  };
}

function readSecrets(list: JsonReader, kind: SinkSettings['kind']): string[] {
  const entries = list.entries(MAX_SECRETS);
  if (kind === 'syslog') {
    if (entries.length > 0) list.addFault('must be empty: syslog has no secrets');
    return [];
  }
  const secrets = entries.map((secret) => secret.text(kind === 'webhook' ? KEY : AUTHORIZATION));
  if (kind === 'webhook' && secrets.length === 0) list.addFault('has no secret; a webhook needs one to sign its events');
  return secrets;
}

function isSyslogAddress(text: string): boolean {
  return (
    /^syslog\+tls:\/\/[^\s/?#@:[\]]+:\d{1,5}\/?$|^syslog\+tls:\/\/\[[\da-f:.]+\]:\d{1,5}\/?$/i.test(text) && URL.canParse(text)
  );
}

/** Checks a key in the form of Standard Webhooks. */
function isWebhookKey(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}
