/**
 * Every metric, in one table. Tests check the docs, the dashboard and the alerts against this table; a metric that
 * is not listed cannot be recorded. Each attribute has a closed set of values or a stated bound. Attributes never contain a
 * person, client, account, address, challenge or token.
 */

/** The known values, or a text that states what limits their number. */
export type Bound = readonly (string | number | boolean)[] | string;

export interface Instrument {
  /** Instruments of the kinds `observed…` are read when the metrics are collected; the others are recorded when the event happens. */
  kind: 'counter' | 'histogram' | 'observed' | 'observedSum' | 'observedCounter';
  /** Unit in UCUM notation, as in OpenTelemetry. */
  unit: string;
  about: string;
  attributes: Readonly<Record<string, Bound>>;
}

type Catalogue = Record<string, Instrument>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const STATUSES = 'HTTP status codes';
const ERRORS = 'names of errors, and codes of network errors';
const SINKS = 'names of the sinks in the settings';
const PROVIDERS = 'ids of the providers in the settings';
const POOL = { 'db.client.connection.pool.name': ['foyer'] } as const;

const http = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'duration of requests to the gateway, without static files',
    attributes: {
      'http.request.method': METHODS,
      'http.route': 'templates of the routes; `none` if no route matches',
      'http.response.status_code': STATUSES,
      'url.scheme': ['http', 'https'],
      'error.type': '`aborted`, or a status of 500 or above',
    },
  },
  'http.client.request.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'duration of requests to Hydra, providers, the registration service and HTTP user sources',
    attributes: {
      'foyer.peer': ['hydra', 'provider', 'registration', 'source'],
      'http.request.method': METHODS,
      'url.template': "path templates of Hydra's API; absent for other peers",
      'foyer.provider': PROVIDERS,
      'http.response.status_code': STATUSES,
      'error.type': `${ERRORS}; a status of 400 or above`,
    },
  },
} as const satisfies Catalogue;

const database = {
  'db.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'duration of statements, without the wait for a connection',
    attributes: { 'db.system.name': ['postgresql'], 'error.type': ERRORS },
  },
  'db.client.connection.count': {
    kind: 'observedSum',
    unit: '{connection}',
    about: 'open connections of the pool',
    attributes: { ...POOL, 'db.client.connection.state': ['idle', 'used'] },
  },
  'db.client.connection.max': { kind: 'observedSum', unit: '{connection}', about: 'largest size of the pool', attributes: POOL },
  'db.client.connection.pending_requests': {
    kind: 'observedSum',
    unit: '{request}',
    about: 'requests that wait for a connection',
    attributes: POOL,
  },
  'foyer.database.connections.refused': {
    kind: 'observedCounter',
    unit: '{connection}',
    about: 'connections that the database server has refused (53300); `foyer doctor` reports how many the server allows',
    attributes: {},
  },
} as const satisfies Catalogue;

