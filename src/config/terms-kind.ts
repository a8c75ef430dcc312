/** The kind of value of `TERMS`: a JSON list of terms that people accept at the sign-in (docs/joining.md). Their files are read at the start. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defined } from './defined.js';
import { readJson, type JsonReader, type TextRule } from './json-reader.js';
import { fromJson, isLanguageTag, type Kind } from './settings-kinds.js';
import { toCode } from './system-error.js';
import type { Terms, TermsText } from './value-types.js';

/** @returns the bytes of a file; throws if it cannot be read */
type ReadBytes = (path: string) => Uint8Array;

const MAX_TERMS = 20;
const MAX_LANGUAGES = 50;
const MAX_CLIENTS = 500;
const MAX_BYTES = 200 * 1024;
const MAX_TITLE_LENGTH = 150;
const MEMBERS = ['id', 'version', 'files', 'clients', 'from', 'later_until'] as const;

const ID: TextRule = {
  fault: 'is not a name of at most 40 lower-case letters, digits and hyphens',
  isValid: (text) => /^[a-z0-9-]{1,40}$/.test(text),
};
const VERSION: TextRule = {
  fault: 'is not a text of at most 40 letters, digits, dots, hyphens and underscores',
  isValid: (text) => /^[A-Za-z0-9._-]{1,40}$/.test(text),
};
const PATH: TextRule = { fault: 'is not the path of a file', isValid: (text) => text.length <= 1000 };
const CLIENT: TextRule = { fault: 'is not the id of a client', isValid: (text) => text.length <= 255 };
const DATE: TextRule = {
  fault: 'is not a date like 2027-01-31, or a time like 2027-01-31T08:00:00Z',
  isValid: (text) => toDate(text) !== null,
};

export function buildTermsKind(readBytes: ReadBytes): Kind<readonly Terms[]> {
  return { label: 'JSON', read: (value) => fromJson(value, (parsed) => readJson(parsed, (list) => readList(list, readBytes))) };
}

export const termsList = buildTermsKind((path) => readFileSync(path));

function readList(list: JsonReader, readBytes: ReadBytes): Terms[] {
  const terms = list.entries(MAX_TERMS).map((entry) => readTerms(entry, readBytes));
  const ids = terms.map(({ id }) => id);
  for (const id of new Set(ids.filter((each, index) => each !== '' && ids.indexOf(each) !== index)))
    list.addFault(`has the id ${id} twice`);
  return terms;
}

function readTerms(entry: JsonReader, readBytes: ReadBytes): Terms {
  const members = entry.members(MEMBERS);
  const files = members.files.pairs(MAX_LANGUAGES);
  if (files.length === 0) members.files.addFault('names no file, such as {"en": "terms-en.txt"}');
  const clients = members.clients.isAbsent
    ? undefined
    : members.clients.entries(MAX_CLIENTS).map((client) => client.text(CLIENT));
  if (clients?.length === 0) members.clients.addFault('names no client; without this member the terms are for every client');
  const [from, laterUntil] = [readDate(members.from), readDate(members.later_until)];
  if (from && laterUntil && laterUntil <= from) members.later_until.addFault('is not later than from');
  return {
    id: members.id.text(ID),
    version: members.version.text(VERSION),
    texts: files.flatMap(([locale, path]) => readText(locale, path, readBytes) ?? []),
    ...defined({ clients, from, laterUntil }),
  };
}

/** @returns null if the file cannot be used */
function readText(locale: string, reader: JsonReader, readBytes: ReadBytes): TermsText | null {
  if (!isLanguageTag(locale)) reader.addFault('is not named after a known language tag, such as en or pt-BR');
  const path = reader.text(PATH);
  if (path === '') return null;
  try {
    const content = toTermsText(locale, readBytes(path));
    if (typeof content !== 'string') return content;
    reader.addFault(`names a file that ${content}`);
  } catch (error) {
    reader.addFault(`names a file that cannot be read (${toCode(error) ?? 'unknown reason'})`);
  }
  return null;
}

/** @returns the text with the hash of the file, so that anybody can compare the two; or what is wrong with the file */
function toTermsText(locale: string, bytes: Uint8Array): TermsText | string {
  if (bytes.length > MAX_BYTES) return `is larger than ${MAX_BYTES / 1024} KiB`;
  const text = decode(bytes);
  if (text === null) return 'is not UTF-8';
  if (text.startsWith('\uFEFF')) return 'begins with a byte order mark';
  if (/[^\P{Cc}\n\r\t]/u.test(text)) return 'contains control characters';
  const title = text.trim().split(/\r?\n/)[0]?.trim() ?? '';
  if (title === '') return 'is empty';
  if (title.length > MAX_TITLE_LENGTH) return `has a first line, the title, of more than ${MAX_TITLE_LENGTH} characters`;
  return { locale, title, text, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function readDate(reader: JsonReader): Date | undefined {
  return toDate(reader.optionalText(DATE) ?? '') ?? undefined;
}

/** @returns null for another form, and for a day that does not exist. A date is the beginning of the day in UTC. */
function toDate(text: string): Date | null {
  const form = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text);
  const [day, date] = [new Date(form?.[1] ?? ''), new Date(text)];
  if (!form || Number.isNaN(day.getTime()) || Number.isNaN(date.getTime())) return null;
  return day.toISOString().slice(0, 10) === form[1] ? date : null;
}
