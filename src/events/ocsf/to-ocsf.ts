/**
 * Maps an audit event to an event of the Open Cybersecurity Schema Framework. Members of the detail that no attribute contains
 * completely are added to `unmapped`, under the names of the catalogue.
 */
import { isIP } from 'node:net';
import { CATALOGUE } from '../../accounts/audit/catalogue.js';
import { findFoyerVersion } from '../../config/foyer-version.js';
import type { SinkEvent } from '../sink-event.js';
import {
  CATEGORIES,
  CLASSES,
  OCSF_VERSION,
  OTHER_ACTIVITY_ID,
  SEVERITIES,
  STATUSES,
  findActivityId,
  type ClassName,
} from './classes.js';
import { toAuthFactors } from './auth-factors.js';
import { findRule, type Rule } from './rules.js';

type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value | undefined };
type Attributes = Readonly<Record<string, Value | undefined>>;

/** One event as JSON; the members that classify it are always present. */
export interface OcsfEvent {
  readonly class_uid: number;
  readonly type_uid: number;
  readonly severity_id: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly message: string;
  readonly [attribute: string]: unknown;
}

/** The attributes that one class adds, and the members of the detail that these attributes contain completely. */
interface Part {
  attributes: Attributes;
  mappedMembers: readonly string[];
  /** Further members of the event for which the class has no attribute. */
  unmapped?: Attributes | undefined;
}

const PRODUCT = { name: 'Foyer', vendor_name: 'Foyer', uid: 'foyer', version: findFoyerVersion() };
const FOYER = { name: 'Foyer', uid: 'foyer' };
/** The schema requires a name or id even if the user is unknown. */
const UNKNOWN_USER = { name: 'unknown', type_id: 0, type: 'Unknown' };