const signIn = {
  'foyer.login.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about:
      'attempts to prove a first factor at a sign-in; `refused`: the proof is not accepted, no account has the name, or the account is disabled; `source`: a user source did not check the password, or does not let the person sign in',
    attributes: {
      'foyer.login.method': ['password', 'passkey', 'code', 'provider', 'registration'],
      'foyer.login.result': ['proven', 'refused', 'limited', 'busy', 'source'],
      'foyer.provider': PROVIDERS,
    },
  },
  'foyer.login.completed': {
    kind: 'counter',
    unit: '{login}',
    about:
      'logins accepted at Hydra; `session`: an existing session was continued; `external`: by a provider or the registration service',
    attributes: {
      'foyer.login.method': ['password', 'passkey', 'code', 'external', 'session'],
      'foyer.login.factor': ['none', 'otp', 'hwk', 'swk', 'other'],
    },
  },
  'foyer.login.waiting': {
    kind: 'observedSum',
    unit: '{attempt}',
    about: 'attempts to prove a password or a mailed code that wait for an earlier attempt for the same name',
    attributes: {},
  },
  'foyer.proof.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about: 'attempts to prove the password again, in the account area or for a factor reset',
    attributes: { 'foyer.proof.result': ['proven', 'refused', 'limited', 'busy', 'source'] },
  },
  'foyer.factor.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about:
      'attempts to prove or set up a second factor at a sign-in or in the account area, and to prove a passkey in the account area',
    attributes: {
      'foyer.factor': 'kinds of `docs/factors.md`; with `-setup` for the set-up of a factor',
      'foyer.factor.result': ['proven', 'refused', 'missing', 'limited', 'stopped'],
    },
  },
  'foyer.provider.answers': {
    kind: 'counter',
    unit: '{answer}',
    about:
      'results of redirects to a provider, to sign in or to connect an account; `unavailable`: also if the redirect could not be made',
    attributes: {
      'foyer.provider': PROVIDERS,
      'foyer.provider.result': ['proven', 'cancelled', 'refused', 'unavailable'],
    },
  },
  'foyer.source.answers': {
    kind: 'counter',
    unit: '{answer}',
    about:
      'answers of user sources about a name or a password; `unknown`: the source does not know the name; `unavailable`: it did not answer, or its answer cannot be used',
    attributes: {
      'foyer.source': 'ids of the sources in the settings',
      'foyer.source.result': ['proven', 'refused', 'password-change', 'not-allowed', 'unknown', 'unavailable'],
    },
  },
  'foyer.consent.decisions': {
    kind: 'counter',
    unit: '{decision}',
    about: 'consents granted and refused; `foyer.consent.asked` is false if no page was shown',
    attributes: { 'foyer.consent.result': ['granted', 'refused'], 'foyer.consent.asked': [true, false] },
  },
  'foyer.hook.answers': {
    kind: 'counter',
    unit: '{answer}',
    about:
      'answers to the token hook of Hydra; `renewed`: issued with the current claims; `unchanged`: a token without a person, or a code that is redeemed; `gone`: no account has the subject; `disabled`, `frozen`: the state of the account; `removed`: the access ended after the authorization; `left`: the source of the person reports that the person has left; `source-down`: the source does not answer, and `SOURCE_DOWN` is `refuse`; `claims-too-large`: the claims do not fit into a token; `malformed`: the call could not be read',
    attributes: {
      'foyer.hook.result': [
        'renewed',
        'unchanged',
        'gone',
        'disabled',
        'frozen',
        'removed',
        'left',
        'source-down',
        'claims-too-large',
        'malformed',
      ],
    },
  },
  'foyer.oauth.errors': {
    kind: 'counter',
    unit: '{error}',
    about:
      'views of the page `/error`, to which Hydra redirects people if it cannot send an error to the app; anyone can open the page',
    attributes: { 'foyer.oauth.error': 'error codes of OAuth and OpenID Connect that Hydra uses; `other` for any other' },
  },
  'foyer.limits.reached': {
    kind: 'counter',
    unit: '{limit}',
    about: 'limits that were reached, counted once for each wait',
    attributes: { 'foyer.limit': '`password`, `factor`, and the kinds of requests of `request-limits.ts`' },
  },
  'foyer.events': {
    kind: 'counter',
    unit: '{event}',
    about: 'committed events of the audit log, such as resets, registrations, changes of accounts, logouts and abandoned mails',
    attributes: {
      'foyer.event.kind': 'kinds of `docs/events.md`',
      'foyer.actor': ['person', 'operator', 'system'],
    },
  },
} as const satisfies Catalogue;

