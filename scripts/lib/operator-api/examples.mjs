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

const clientSummary = {
  client_id: 'shop',
  client_name: 'Shop',
  owner: '',
  is_public: false,
  is_own: false,
  created_at: '2026-03-01T08:00:00Z',
  updated_at: '2026-03-02T09:30:00Z',
};
const client = {
  ...clientSummary,
  redirect_uris: ['https://shop.example.org/callback'],
  post_logout_redirect_uris: ['https://shop.example.org/'],
  allowed_cors_origins: [],
  scope: 'openid offline_access profile email id',
  audience: [],
  contacts: [],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
  client_uri: '',
  logo_uri: '',
  policy_uri: '',
  tos_uri: '',
  backchannel_logout_uri: '',
  backchannel_logout_session_required: false,
  skip_consent: false,
  skip_logout_consent: false,
  foyer: { mfa: 'required' },
  foyer_faults: [],
  version: 'q7RtYb0hN2cJpX4mWv9sLA',
};
const clientSecret = 'GzS2mC0Y8rW3uTqkX1bVnJ5dLhP7aEoF9iRcMxQyZsA';
const preset = {
  name: 'server',
  about: 'an app with a server, which keeps the secret',
  has_secret: true,
  requires: ['redirect_uris'],
  scope: 'openid offline_access profile email id',
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

const mail = {
  id: '4711',
  kind: 'reset-link',
  recipient: 'maria@example.org',
  account_id: ID,
  username: 'maria.musterfrau',
  state: 'waiting',
  tries: 3,
  queued_at: '2026-06-07T08:00:00.000Z',
  next_try_at: '2026-06-07T08:11:00.000Z',
  abandoned_at: null,
  expires_at: '2026-06-07T20:00:00.000Z',
  expired: false,
  cause: 'server-unreachable',
  code: 'ETIMEDOUT CONN',
};

const finding = {
  level: 'fault',
  what: 'The source staff cannot be used at ldaps://ldap.example.org (ECONNREFUSED).',
  fix: 'Check urls, ca, bind_dn and bind_password of "staff" in USER_SOURCES.',
};

const sourceState = { id: 'staff', name: 'Staff directory', type: 'ldap', state: 'fault', findings: [finding] };

const setting = {
  name: 'PUBLIC_URL',
  group: 'Addresses',
  about: 'the address of the sign-in pages',
  origin: 'environment',
  file: null,
  secret: false,
  value: 'https://login.example.org',
  default: null,
};

const mailCause = { cause: 'server-unreachable', count: 4, retryable: 3 };

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

const savedFilter = {
  id: '5b4f0f52-3c0e-4d5b-8a0e-6f2f4c8e9a10',
  page: 'people',
  name: 'Disabled in purchasing',
  filter: { status: 'disabled', group: 'Einkauf' },
  saved_at: '2026-03-01T08:00:00.000Z',
};
const listedAccount = { ...account, source: 'staff', last_sign_in_at: '2026-03-01T07:45:00.000Z' };
const approval = {
  id: '5b0c1f3a-8f4d-4f0e-b6b5-2a4f5f0c7e11',
  operation: 'accounts.change',
  account_id: ID,
  username: 'maria.musterfrau',
  display_name: 'Maria Musterfrau',
  email: 'maria@example.org',
  body: { email: 'maria.m@example.org' },
  reason: 'ticket 4711: has another address; called back',
  asked_by: 'operator:olga.operator',
  asked_by_account: '7d0f2a1e-3c55-4d0a-9a4e-2b1d6f8c9e02',
  asked_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2026-03-03T09:30:00.000Z',
  state: 'open',
  missing: 1,
  supported_by: null,
  supported_by_account: null,
  decided_by: null,
  decided_at: null,
  decision_reason: null,
  used_at: null,
};

export const EXAMPLES = {
  ApprovalAnswer: approval,
  ApprovalListAnswer: { approvals: [approval] },
  ApprovedAnswer: { approval: { ...approval, state: 'approved', missing: 0 }, result: account },
  OperatorSessionAnswer: operatorSession,
  OperatorSessionListAnswer: { sessions: [operatorSession] },
  OperatorSessionEndedAnswer: { ended: 1 },
  TodayRowAnswer: { kind: 'mails-abandoned', count: 3, names: [], since: null },
  TodayAnswer: { rows: [{ kind: 'tokens-used', count: 1, names: ['helpdesk'], since: '2026-06-01T08:00:00.000Z' }] },
  FindingAnswer: finding,
  SourceStateAnswer: sourceState,
  SourceStatesAnswer: { checked_at: '2026-06-07T08:00:00.000Z', sources: [sourceState] },
  DoctorFindingAnswer: { check: 'User sources', ...finding },
  DoctorCountsAnswer: { ok: 31, hint: 2, fault: 1 },
  DoctorAnswer: { status: 'fault', counts: { ok: 31, hint: 2, fault: 1 }, findings: [{ check: 'User sources', ...finding }] },
  SettingAnswer: setting,
  SettingsAnswer: { settings: [setting] },
  MailAnswer: mail,
  MailListAnswer: { mails: [mail] },
  MailCauseAnswer: mailCause,
  MailCausesAnswer: { causes: [mailCause] },
  MailCauseBody: { cause: 'server-unreachable' },
  MailRetriedAnswer: { ...mail, retried: true },
  MailsRetriedAnswer: { retried: 3, more: false },
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
  ClientAnswer: client,
  ClientDeletedAnswer: { client_id: 'shop' },
  ClientListAnswer: { clients: [clientSummary] },
  ClientPatchBody: { version: 'q7RtYb0hN2cJpX4mWv9sLA', redirect_uris: ['https://shop.example.org/signed-in'] },
  ClientPresetAnswer: preset,
  ClientPresetListAnswer: { presets: [preset] },
  ClientSecretAnswer: { client_id: 'shop', client_secret: clientSecret, former_secret_valid_until: null },
  ClientSummaryAnswer: clientSummary,
  NewClientAnswer: { client, client_secret: clientSecret },
  NewClientBody: { preset: 'server', client_name: 'Shop', redirect_uris: ['https://shop.example.org/callback'] },
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
