/**
 * Every metric, in one table. Tests check the docs, the dashboard and the alerts against it; a metric that is not
 * listed cannot be recorded. Each attribute has a closed set of values or a stated bound. Attributes never contain a
 * person, client, account, address, challenge or token.
 */

/** Known values; or, as text, what limits their number. */
export type Bound = readonly (string | number | boolean)[] | string;

export interface Instrument {
  /** `observed…` instruments are read on collection; all others are recorded when the event happens. */
  kind: 'counter' | 'histogram' | 'observed' | 'observedSum' | 'observedCounter';
  /** Unit in UCUM notation, as in OpenTelemetry. */
  unit: string;
  about: string;
  attributes: Readonly<Record<string, Bound>>;
}

type Catalogue = Record<string, Instrument>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const STATUSES = 'statuses that the other side may answer';
const ERRORS = 'names of errors and codes of the network';
const PROVIDERS = 'ids of the providers in the settings';
const POOL = { 'db.client.connection.pool.name': ['foyer'] } as const;

const http = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'requests to the pages and calls of the gateway',
    attributes: {
      'http.request.method': METHODS,
      'http.route': 'templates of the routes, `none` where there is no route',
      'http.response.status_code': STATUSES,
      'url.scheme': ['http', 'https'],
      'error.type': '`aborted`, or a status of 500 and more',
    },
  },
  'http.client.request.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'calls to Hydra, to providers, to the registration service and to HTTP user sources',
    attributes: {
      'foyer.peer': ['hydra', 'provider', 'registration', 'source'],
      'http.request.method': METHODS,
      'url.template': "Hydra's operations, absent for others",
      'foyer.provider': PROVIDERS,
      'http.response.status_code': STATUSES,
      'error.type': ERRORS,
    },
  },
} as const satisfies Catalogue;

const database = {
  'db.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'statements, from the moment a connection has them',
    attributes: { 'db.system.name': ['postgresql'], 'error.type': ERRORS },
  },
  'db.client.connection.count': {
    kind: 'observedSum',
    unit: '{connection}',
    about: 'connections of the pool',
    attributes: { ...POOL, 'db.client.connection.state': ['idle', 'used'] },
  },
  'db.client.connection.max': { kind: 'observedSum', unit: '{connection}', about: 'its size', attributes: POOL },
  'db.client.connection.pending_requests': {
    kind: 'observedSum',
    unit: '{request}',
    about: 'requests that wait for a connection',
    attributes: POOL,
  },
  'foyer.database.connections.refused': {
    kind: 'observedCounter',
    unit: '{connection}',
    about: 'further connections that the database server has refused (53300); `foyer doctor` says how many it allows',
    attributes: {},
  },
} as const satisfies Catalogue;

const signIn = {
  'foyer.login.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about:
      'first proofs of a sign-in; a disabled account, an unknown name and a wrong password are `refused` alike; `source` could not be checked, or a source does not let the person in',
    attributes: {
      'foyer.login.method': ['password', 'passkey', 'provider', 'registration'],
      'foyer.login.result': ['proven', 'refused', 'limited', 'busy', 'source'],
      'foyer.provider': PROVIDERS,
    },
  },
  'foyer.login.completed': {
    kind: 'counter',
    unit: '{login}',
    about: 'logins that were accepted; `session` goes on with one that is open, `external` is a provider or the registration',
    attributes: {
      'foyer.login.method': ['password', 'passkey', 'external', 'session'],
      'foyer.login.factor': ['none', 'otp', 'hwk', 'swk', 'other'],
    },
  },
  'foyer.login.waiting': {
    kind: 'observedSum',
    unit: '{attempt}',
    about: 'password attempts in line behind others for the same name',
    attributes: {},
  },
  'foyer.proof.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about: 'passwords shown once more, in the account area or at a reset of factors',
    attributes: { 'foyer.proof.result': ['proven', 'refused', 'limited', 'busy', 'source'] },
  },
  'foyer.factor.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about: 'second factors shown, at a sign-in or in the account area',
    attributes: {
      'foyer.factor': 'kinds of `docs/factors.md`; with `-setup` while one is set up',
      'foyer.factor.result': ['proven', 'refused', 'missing', 'limited', 'stopped'],
    },
  },
  'foyer.provider.answers': {
    kind: 'counter',
    unit: '{answer}',
    about: 'what came of sending somebody to a provider, to sign in or to connect an account',
    attributes: {
      'foyer.provider': PROVIDERS,
      'foyer.provider.result': ['proven', 'cancelled', 'refused', 'unavailable'],
    },
  },
  'foyer.source.answers': {
    kind: 'counter',
    unit: '{answer}',
    about: 'what user sources said to a name or a password; `unknown` names, and sources that did not answer',
    attributes: {
      'foyer.source': 'ids of the sources in the settings',
      'foyer.source.result': ['proven', 'refused', 'password-change', 'not-allowed', 'unknown', 'unavailable'],
    },
  },
  'foyer.consent.decisions': {
    kind: 'counter',
    unit: '{decision}',
    about: 'grants and refusals; `asked` is false where no screen was shown',
    attributes: { 'foyer.consent.result': ['granted', 'refused'], 'foyer.consent.asked': [true, false] },
  },
  'foyer.oauth.errors': {
    kind: 'counter',
    unit: '{error}',
    about: 'people whom Hydra sent to the page `/error`, because it could not send the error to the app; anybody can open it',
    attributes: { 'foyer.oauth.error': 'codes of OAuth and OpenID Connect that Hydra uses, else `other`' },
  },
  'foyer.limits.reached': {
    kind: 'counter',
    unit: '{limit}',
    about: 'waits that began, once for each',
    attributes: { 'foyer.limit': '`password`, `factor`, and the requests of `request-limits.ts`' },
  },
  'foyer.events': {
    kind: 'counter',
    unit: '{event}',
    about:
      'events of the audit log, once they are committed: resets, registrations, changes of accounts, logouts, mails given up',
    attributes: {
      'foyer.event.kind': 'kinds of `docs/audit.md`',
      'foyer.actor': ['person', 'operator', 'system'],
    },
  },
} as const satisfies Catalogue;

