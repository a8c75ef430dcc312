/**
 * Fills the tables as in an installation with many accounts after half a year. Each account has 1.3 sessions, 2 known
 * devices, 3 granted scopes, 20 events and 1.4 spellings of its name. Every second account has a counter, every third an authenticator app or a key
 * with recovery codes, every fifth an identity at a provider, and every fifth belongs to a source. Every eleventh has never signed in. One account in
 * twenty has rows that live for minutes.
 */
const id = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/** The id of one of these accounts. */
export const accountId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const series = (last: number): string => `from generate_series(1, ${Math.max(1, Math.round(last))}) n`;
const AHEAD = `now() + (1 + n % 28) * interval '1 day'`;
/** Later than the end of a measurement, because expired rows are deleted. */
const SOON = `now() + (60 + n % 50) * interval '1 minute'`;

export function buildManyAccounts(count: number, eventsPerAccount = 20): string[] {
  return [
    ...accountRows(count),
    ...sessionRows(count),
    ...factorRows(count),
    ...shortLivedRows(count),
    ...logRows(count, count * eventsPerAccount),
    'analyze',
  ];
}

function accountRows(count: number): string[] {
  return [
    `insert into account (id, username, username_key, looked_username, display_name, email, email_key, group_name, status, created_at, updated_at)
      select ${id('n')}, 'person.' || n, 'person.' || n, 'person.' || n, 'Person Nummer ' || n, 'p' || n || '@example.org', 'p' || n || '@example.org',
        case when n % 500 = 0 then 'Einkauf' end, case when n % 1000 = 0 then 'disabled' else 'active' end, now(), now() ${series(count)}`,
    `insert into password_credential (account_id, hash, changed_at)
      select ${id('n')}, '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('x', 66), now() ${series(count)}`,
    `insert into account_deletion (account_id, requested_by, requested_at, due_at)
      select ${id('n * 20')}, 'person', now(), ${AHEAD} ${series(count / 20)}`,
    `insert into operator_session (account_id, secret_hash, upstream_session_id, stamp, acr, began_at, proven_at, seen_at, expires_at)
      select ${id('n * 20')}, md5('operator' || n), 'session-' || n, 'never', '2', now(), now(), now(), ${AHEAD} ${series(count / 20)}`,
    `insert into operator_grant (account_id, right_name, granted_at, granted_by, ends_at)
      select ${id('n * 20')}, 'support', now(), 'operator', ${AHEAD} ${series(count / 20)}`,
    `insert into username_look (account_id, skeleton, username) select ${id('n')}, 'person.' || n, 'person.' || n ${series(count)}`,
    `insert into username_look (account_id, skeleton, username)
      select ${id('n')}, 'pers0n.' || n, 'person.' || n ${series(count * 0.4)}`,
    `insert into held_username (username_key, account_id, held_until, has_looks) select 'former.' || n, ${id('n')}, ${AHEAD}, true ${series(count / 20)}`,
    `insert into held_username_look (username_key, skeleton) select 'former.' || n, 'former.' || n ${series(count / 20)}`,
    `insert into external_identity (account_id, provider, issuer, subject, label, connected_at)
      select ${id('n * 5')}, 'google', 'https://accounts.example', 'subject-' || n, 'p@example.org', now() ${series(count / 5)}`,
    `insert into account_subject (account_id, subject) select id, 'subject-' || username from account where seq % 10 = 0`,
    `insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
      select ${id('n * 5 + 1')}, 'staff', 'subject-' || n, md5(n::text), now(), now() ${series(count / 5 - 1)}`,
    `insert into migrated_account (account_id, source, subject, migrated_at)
      select ${id('n * 5 + 2')}, 'shop', 'subject-' || n, now() ${series(count / 5 - 1)}`,
    `insert into source_name (name_key, account_id) select 'name.' || n, ${id('n * 5 + 1')} ${series(count / 5 - 1)}`,
    // Without links: the passwords of these accounts are measured.
    `insert into scim_user (account_id, source, user_name_key, external_id, emails, active, disabled_here, resource, version, created_at,
        modified_at)
      select ${id('n * 5 + 3')}, 'scim:entra', 'person.' || n, 'x-' || n, array['p' || n || '@example.org'], true, false, '{}', 1, now(), now()
      ${series(count / 5 - 1)}`,
    `insert into scim_group (id, source, display_name, display_key, version, created_at, modified_at)
      select ${id('n')}, 'scim:entra', 'Group ' || n, 'group ' || n, 1, now(), now() ${series(count / 20)}`,
    `insert into scim_group_member (group_id, account_id) select ${id(`1 + n % ${Math.max(1, Math.round(count / 20))}`)},
      ${id('n')} ${series(count - 1)}`,
    `insert into scim_fault (source, at, last_at, method, resource, subject, code, field, detail)
      select 'scim:entra', now(), now(), 'POST', 'User', 'externalId:' || n, 'uniqueness', 'userName', 'userName is taken.' ${series(count / 20)}`,
    `insert into scim_offer (account_id, source, external_id, offered_at, offered_by, expires_at)
      select ${id('n * 5 + 4')}, 'scim:entra', 'x-' || n, now(), 'operator', ${AHEAD} ${series(count / 5 - 1)}`,
    `insert into provider_choice (issuer, subject, client_id, account_id)
      select 'https://accounts.example', 'subject-' || n, 'portal', ${id('n * 5')} ${series(count / 5)}`,
  ];
}