/** The schema's pattern for e-mail addresses; an address that does not match would make the whole event invalid. */
const EMAIL = /^[a-zA-Z0-9!#$%&'*+\-/=?^_`{|}~.]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9.-]+$/;

export function toOcsf(event: SinkEvent): OcsfEvent {
  const { kind, detail } = event;
  const rule = findRule(kind);
  const { uid, category } = CLASSES[rule.className];
  const activity = typeof rule.activity === 'string' ? rule.activity : rule.activity(detail);
  const activityId = findActivityId(rule.className, activity);
  const severity = rule.severity ?? 1;
  const { attributes, mappedMembers, unmapped } = PARTS[rule.className](event);
  const cause = findCause(rule, detail);
  return dropAbsent({
    class_uid: uid,
    class_name: rule.className,
    category_uid: category,
    category_name: CATEGORIES[category],
    activity_id: activityId,
    activity_name: activity,
    type_uid: uid * 100 + activityId,
    type_name: `${rule.className}: ${activityId === OTHER_ACTIVITY_ID ? 'Other' : activity}`,
    severity_id: severity,
    severity: SEVERITIES[severity],
    ...toStatus(rule, detail),
    status_detail: cause?.value,
    time: event.at.getTime(),
    message: Object.hasOwn(CATALOGUE, kind) ? CATALOGUE[kind].summary : kind,
    metadata: {
      version: OCSF_VERSION,
      product: PRODUCT,
      log_name: 'audit',
      event_code: kind,
      uid: event.id,
      correlation_uid: event.requestId ?? undefined,
    },
    ...attributes,
    unmapped: toUnmapped(event, { attributes, mappedMembers: [...mappedMembers, ...(cause ? [cause.name] : [])], unmapped }),
  }) as OcsfEvent;
}

function toStatus({ status = 1 }: Rule, detail: SinkEvent['detail']): Attributes {
  const id = typeof status === 'number' ? status : status(detail);
  return { status_id: id, status: STATUSES[id] };
}

function findCause({ cause }: Rule, detail: SinkEvent['detail']): { name: string; value: string } | undefined {
  const value = cause === undefined ? undefined : detail[cause];
  return cause !== undefined && typeof value === 'string' ? { name: cause, value } : undefined;
}

const PARTS: Readonly<Record<ClassName, (event: SinkEvent) => Part>> = {
  'Base Event': ({ account, actor, operator, address }) => ({
    attributes: {},
    mappedMembers: [],
    unmapped: { account: account ?? undefined, actor, operator: operator ?? undefined, address: address ?? undefined },
  }),
  Authentication: (event) => ({
    attributes: {
      user: toUser(event),
      actor: toActor(event),
      src_endpoint: toSource(event),
      service: toService(event),
      ...toAuthFactors(event.detail),
      ...(event.kind.startsWith('sign-in.') ? { auth_protocol_id: 4, auth_protocol: 'OpenID' } : {}),
    },
    mappedMembers: ['client'],
  }),
  'Account Change': (event) => ({
    attributes: {
      user: toUser(event),
      actor: toActor(event),
      src_endpoint: toSource(event),
      ...toAuthFactors(event.detail),
    },
    mappedMembers: [],
  }),
  'Authorize Session': (event) => ({
    attributes: {
      user: toUser(event),
      actor: { ...(toActor(event) ?? { user: UNKNOWN_USER }), app_uid: findText(event.detail, 'client') },
      src_endpoint: toSource(event),
      privileges: findTexts(event.detail, 'scopes') ?? [],
    },
    mappedMembers: ['client', 'scopes'],
  }),
  'User Access Management': (event) => {
    const { detail } = event;
    const client = findText(detail, 'client');
    const right = findText(detail, 'right');
    const app = client === undefined ? { name: 'all apps' } : { uid: client };
    return {
      attributes: {
        user: toUser(event),
        actor: toActor(event),
        src_endpoint: toSource(event),
        // The event has no scopes if the whole access of an app was revoked.
        privileges: right === undefined ? (findTexts(detail, 'scopes') ?? ['all']) : [right],
        resources: [right === undefined ? { ...app, type: 'OAuth client' } : { ...FOYER, type: 'Operator rights' }],
      },
      mappedMembers: ['client', 'scopes', 'right'],
    };
  },
  'Entity Management': (event) => {
    const { entity, mappedMembers } = toEntity(event);
    const user = event.account === null ? undefined : toUser(event);
    return {
      attributes: {
        entity: { ...entity, type_id: 99, user },
        actor: toActor(event),
        src_endpoint: toSource(event),
        comment: findText(event.detail, 'reason'),
      },
      mappedMembers: [...mappedMembers, 'reason'],
    };
  },
  'Application Lifecycle': () => ({ attributes: { app: PRODUCT }, mappedMembers: [] }),
  'Application Error': ({ account }) => ({ attributes: {}, mappedMembers: [], unmapped: account ? { account } : {} }),
  'API Activity': (event) => ({
    attributes: {
      api: { operation: findText(event.detail, 'request') ?? event.kind, service: FOYER },
      actor: toActor(event) ?? { user: UNKNOWN_USER },
      src_endpoint: toSource(event) ?? { name: 'unknown' },
    },
    mappedMembers: ['request'],
  }),
};

function toUser({ account }: SinkEvent): Attributes {
  if (account === null) return UNKNOWN_USER;
  const { id, username, email } = account;
  return { uid: id, name: username, email_addr: isMappedEmail(email) ? email : undefined, type_id: 1, type: 'User' };
}

function isMappedEmail(email: string | undefined): boolean {
  return email !== undefined && EMAIL.test(email);
}

/** Describes who acted; undefined for an unknown person. */
function toActor(event: SinkEvent): Attributes | undefined {
  if (event.actor === 'system') return { app_name: PRODUCT.name, app_uid: PRODUCT.uid };
  if (event.actor === 'person') return event.account === null ? undefined : { user: toUser(event) };
  const uid = findText(event.detail, 'operatorAccount');
  const name = event.operator ?? 'operator';
  // An operator without an account is a token.
  const type = uid === undefined ? { type_id: 4, type: 'Service' } : { type_id: 2, type: 'Admin' };
  return { user: { name, uid, ...type } };
}

function toSource({ address }: SinkEvent): Attributes | undefined {
  if (address === null) return undefined;
  return isIP(address) === 0 ? { name: address } : { ip: address };
}

/** Describes the service of an event of the class Authentication: the app, Hydra, or Foyer or a part of it. */
function toService({ kind, detail }: SinkEvent): Attributes {
  const client = findText(detail, 'client');
  if (kind.startsWith('console.')) return { name: 'Foyer console', uid: 'foyer-console' };
  if (kind.startsWith('area.')) return { name: 'Foyer account area', uid: 'foyer-account-area' };
  if (kind === 'upstream-sessions.ended') return { name: 'Ory Hydra', uid: 'hydra' };
  return client === undefined ? FOYER : { uid: client };
}

function toEntity({ kind, detail }: SinkEvent): { entity: Attributes; mappedMembers: string[] } {
  const [family] = kind.split('.');
  if (family === 'client')
    return { entity: { uid: findText(detail, 'client') ?? 'unknown', type: 'OAuth client' }, mappedMembers: ['client'] };
  if (family === 'invitation')
    return { entity: { uid: findText(detail, 'invitation') ?? 'unknown', type: 'Invitation' }, mappedMembers: ['invitation'] };
  if (family === 'job') return { entity: { uid: String(detail['job']), type: 'Job' }, mappedMembers: ['job'] };
  if (family === 'approval') {
    const entity = { uid: findText(detail, 'approval'), name: findText(detail, 'operation') ?? 'unknown', type: 'Approval' };
    return { entity, mappedMembers: ['approval', 'operation'] };
  }
  if (family === 'mail') return { entity: { name: findText(detail, 'mail') ?? 'mails', type: 'Mail' }, mappedMembers: ['mail'] };
  if (family === 'sink')
    return { entity: { name: findText(detail, 'sink') ?? 'unknown', type: 'Event sink' }, mappedMembers: ['sink'] };
  if (family === 'secrets') return { entity: { name: 'secrets of factors', type: 'Secret' }, mappedMembers: [] };
  return { entity: { name: 'accounts', type: 'Accounts' }, mappedMembers: [] };
}

function toUnmapped(
  { account, detail, actor }: SinkEvent,
  { attributes, mappedMembers, unmapped = {} }: Part,
): Attributes | undefined {
  const mappedNames = [...mappedMembers, ...(actor === 'operator' && attributes['actor'] ? ['operatorAccount'] : [])];
  const otherEntries = Object.entries(detail).filter(([name]) => !mappedNames.includes(name));
  const email = account?.email !== undefined && !isMappedEmail(account.email) ? [['email', account.email]] : [];
  const unmappedValues = { ...unmapped, ...(Object.fromEntries([...otherEntries, ...email]) as Attributes) };
  return Object.keys(unmappedValues).length === 0 ? undefined : unmappedValues;
}

function findText(detail: SinkEvent['detail'], name: string): string | undefined {
  const value = detail[name];
  return typeof value === 'string' ? value : undefined;
}

function findTexts(detail: SinkEvent['detail'], name: string): string[] | undefined {
  const value = detail[name];
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** Removes undefined attributes at every depth, as in JSON. */
function dropAbsent(attributes: Attributes): Attributes {
  return JSON.parse(JSON.stringify(attributes)) as Attributes;
}
