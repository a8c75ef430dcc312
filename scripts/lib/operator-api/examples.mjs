/** One example of each request and answer of the operator API; a test validates the examples against the schemas. */
const ID = '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';
const SESSION = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';
const LINK = 'https://login.example.org/password-reset/form?token=9f2c6d1e';

const account = {
  id: ID,
  username: 'maria.musterfrau',
  display_name: 'Maria Musterfrau',
  email: 'maria@example.org',
  email_verified: true,
  picture: null,
  language: 'de',
  group_name: 'Einkauf',
  groups: ['Einkauf', 'Betriebsrat'],
  attributes: { given_name: 'Maria', department: 'Einkauf' },
  status: 'active',
  second_factor: null,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
};

const exportedProvider = {
  provider: 'google',
  issuer: 'https://accounts.google.com',
  subject: '110169484474386276334',
  label: 'Maria Musterfrau',
  connected_at: '2026-03-01T08:00:00.000Z',
};

const factorEntry = {
  id: '2e0f8c47-1c0d-4a5b-9f3e-7d1b6c5a4e30',
  name: 'YubiKey',
  created_at: '2026-01-05T09:30:00.000Z',
  last_used_at: '2026-03-01T07:45:00.000Z',
  synced: null,
};
const factor = { name: 'fido2', label: '1 security key', count: 1, entries: [factorEntry] };

const provider = { ...exportedProvider, last_used_at: null };

const trusted = {
  id: '0c3a1f0e-5d3c-4c55-8a63-6f3f9f4a2f11',
  browser: 'Firefox, Windows',
  created_at: '2026-03-02T09:30:00.000Z',
  last_used_at: '2026-03-14T07:12:00.000Z',
  expires_at: '2026-04-01T09:30:00.000Z',
};

const session = {
  id: SESSION,
  kind: 'sign_in',
  began_at: '2026-03-02T09:30:00.000Z',
  seen_at: null,
  expires_at: '2026-04-01T09:30:00.000Z',
  acr: 'urn:foyer:acr:mfa',
  amr: ['pwd', 'otp', 'mfa'],
  client_id: 'portal',
  address: '203.0.113.7',
  browser: 'Firefox, Windows',
};

const right = {
  right: 'support',
  by: 'grant',
  granted_at: '2026-03-02T09:30:00.000Z',
  granted_by: 'operator:platform',
  ends_at: '2026-06-30T00:00:00.000Z',
  reason: 'works at the help desk until the end of June',
};

const operator = {
  account_id: ID,
  username: 'maria.musterfrau',
  display_name: 'Maria Musterfrau',
  status: 'active',
  rights: [right],
};

const entry = {
  id: '4711',
  at: '2026-03-02T09:30:00.000Z',
  kind: 'account.changed',
  actor: 'operator:helpdesk',
  account_id: ID,
  username: 'maria.musterfrau',
  address: '127.0.0.1',
  request_id: '4f6c1c58-0d7e-4c0e-9d60-0a5b7a0d9a01',
  detail: { fields: ['email'] },
};

const operatorSession = {
  id: '7d0f2a1e-3c55-4d0a-9a4e-2b1d6f8c9e02',
  account_id: ID,
  username: 'olga.operator',
  began_at: '2026-03-02T09:30:00.000Z',
  seen_at: '2026-03-02T09:48:30.000Z',
  proven_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2026-03-02T17:30:00.000Z',
  acr: 'urn:foyer:acr:mfa',
  address: '203.0.113.7',
  browser: 'Firefox, Windows',
};

const job = {
  id: '17',
  action: 'end_sessions',
  days: null,
  filter: { group: 'Einkauf' },
  state: 'running',
  stop_cause: null,
  started_by: 'operator:olga.operator',
  reason: 'a laptop of the department was stolen',
  total: 412,
  done: 120,
  failed: 1,
  left: 291,
  started_at: '2026-03-01T08:00:00.000Z',
  ended_at: null,
};
const jobFailure = { account_id: account.id, username: account.username, error: 'operator_account' };
const savedFilter = {
  id: '5b4f0f52-3c0e-4d5b-8a0e-6f2f4c8e9a10',
  page: 'people',
  name: 'Disabled in purchasing',
  filter: { status: 'disabled', group: 'Einkauf' },
  saved_at: '2026-03-01T08:00:00.000Z',
};
const listedAccount = { ...account, source: 'staff', last_sign_in_at: '2026-03-01T07:45:00.000Z' };