function sessionRows(count: number): string[] {
  return [
    `insert into browser_session (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at, remembered,
        address)
      select ${id(`1 + n % ${count}`)}, 'session-' || n, md5('browser' || n), now(), '1', '{pwd}', ${AHEAD}, true,
        '203.0.113.' || n % 250 ${series(count * 1.3)}`,
    // The triggers that keep these rows do not run while the benchmark fills the tables.
    `insert into account_listing (account_id, account_seq, last_sign_in_at, source)
      select a.id, a.seq, case when a.seq % 11 <> 9 then date_trunc('milliseconds', now()) - a.seq % 180 * interval '1 day' end, s.source
      from account a left join source_account s on s.account_id = a.id
      on conflict (account_id) do update set last_sign_in_at = excluded.last_sign_in_at, source = excluded.source`,
    `insert into known_device (account_id, device_hash, remembered_at, expires_at)
      select ${id(`1 + n % ${count}`)}, md5('device' || n), now(), ${AHEAD} ${series(count * 2)}`,
    `insert into trusted_browser (account_id, secret_hash, stamp, created_at, last_used_at, expires_at)
      select ${id('n')}, md5('trusted' || n), 'stamp', now(), now(), ${AHEAD} ${series(count / 5)}`,
    `insert into operator_approval (operation, account_id, body, reason, asked_by, asked_at, expires_at, closed)
      select 'resets.factors', ${id('n')}, '{}', 'call', 'operator', now(), ${AHEAD}, n % 100 <> 0 ${series(count / 5)}`,
    `insert into invitation (email, email_key, invited_by, secret_hash, days, created_at, sent_at, expires_at)
      select 'invited' || n || '@example.org', 'invited' || n || '@example.org', 'operator', md5('invitation' || n), 7, now(), now(),
        ${AHEAD} ${series(count / 5)}`,
    `insert into support_check (account_id, words, asked_by, asked_at, expires_at)
      select ${id('n')}, 'sealed', 'operator', now(), ${AHEAD} ${series(count / 5)}`,
    `insert into sign_up_application (email_key, email, attributes, hash, client_id, client_name, asked_at, expires_at)
      select 'new' || n || '@example.org', 'new' || n || '@example.org', '{}', 'hash', 'portal', 'Portal', now(), ${AHEAD} ${series(count / 5)}`,
    `insert into consent_grant (account_id, client_id, scope, granted_at, expires_at)
      select ${id('1 + n / 3')}, 'portal', (array['openid', 'profile', 'email'])[1 + n % 3], now(), ${AHEAD} ${series((count - 1) * 3)}`,
    `insert into consent_removal (account_id, client_id, removed_at)
      select ${id('n')}, 'portal', now() ${series(count / 10)}`,
    `insert into attempt_counter (key, account_id, expires_at)
      select 'n:' || md5(n::text), case when n % 3 = 0 then ${id('n')} end, ${SOON} ${series(count / 2)}`,
  ];
}

function factorRows(count: number): string[] {
  return [
    `insert into totp_factor (account_id, secret, last_step, created_at)
      select ${id('n')}, repeat('s', 80), 0, now() ${series(count / 3)}`,
    `insert into security_key (account_id, credential_id, public_key, algorithm, counter, backup_eligible, transports, name, created_at)
      select ${id('n')}, md5('key' || n), decode(repeat('00', 77), 'hex'), -7, 0, false, '{usb}', 'Key', now() ${series(count / 10)}`,
    `insert into passkey (account_id, credential_id, public_key, algorithm, counter, backup_eligible, backed_up, user_verified, transports,
        aaguid, name, created_at)
      select ${id('n')}, md5('passkey' || n), decode(repeat('00', 77), 'hex'), -7, 0, true, true, true, '{internal}',
        '00000000-0000-0000-0000-000000000000', '', now() ${series(count / 3)}`,
    `insert into passkey_user (account_id, handle) select ${id('n')}, repeat(md5('handle' || n), 2) ${series(count / 3)}`,
    `insert into recovery_code (account_id, code_hash)
      select ${id('1 + n / 10')}, md5('code' || n) ${series((count / 3) * 10 - 10)}`,
    `insert into email_code_factor (account_id, created_at) select ${id('n')}, now() ${series(count / 10)}`,
  ];
}