const queues = {
  'foyer.hash.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'duration of a password hash, without the wait before it',
    attributes: { 'foyer.hash.operation': ['hash', 'verify'] },
  },
  'foyer.hash.wait.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'duration of the wait before a password hash',
    attributes: {},
  },
  'foyer.hash.refused': {
    kind: 'counter',
    unit: '{hash}',
    about: 'password hashes refused because the queue was full; people are asked to try again later',
    attributes: {},
  },
  'foyer.hash.running': { kind: 'observedSum', unit: '{hash}', about: 'password hashes that are being computed', attributes: {} },
  'foyer.hash.waiting': { kind: 'observedSum', unit: '{hash}', about: 'password hashes that wait', attributes: {} },
  'foyer.hash.waiting.max': {
    kind: 'observedSum',
    unit: '{hash}',
    about: 'maximum number of password hashes that may wait (`HASH_QUEUE_LENGTH`)',
    attributes: {},
  },
  'foyer.mail.send.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'duration of attempts to send a mail to the mail server',
    attributes: { 'foyer.mail.result': ['sent', 'refused', 'postponed', 'unavailable'] },
  },
  'foyer.mail.waiting': {
    kind: 'observedSum',
    unit: '{mail}',
    about: 'mails that wait in the whole installation; `later`: an attempt failed and is repeated later',
    attributes: { 'foyer.mail.state': ['due', 'later'] },
  },
  'foyer.mail.oldest.age': {
    kind: 'observed',
    unit: 's',
    about: 'age of the oldest waiting mail; 0 if no mail waits',
    attributes: {},
  },
  'foyer.sink.deliveries': {
    kind: 'counter',
    unit: '{event}',
    about: 'attempts to deliver an event to a sink; `failed`: it is tried again; `dead`: it is not tried again by itself',
    attributes: { 'foyer.sink': SINKS, 'foyer.sink.result': ['delivered', 'failed', 'dead'] },
  },
  'foyer.sink.waiting': {
    kind: 'observedSum',
    unit: '{event}',
    about: 'events that wait for a sink in the whole installation, counted up to 100,000',
    attributes: { 'foyer.sink': SINKS },
  },
  'foyer.sink.oldest.age': {
    kind: 'observed',
    unit: 's',
    about: 'how long the earliest event has waited for a sink; 0 if none waits',
    attributes: { 'foyer.sink': SINKS },
  },
  'foyer.sink.dead': {
    kind: 'observedSum',
    unit: '{event}',
    about: 'events of the last 30 days that were given up for a sink, counted up to 100,000',
    attributes: { 'foyer.sink': SINKS },
  },
  'foyer.revocation.jobs.waiting': {
    kind: 'observedSum',
    unit: '{job}',
    about: 'revocation jobs of the whole installation that Hydra has not carried out yet',
    attributes: {},
  },
  'foyer.revocation.jobs.oldest.age': {
    kind: 'observed',
    unit: 's',
    about: 'age of the oldest waiting revocation job; 0 if none waits',
    attributes: {},
  },
} as const satisfies Catalogue;

const process = {
  'foyer.part.ready': {
    kind: 'observed',
    unit: '1',
    about: '1 if the part is ready, otherwise 0',
    attributes: { 'foyer.part': ['database', 'clock', 'upstream'] },
  },
  'foyer.start.faults': {
    kind: 'observed',
    unit: '{fault}',
    about: 'faults that the check at the start found; the check is repeated until there are none',
    attributes: { 'foyer.check': ['upstream', 'sources', 'mail'] },
  },
  'foyer.clock.offset': {
    kind: 'observed',
    unit: 's',
    about:
      'how far the clock of this process is ahead of the clock of the database; beyond 30 s in either direction the gateway is not ready',
    attributes: {},
  },
  'foyer.log.dropped': {
    kind: 'counter',
    unit: '{line}',
    about: 'log lines dropped because standard output did not accept them',
    attributes: {},
  },
  'foyer.build.info': {
    kind: 'observed',
    unit: '{build}',
    about: 'always 1',
    attributes: { 'service.version': 'one for each process', 'process.runtime.version': 'one for each process' },
  },
  'nodejs.eventloop.delay.mean': { kind: 'observed', unit: 's', about: 'mean delay of the event loop', attributes: {} },
  'nodejs.eventloop.delay.p99': {
    kind: 'observed',
    unit: 's',
    about: '99th percentile of the delay of the event loop',
    attributes: {},
  },
  'nodejs.eventloop.delay.max': {
    kind: 'observed',
    unit: 's',
    about: 'longest delay of the event loop since the last read',
    attributes: {},
  },
  'nodejs.eventloop.utilization': {
    kind: 'observed',
    unit: '1',
    about: 'share of the time that the event loop was busy',
    attributes: {},
  },
  'process.cpu.time': {
    kind: 'observedCounter',
    unit: 's',
    about: 'CPU time of the process',
    attributes: { 'cpu.mode': ['user', 'system'] },
  },
  'process.memory.usage': { kind: 'observedSum', unit: 'By', about: 'resident memory of the process', attributes: {} },
  'process.uptime': { kind: 'observed', unit: 's', about: 'time since the process started', attributes: {} },
} as const satisfies Catalogue;

export const INSTRUMENTS = { ...http, ...database, ...signIn, ...queues, ...process } as const satisfies Catalogue;

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

/** Attributes with a closed set of values are required; attributes with a stated bound are optional. */
export type AttributesOf<Name extends keyof Instruments> = ValuesOf<Instruments[Name]['attributes']> &
  OthersOf<Instruments[Name]['attributes']>;
