/** An entry of `USER_SOURCES` with the type `http`: a service with two signed calls (docs/people.md). */
import { defined } from './defined.js';
import type { JsonReader, TextRule } from './json-reader.js';
import {
  ADDRESS,
  DISPLAY_NAME,
  ID,
  MAX_ATTRIBUTES,
  PEM,
  buildTextRule,
  readTextOrFile,
  readGroupSelection,
  readDomains,
  type ReadFile,
} from './source-rules.js';
import { readSubjectPrefix } from './subject-settings.js';
import type { HttpSettings } from './source-settings.js';

const MEMBERS = [
  ...['id', 'name', 'type', 'url', 'issuer', 'jwks_url', 'secret', 'secret_file', 'ca', 'ca_file'],
  ...['email_verified', 'attributes', 'groups', 'migrate', 'password_url', 'timeout_ms', 'sub', 'sub_prefix', 'domains'],
] as const;

/** HS256 needs a key at least as long as its hash (RFC 7518, section 3.2). */
const SECRET: TextRule = {
  fault: 'is not a secret of at least 32 bytes and at most 1000 characters',
  isValid: (text) => Buffer.byteLength(text) >= 32 && text.length <= 1000,
};
const NAME = buildTextRule('is not the name of a member', 200);

export function readHttpSource(entry: JsonReader, readFile: ReadFile): HttpSettings {
  const members = entry.members(MEMBERS);
  const url = members.url.text(ADDRESS).replace(/\/+$/, '');
  const ca = readTextOrFile(members.ca, members.ca_file, { rule: PEM, readFile });
  const name = members.name.optionalText(DISPLAY_NAME);
  const passwordUrl = members.password_url.optionalText(ADDRESS);
  return {
    type: 'http',
    id: members.id.text(ID),
    ...defined({ name }),
    url,
    issuer: members.issuer.text(
      buildTextRule('is not a string of 1 to 1000 characters'),
      URL.canParse(url) ? new URL(url).origin : '',
    ),
    proof: toProof(members, entry, readFile),
    ...defined({ ca }),
    emailVerified: members.email_verified.flag(false),
    attributes: Object.fromEntries(members.attributes.pairs(MAX_ATTRIBUTES).map(([name, member]) => [name, member.text(NAME)])),
    ...(members.groups.isAbsent ? {} : { groups: readGroupSelection(members.groups.members(['only', 'most', 'group_name'])) }),
    ...readSubjectPrefix(members),
    ...readDomains(members),
    migrate: members.migrate.flag(false),
    ...defined({ passwordUrl }),
    timeoutMs: members.timeout_ms.number({ least: 100, most: 20_000, fallback: 3000 }),
  };
}

function toProof(
  members: Record<'jwks_url' | 'secret' | 'secret_file', JsonReader>,
  entry: JsonReader,
  readFile: ReadFile,
): HttpSettings['proof'] {
  const url = members.jwks_url.optionalText(ADDRESS);
  const secret = readTextOrFile(members.secret, members.secret_file, { rule: SECRET, readFile });
  if ((url === undefined) === (secret === undefined)) entry.addFault('needs either jwks_url or secret (secret_file), not both');
  return secret === undefined ? { kind: 'jwks', url: url ?? '' } : { kind: 'secret', secret };
}