export const EXAMPLES = {
  OperatorSessionAnswer: operatorSession,
  OperatorSessionListAnswer: { sessions: [operatorSession] },
  OperatorSessionEndedAnswer: { ended: 1 },
  AccountAnswer: account,
  AccountDetailAnswer: {
    ...account,
    subject: account.id,
    source: null,
    last_sign_in_at: '2026-03-01T07:45:00.000Z',
    factors: { totp: false, security_keys: 1, recovery_codes_left: 9, all: [factor] },
    credentials_frozen_until: null,
    deletion_due_at: null,
    lock: null,
    has_password: true,
    invitation_until: null,
    import_request_id: null,
  },
  JobCountAnswer: { count: 412, most: 100000, is_too_large: false },
  JobAnswer: job,
  JobListAnswer: { jobs: [job] },
  JobFailureAnswer: jobFailure,
  JobFailuresAnswer: { failures: [jobFailure] },
  JobCountBody: { action: 'end_sessions', filter: { group: 'Einkauf' } },
  JobBody: { action: 'end_sessions', filter: { group: 'Einkauf' }, count: 412 },
  SavedFilterAnswer: savedFilter,
  SavedFilterListAnswer: { filters: [savedFilter] },
  SavedFilterRemovedAnswer: { removed: 1 },
  SavedFilterBody: { page: 'people', name: 'Disabled in purchasing', filter: { status: 'disabled', group: 'Einkauf' } },
  AccountLockAnswer: { until: '2026-03-01T08:15:00.000Z' },
  ListedAccountAnswer: listedAccount,
  AccountListAnswer: { accounts: [listedAccount], next_cursor: '50' },
  AccountPatchBody: { email: 'maria.m@example.org', group_name: null, second_factor: 'required' },
  AuditAnswer: { entries: [entry] },
  AuditEntryAnswer: entry,
  FactorAnswer: factor,
  FactorRemovedAnswer: { removed: 1 },
  FactorEntryAnswer: factorEntry,
  UnlockedAnswer: { ...account, was_locked: true },
  RefreshedAnswer: { ...account, source: 'staff', source_state: 'active', upstream: null },
  LinkBody: { source: 'staff', username: 'maria' },
  LinkedAnswer: { ...account, source: 'staff', source_subject: '5f0c9a7e-2d41-4b6e-9a55-0d6a2f1c7b83', upstream: 'ended' },
  UnlinkedAnswer: {
    ...account,
    source: 'staff',
    source_subject: '5f0c9a7e-2d41-4b6e-9a55-0d6a2f1c7b83',
    upstream: 'ended',
    can_sign_in: false,
  },
  UnfrozenAnswer: { ...account, was_frozen: true },
  DeletionBody: { days: 14 },
  DeletionAnswer: { ...account, deletion_due_at: '2026-03-17T09:30:00.000Z' },
  KeptAnswer: { ...account, was_due: true },
  DeletedAnswer: { id: ID, ended: 2, upstream: 'ended' },
  DisabledAnswer: { ...account, status: 'disabled', upstream: 'ended' },
  ClaimsAnswer: {
    scopes: [
      { scope: 'openid', claims: [] },
      { scope: 'groups', claims: ['groups'] },
    ],
    id_token: { groups: ['Einkauf', 'Betriebsrat'] },
    access_token: {},
    bytes: 63,
    most_bytes: 4096,
  },
  ErrorAnswer: { error: 'format', message: 'email is not an e-mail address.', field: 'email' },
  ExportLineAnswer: {
    id: ID,
    username: 'maria.musterfrau',
    display_name: 'Maria Musterfrau',
    status: 'active',
    created_at: '2026-03-01T08:00:00.000Z',
    providers: [exportedProvider],
  },
  ExportedProviderAnswer: exportedProvider,
  FactorResetAnswer: {
    token: '9f2c6d1e',
    url: 'https://login.example.org/mfa/reset/form?token=9f2c6d1e',
    expires_at: '2026-03-04T09:30:00.000Z',
  },
  GrantBody: { right: 'support', ends_at: '2026-06-30' },
  HealthAnswer: { status: 'ok', ready: true, parts: { database: 'ok', clock: 'ok', upstream: 'ok' } },
  ImportLineAnswer: { line: 1, result: 'created', username: 'maria.musterfrau', id: ID },
  ImportLineBody: {
    username: 'maria.musterfrau',
    password_hash: '$2y$10$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G',
    email: 'maria@example.org',
    email_verified: true,
    providers: [{ provider: 'google', subject: '110169484474386276334' }],
  },
  ImportedProviderBody: exportedProvider,
  MailedLinkAnswer: { mailed_to: 'maria@example.org', expires_at: '2026-03-03T09:30:00.000Z' },
  NewAccountBody: { username: 'maria.musterfrau', email: 'maria@example.org', language: 'de' },
  OperatorAnswer: operator,
  OperatorListAnswer: { operators: [operator] },
  OperatorRightAnswer: right,
  PasswordResetAnswer: { url: LINK, expires_at: '2026-03-03T09:30:00.000Z' },
  SearchAnswer: { accounts: [account], more_accounts: false, events: [], clients: [{ id: 'portal', name: 'Portal' }] },
  FoundClientAnswer: { id: 'portal', name: 'Beispielportal' },
  SessionAnswer: session,
  ProviderAnswer: provider,
  ProvidersAnswer: { providers: [provider] },
  SessionListAnswer: { sessions: [session] },
  ScopeClaimsAnswer: { scope: 'groups', claims: ['groups'] },
  SessionsAnswer: { ended: 2, upstream: 'ended' },
  TrustedBrowserAnswer: trusted,
  TrustedBrowserListAnswer: { trusted_browsers: [trusted] },
  TrustedBrowsersEndedAnswer: { ended: 1 },
};