const queues = {
  'foyer.hash.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'one computation of a password hash, without the wait before it',
    attributes: { 'foyer.hash.operation': ['hash', 'verify'] },
  },
  'foyer.hash.wait.duration': { kind: 'histogram', unit: 's', about: 'the wait before it', attributes: {} },
  'foyer.hash.refused': {
    kind: 'counter',
    unit: '{hash}',
    about: 'hashes that found the queue full: people are asked to try again later',
    attributes: {},
  },
  'foyer.hash.running': { kind: 'observedSum', unit: '{hash}', about: 'hashes being computed', attributes: {} },
  'foyer.hash.waiting': { kind: 'observedSum', unit: '{hash}', about: 'hashes that wait', attributes: {} },
  'foyer.hash.waiting.max': {
    kind: 'observedSum',
    unit: '{hash}',
    about: 'how many may wait (`HASH_QUEUE_LENGTH`)',
    attributes: {},
  },
  'foyer.mail.send.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'tries to hand a mail to the server',
    attributes: { 'foyer.mail.result': ['sent', 'refused', 'postponed', 'unavailable'] },
  },
  'foyer.mail.waiting': {
    kind: 'observedSum',
    unit: '{mail}',
    about: 'mails of the whole installation that are due, or tried again later',
    attributes: { 'foyer.mail.state': ['due', 'later'] },
  },
  'foyer.mail.oldest.age': {
    kind: 'observed',
    unit: 's',
    about: 'how long the oldest mail has waited, 0 where none does',
    attributes: {},
  },
  'foyer.revocation.jobs.waiting': {
    kind: 'observedSum',
    unit: '{job}',
    about: 'endings of sessions that Hydra has not carried out yet, of the whole installation',
    attributes: {},
  },
  'foyer.revocation.jobs.oldest.age': {
    kind: 'observed',
    unit: 's',
    about: 'how long the oldest of them has waited, 0 where none does',
    attributes: {},
  },
} as const satisfies Catalogue;

const running = {
  'foyer.part.ready': {
    kind: 'observed',
    unit: '1',
    about: '1 where the part answers, else 0',
    attributes: { 'foyer.part': ['database', 'clock', 'upstream'] },
  },
  'foyer.start.faults': {
    kind: 'observed',
    unit: '{fault}',
    about: 'what the check at the start found wrong; it is repeated until nothing is',
    attributes: { 'foyer.check': ['upstream', 'sources', 'mail'] },
  },
  'foyer.clock.offset': {
    kind: 'observed',
    unit: 's',
    about: 'how far the clock of this process is ahead of the database; beyond 30 it is not ready',
    attributes: {},
  },
  'foyer.log.dropped': {
    kind: 'counter',
    unit: '{line}',
    about: 'lines of the log that standard output did not take',
    attributes: {},
  },
  'foyer.build.info': {
    kind: 'observed',
    unit: '{build}',
    about: 'always 1',
    attributes: { 'service.version': 'one a process', 'process.runtime.version': 'one a process' },
  },
  'nodejs.eventloop.delay.mean': { kind: 'observed', unit: 's', about: 'delay of the event loop, mean', attributes: {} },
  'nodejs.eventloop.delay.p99': { kind: 'observed', unit: 's', about: 'the 99th percentile of it', attributes: {} },
  'nodejs.eventloop.delay.max': { kind: 'observed', unit: 's', about: 'the longest since it was read before', attributes: {} },
  'nodejs.eventloop.utilization': { kind: 'observed', unit: '1', about: 'share of the time it was busy', attributes: {} },
  'process.cpu.time': {
    kind: 'observedCounter',
    unit: 's',
    about: 'CPU time',
    attributes: { 'cpu.mode': ['user', 'system'] },
  },
  'process.memory.usage': { kind: 'observedSum', unit: 'By', about: 'resident memory', attributes: {} },
  'process.uptime': { kind: 'observed', unit: 's', about: 'since the process began', attributes: {} },
} as const satisfies Catalogue;

export const INSTRUMENTS = { ...http, ...database, ...signIn, ...queues, ...running } as const satisfies Catalogue;

type Instruments = typeof INSTRUMENTS;
type NameOf<Kind extends Instrument['kind']> = {
  [Name in keyof Instruments]: Instruments[Name]['kind'] extends Kind ? Name : never;
}[keyof Instruments];

export type CounterName = NameOf<'counter'>;
export type HistogramName = NameOf<'histogram'>;
export type ObservedName = NameOf<'observed' | 'observedSum' | 'observedCounter'>;

type ValuesOf<A> = {
  [Key in keyof A as A[Key] extends readonly unknown[] ? Key : never]: A[Key] extends readonly (infer V)[] ? V : never;
};
type OthersOf<A> = { [Key in keyof A as A[Key] extends readonly unknown[] ? never : Key]?: string | number | undefined };

/** Attributes with a closed set are required; bounded ones are optional. */
export type AttributesOf<Name extends keyof Instruments> = ValuesOf<Instruments[Name]['attributes']> &
  OthersOf<Instruments[Name]['attributes']>;
