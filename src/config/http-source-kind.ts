/** An entry of `USER_SOURCES` with the type `http`: a service with two signed calls (docs/people.md). */
import { defined } from './defined.js';
import type { JsonReader, TextRule } from './json-reader.js';
import {
  ADDRESS,
  DISPLAY_NAME,
  ID,
  MOST_ATTRIBUTES,
  PEM,
  anyText,
  fileOr,
  readTakenGroups,
  type ReadFile,
} from './source-rules.js';
import { sourceSubject } from './subject-settings.js';
import type { HttpSettings } from './source-settings.js';

const MEMBERS = [
  ...['id', 'name', 'type', 'url', 'issuer', 'jwks_url', 'secret', 'secret_file', 'ca', 'ca_file'],
  ...['email_verified', 'attributes', 'groups', 'migrate', 'password_url', 'timeout_ms', 'sub', 'sub_prefix'],
] as const;

/** HS256 needs a key of the length of its hash at least (RFC 7518, section 3.2). */
const SECRET: TextRule = {
  fault: 'is not a secret of 32 characters at least',
  isRight: (text) => Buffer.byteLength(text) >= 32 && text.length <= 1000,
};
const NAME = anyText('is not the name of a member', 200);

export function readHttpSource(entry: JsonReader, readFile: ReadFile): HttpSettings {
  const of = entry.members(MEMBERS);
  const url = of.url.text(ADDRESS).replace(/\/+$/, '');
  const ca = fileOr(of.ca, of.ca_file, { rule: PEM, readFile });
  const name = of.name.optionalText(DISPLAY_NAME);
  const passwordUrl = of.password_url.optionalText(ADDRESS);
  return {
    type: 'http',
    id: of.id.text(ID),
    ...defined({ name }),
    url,
    issuer: of.issuer.text(anyText('is not a text'), URL.canParse(url) ? new URL(url).origin : ''),
    proof: toProof(of, entry, readFile),
    ...defined({ ca }),
    emailVerified: of.email_verified.flag(false),
    attributes: Object.fromEntries(of.attributes.pairs(MOST_ATTRIBUTES).map(([name, from]) => [name, from.text(NAME)])),
    ...(of.groups.isAbsent ? {} : { groups: readTakenGroups(of.groups.members(['only', 'most', 'group_name'])) }),
    ...sourceSubject(of),
    migrate: of.migrate.flag(false),
    ...defined({ passwordUrl }),
    timeoutMs: of.timeout_ms.number({ least: 100, most: 20_000, fallback: 3000 }),
  };
}

function toProof(
  of: Record<'jwks_url' | 'secret' | 'secret_file', JsonReader>,
  entry: JsonReader,
  readFile: ReadFile,
): HttpSettings['proof'] {
  const url = of.jwks_url.optionalText(ADDRESS);
  const secret = fileOr(of.secret, of.secret_file, { rule: SECRET, readFile });
  if ((url === undefined) === (secret === undefined)) entry.fault('needs either jwks_url or secret (secret_file), not both');
  return secret === undefined ? { kind: 'jwks', url: url ?? '' } : { kind: 'secret', secret };
}
