/** All spans and the attributes that each span may have. The table in `docs/observability.md` is generated from this catalogue. */

export const SPANS = {
  request: {
    kind: 'server',
    name: '`POST /login/native`: method and route',
    about: 'one request to the gateway, without health checks and static files',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'url.scheme',
      'foyer.request.id',
      'error.type',
    ],
  },
  call: {
    kind: 'client',
    name: '`PUT /admin/oauth2/auth/requests/login/accept`, `POST provider`',
    about: 'one call to Hydra, a provider, the registration service or an HTTP user source',
    attributes: [
      'foyer.peer',
      'foyer.provider',
      'http.request.method',
      'url.template',
      'server.address',
      'server.port',
      'http.response.status_code',
      'error.type',
    ],
  },
  statement: {
    kind: 'client',
    name: '`sign-in.find`: the name of the statement, or its first word',
    about: 'one statement, never its text or values',
    attributes: ['db.system.name', 'db.query.summary', 'error.type'],
  },
  hash: {
    kind: 'internal',
    name: '`hash verify`',
    about: 'one password hash, with the wait before it',
    attributes: ['foyer.hash.operation', 'foyer.hash.wait', 'error.type'],
  },
  mail: {
    kind: 'client',
    name: '`mail send`',
    about: 'one attempt to send a mail to the mail server, in a separate trace',
    attributes: ['foyer.mail.kind', 'foyer.mail.tries', 'server.address', 'server.port', 'error.type'],
  },
} as const satisfies Record<
  string,
  { kind: 'server' | 'client' | 'internal'; name: string; about: string; attributes: readonly string[] }
>;

export type SpanKind = keyof typeof SPANS;
export type SpanAttributes<Kind extends SpanKind> = {
  [Name in (typeof SPANS)[Kind]['attributes'][number]]?: string | number | undefined;
};