function shortLivedRows(count: number): string[] {
  const few = count / 20;
  return [
    `insert into challenge_record (challenge_hash, kind, browser_hash, expires_at)
      select md5('challenge' || n), 'consent', md5('browser' || n), ${SOON} ${series(few)}`,
    `insert into sign_in (id, challenge_hash, browser_hash, state, account_id, proof, amr, proof_until, expires_at)
      select ${id('n')}, md5('challenge' || n), md5('browser' || n), 'identified', ${id('n')}, repeat('x', 300), '{pwd}', ${SOON}, ${SOON}
      ${series(few)}`,
    `insert into manage_session (id, account_id, scope, browser_hash, access_token_hash, entry_browser_hash, sign_in_id, created_at,
        seen_at, expires_at, kept_until)
      select ${id('n')}, ${id('n')}, 'manage', md5('browser' || n), md5('token' || n), md5('entry' || n),
        case when n % 10 = 0 then ${id('n')} end, now(), now(), ${SOON}, ${SOON} ${series(few)}`,
    `insert into rpc_family (id, session_id, step, stepped_at) select md5('family' || n), ${id('n')}, 3, now() ${series(few)}`,
    `insert into rpc_change (token_hash, request_hash, expires_at) select md5('change' || n), 'r', ${SOON} ${series(few)}`,
    `insert into one_time_secret (secret_hash, purpose, account_id, expires_at)
      select md5('secret' || n), 'password-reset', ${id('n')}, ${SOON} ${series(few)}`,
    `insert into former_email (account_id, email, email_verified, successor, expires_at)
      select ${id('n')}, 'former' || n || '@example.org', true, 'p' || n || '@example.org', ${SOON} ${series(few)}`,
    `insert into registration_ticket (challenge_hash, handle_hash, browser_hash, context, created_at, expires_at)
      select md5('ticket' || n), md5('handle' || n), 'b', 'x', now(), ${SOON} ${series(few)}`,
  ];
}

/** Most events are sign-ins, which are kept for 150 days. */
function logRows(count: number, events: number): string[] {
  return [
    `insert into outbox (account_id, kind, recipient, locale, payload, created_at, next_try_at, sent_at)
      select ${id(`1 + n % ${count}`)}, 'password-reset', 'p@example.org', 'de', repeat('x', 300), now(), now(),
        now() - (n % 29) * interval '1 day' ${series(count / 2)}`,
    `insert into outbox (account_id, kind, recipient, locale, payload, created_at, next_try_at, tries, cause)
      select ${id(`1 + n % ${count}`)}, 'invitation', 'p@example.org', 'de', repeat('x', 300), now(), ${AHEAD}, 1,
        case when n % 10 = 0 then 'refused' else 'server-unreachable' end ${series(count / 20)}`,
    `insert into account_job (owner, account_id, address, request_id, action, filter, state, total, created_at, next_try_at, ended_at)
      select md5(n::text), ${id('n')}, '203.0.113.1', 'request', 'disable', '{}', case when n % 50 = 0 then 'running' else 'done' end, 10,
        now(), ${AHEAD}, now() ${series(count / 20)}`,
    `insert into account_job_item (job_id, ordinal, account_id, state)
      select 1 + n % ${Math.max(1, Math.round(count / 20))}, n, ${id(`1 + n % ${count}`)}, (array['done', 'waiting', 'failed'])[1 + n % 3]
      ${series(count / 2)}`,
    `insert into event_sink (name, configured_at) select 'sink-' || n, now() ${series(2)}`,
    `insert into event_delivery (sink, event, account_id, created_at, tries, next_try_at, delivered_at, dead_at)
      select 'sink-' || (1 + n % 2), n, ${id(`1 + n % ${count}`)}, now(), 1, case when n % 40 = 0 then ${AHEAD} else now() end,
        case when n % 40 = 0 then null else now() - (n % 29) * interval '1 day' end, case when n % 400 = 0 then now() end ${series(count)}`,
    `insert into revocation_job (account_id, kind, session_ids, created_at, next_try_at)
      select ${id('n')}, 'everything', '{}', now(), ${AHEAD} ${series(count / 50)}`,
    `insert into audit_event (at, kind, actor, account_id, address, request_id)
      select now() - (1 - n::double precision / ${events}) * interval '150 days',
        case when n % 200 = 0 then 'account.created' when n % 20 < 18 then 'password.ok' else 'consent.granted' end,
        case when n % 200 = 0 then 'operator' else 'person' end, ${id(`1 + n % ${count}`)}, '203.0.113.7', 'request-' || n
      ${series(events)}`,
  ];
}
