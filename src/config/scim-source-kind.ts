/** An entry of `USER_SOURCES` with the type `scim`: a client that sends people by SCIM 2.0 (docs/scim.md). */
import { defined } from './defined.js';
import type { JsonReader, TextRule } from './json-reader.js';
import {
  ADDRESS,
  DISPLAY_NAME,
  ID,
  MAX_ATTRIBUTES,
  buildTextRule,
  readGroupSelection,
  readTextOrFile,
  type ReadFile,
} from './source-rules.js';
import { readSubjectPrefix } from './subject-settings.js';
import type { ScimSettings } from './source-settings.js';

const MEMBERS = [
  ...['id', 'name', 'type', 'token', 'token_file', 'sign_in', 'password', 'email_verified', 'attributes', 'groups'],
  ...['on_delete', 'password_url', 'sub', 'sub_prefix'],
] as const;

/** Two tokens are valid at the same time while one is being replaced. */
const MAX_TOKENS = 2;
const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The paths from which an attribute of an account can be filled: SCIM attributes with one simple value. */
const MAPPABLE_PATHS: readonly string[] = [
  ...['displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'profileUrl', 'externalId'],
  ...['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((name) => `name.${name}`),
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department', 'manager.value', 'manager.displayName'].map(
    (name) => `${ENTERPRISE_SCHEMA}:${name}`,
  ),
];

/** A bearer token (RFC 6750, section 2.1). */
const TOKEN: TextRule = {
  fault: 'is not a token of 32 to 1000 visible ASCII characters',
  isValid: (text) => /^[\x21-\x7e]{32,1000}$/.test(text),
};
/** Names and addresses change, and may later belong to another person (OpenID Connect Core, section 5.7). */
const CLAIM: TextRule = {
  fault: 'is not the name of a claim that identifies a person permanently, such as sub or oid',
  isValid: (text) =>
    text.length <= 200 && !text.startsWith('/') && !['email', 'preferred_username', 'upn', 'unique_name', 'name'].includes(text),
};
const PATH: TextRule = {
  fault: `is not the path of a SCIM attribute that can fill an attribute (${MAPPABLE_PATHS.join(', ')})`,
  isValid: (text) => MAPPABLE_PATHS.includes(text),
};

export function readScimSource(entry: JsonReader, readFile: ReadFile): ScimSettings {
  const members = entry.members(MEMBERS);
  const name = members.name.optionalText(DISPLAY_NAME);
  const passwordUrl = members.password_url.optionalText(ADDRESS);
  return {
    type: 'scim',
    id: members.id.text(ID),
    ...defined({ name }),
    tokens: readTokens(members, entry, readFile),
    ...(members.sign_in.isAbsent ? {} : { signIn: readSignIn(members.sign_in) }),
    password: members.password.flag(false),
    emailVerified: members.email_verified.flag(false),
    attributes: Object.fromEntries(members.attributes.pairs(MAX_ATTRIBUTES).map(([name, path]) => [name, path.text(PATH)])),
    ...(members.groups.isAbsent ? {} : { groups: readGroupSelection(members.groups.members(['only', 'most', 'group_name'])) }),
    onDelete: members.on_delete.choice(['delete', 'disable'], 'delete'),
    ...readSubjectPrefix(members),
    ...defined({ passwordUrl }),
  };
}

/** Reads `token` or `token_file`, each of which may be a string or a list of strings. */
function readTokens(members: Record<'token' | 'token_file', JsonReader>, entry: JsonReader, readFile: ReadFile): string[] {
  const { token, token_file: file } = members;
  if (token.isAbsent === file.isAbsent) {
    entry.addFault('needs either token or token_file');
    return [];
  }
  const member = token.isAbsent ? file : token;
  const readers = member.isList ? member.entries(MAX_TOKENS) : [member];
  if (readers.length === 0) member.addFault('has no token');
  const absentMember = entry.member('');
  return readers.map((reader) =>
    token.isAbsent ? (readTextOrFile(absentMember, reader, { rule: TOKEN, readFile }) ?? '') : reader.text(TOKEN),
  );
}

function readSignIn(reader: JsonReader): NonNullable<ScimSettings['signIn']> {
  const { provider, claim } = reader.members(['provider', 'claim']);
  return { provider: provider.text(buildTextRule('is not the id of a provider', 32)), claim: claim.text(CLAIM, 'sub') };
}
