/**
 * The meaning of each kind of event and of the members of its detail. `docs/events.md` is generated from this list, and tests compare
 * it with the stored events. The meaning of a kind or member never changes, because other systems rely on it.
 */
import type { AuditContext, AuditDetail } from './audit-log.js';
import type { AuditKind } from './kinds.js';

type Value = AuditDetail[string];

interface DetailMember {
  /** Markdown. */
  meaning: string;
  example: Value;
  /** Only some events of the kind have the member. */
  isOptional?: true;
  /** Identifies the person; an event sink receives it only if the sink also receives usernames. */
  isPersonal?: true;
}

export interface EventDescription {
  /** The heading under which the documentation describes the kind. */
  topic: Topic;
  /** One sentence without Markdown, true of every event of the kind. */
  summary: string;
  /** Further sentences for the documentation, in Markdown. */
  remarks?: string;
  actor: AuditContext['actor'];
  /** Whether the event concerns an account. Default: `always`. */
  account?: 'sometimes' | 'never';
  detail: Readonly<Record<string, DetailMember>>;
}

export const TOPICS = ['Signing in and out', 'Account', 'Operators', 'Account area', 'Console', 'Installation'] as const;
type Topic = (typeof TOPICS)[number];

const member = (meaning: string, example: Value): DetailMember => ({ meaning, example });
const optionalMember = (meaning: string, example: Value): DetailMember => ({ meaning, example, isOptional: true });

const CLIENT = member('id of the app', 'portal');
const TERMS = member('id of the terms (`TERMS`)', 'use');
const CHANGED_CLIENT = member('id of the app', 'wiki');
const APPLICATION = member('id of the application', '5f0c9f7e-7b0e-4a39-9d3c-0d6f8a1c2b44');
const AMR = member('how the person was proven (RFC 8176)', ['pwd', 'otp', 'mfa']);
const PROVIDER = member('id of the provider', 'google');
const SOURCE = member('id of the user source, issuer of the provider, or `scim:` followed by the id of a SCIM source', 'staff');
const SCIM_SOURCE = member('`scim:` followed by the id of the source', 'scim:entra');
const FACTOR = member('`totp`, `fido2`, `passkey` or `email-code`', 'totp');
const personalMember = (meaning: string, example: Value): DetailMember => ({
  ...optionalMember(meaning, example),
  isPersonal: true,
});
const SUBJECT = personalMember('id of the person at the source', 'uid=anna,ou=people,dc=example,dc=com');
const SESSIONS = member('how many sessions ended', 2);
const DEVICE_FLOW = optionalMember('true if a device, such as a television, waits for the decision', true);
const MAIL_SENT = member('false if no mail was sent: an unknown name, a disabled account, no address, or too many mails', true);
const JOB_ACTION = member('what is done to each account, such as `disable` or `end_sessions`', 'end_sessions');
const CLIENT_ACTION = member('`create`, `change`, `rotate` or `delete`', 'change');
const CHANGED_FIELDS = member('names of the changed fields', ['redirect_uris']);
const APPROVAL = {
  approval: member('id of the approval', '5f0c9f7e-7b0e-4a39-9d3c-0d6f8a1c2b44'),
  operation: member('the operation of the operator API', 'resets.factors'),
};
const SINK = member('name of the sink ([event-sinks.md](event-sinks.md))', 'crm');
const SCIM_ACTOR = optionalMember('the SCIM source that did it ([scim.md](scim.md))', 'scim:entra');
const INVITATION = member('id of the invitation', '3b1f8f0a-6c1e-4d55-9c5e-0a6a4f6f2d11');
const CHECK = member('id of the check', '8f14e45f-ceea-4672-9a52-3c1e6f1f8a10');

/** Members of the detail of every event that an operator caused. People are not shown them. */
export const OPERATOR_DETAIL: EventDescription['detail'] = {
  reason: optionalMember('why the operator did it, in their own words', 'Lost phone, ticket 4711'),
  operatorAccount: optionalMember('id of the operator’s account; absent for a token', '0b9d6c1e-4f6b-4c3e-8a27-5d1f7e2a9c60'),
  job: optionalMember('number of the job on many accounts that did it', 12),
};

export const CATALOGUE: Readonly<Record<AuditKind, EventDescription>> = {
  'password.ok': {
    topic: 'Signing in and out',
    summary: 'The right password was entered.',
    remarks: 'At a sign-in, or as a proof in the account area or at a reset.',
    actor: 'person',
    detail: {},
  },
  'password.refused': {
    topic: 'Signing in and out',
    summary: 'A password was refused.',
    remarks:
      'The page never says why. An event without an account has the reason `unknown-name`; the name is not recorded, because people type passwords into that field.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      reason: member(
        '`wrong-password`, `unknown-name` (no source has accepted it either), `disabled`, `no-password` (the account has none), `source` (the password is not stored here, and no source has accepted it), `replaced` (it was right, but was replaced or the account changed while it was checked) or `stopped` (the account is locked, so it was not checked)',
        'wrong-password',
      ),
    },
  },
  'password.limited': {
    topic: 'Signing in and out',
    summary: 'A wait after wrong passwords, or codes in place of them, has begun.',
    remarks: 'For a username, a device or an address; once for each wait.',
    actor: 'person',
    account: 'sometimes',
    detail: {},
  },
  'sign-in-code.asked': {
    topic: 'Signing in and out',
    summary: 'Somebody requested a code by mail to sign in.',
    remarks: '[A code by mail](authentication.md#a-code-by-mail). The page never says whether one was sent.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      mailed: member('false if no code was sent', false),
      reason: optionalMember(
        'why no code was sent: `unknown-name`, `disabled`, `no-address` (none, or not verified), `stronger` (the account has a passkey), `factor` (its second factor is mailed too), `provider` (the account belongs to one) or `limited` (too many mails)',
        'stronger',
      ),
    },
  },
  'sign-in-code.ok': {
    topic: 'Signing in and out',
    summary: 'The right code by mail was entered to sign in.',
    actor: 'person',
    detail: {},
  },
  'sign-in-code.refused': {
    topic: 'Signing in and out',
    summary: 'A code by mail to sign in was refused.',
    remarks: 'It counts like a wrong password; a wait is `password.limited`.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      reason: member(
        '`wrong-code` (also one of another browser, or one that has expired), `unknown-name`, `disabled`, `replaced` (the account changed in the meantime) or `stopped` (the account is locked, so it was not checked)',
        'wrong-code',
      ),
    },
  },
  'factor.ok': {
    topic: 'Signing in and out',
    summary: 'A second factor or a passkey was proven.',
    actor: 'person',
    detail: { factor: member('`totp`, `fido2`, `passkey`, `email-code` or `recovery`', 'totp') },
  },
  'factor.refused': {
    topic: 'Signing in and out',
    summary: 'A second factor or a passkey was refused.',
    remarks: 'At a sign-in, as a fresh proof in the account area, or a code of its set-up.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      factor: member('`totp`, `fido2`, `passkey`, `email-code`, `recovery`, `totp-setup` or `email-code-setup`', 'totp'),
      fault: member(
        '`code`, `replayed`, `challenge`, `response` or `counter`; for a passkey at a sign-in also `account` (the account is disabled, or its access ended meanwhile) and `unknown` (no account has the passkey)',
        'code',
      ),
    },
  },
  'factor.limited': {
    topic: 'Signing in and out',
    summary: 'A wait after wrong codes, security keys or passkeys has begun, or the factor is stopped.',
    remarks: 'For a factor, its set-up, or an address that tries passkeys.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      factor: optionalMember('the factor that is stopped', 'totp'),
      stopped: optionalMember(
        'true if the factor is stopped until an operator unlocks the account, or the factor is removed or reset',
        true,
      ),
    },
  },
  'provider.ok': {
    topic: 'Signing in and out',
    summary: 'An external account that is connected to this account was proven.',
    actor: 'person',
    detail: { provider: PROVIDER },
  },
  'provider.refused': {
    topic: 'Signing in and out',
    summary: 'An external account was proven and refused.',
    remarks: 'After `not admitted` the sessions of the account are ended.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      provider: PROVIDER,
      reason: member(
        '`not connected`, `no account`, `not admitted`, `earlier session`, `ended` (the account changed in the meantime), or why the account may not sign in',
        'not admitted',
      ),
      subject: personalMember('id of the person at the provider, with `no account` and `not admitted`', '248289761001'),
      fault: optionalMember('why no account could be created, with `no account`', 'username-taken'),
    },
  },
  'source.refused': {
    topic: 'Signing in and out',
    summary: 'A person of a user source or a provider may not sign in.',
    remarks:
      'The person was proven, for example by the right password or a passkey; or the source was queried about the person again, without a sign-in ([how](token-hook.md#people-of-a-user-source)).',
    actor: 'person',
    account: 'sometimes',
    detail: {
      source: SOURCE,
      reason: member(
        '`gone` or `disabled` (the source no longer has or admits the person), `frozen`, `provider` (only the provider may sign the person in), or another obstacle: the password has to be changed, the source does not allow the sign-in, or the account cannot be created',
        'disabled',
      ),
      subject: SUBJECT,
    },
  },
  'source.unavailable': {
    topic: 'Signing in and out',
    summary: 'A user source did not answer when it was queried again about a person.',
    remarks:
      'When an app refreshes its tokens, for a session, or once a day. Recorded once for each outage and gateway, and again after `SOURCE_FRESHNESS_SECONDS`.',
    actor: 'system',
    account: 'never',
    detail: { source: SOURCE },
  },
  'sign-in.ok': {
    topic: 'Signing in and out',
    summary: 'Everything required was proven, and the sign-in was accepted.',
    actor: 'person',
    detail: {
      client: CLIENT,
      amr: AMR,
      browser: optionalMember('browser and system in words', 'Firefox on Linux'),
      trustedBrowser: optionalMember(
        '`made` if the browser needs no second factor from now on, `used` if it needed none this time',
        'made',
      ),
    },
  },
  'sign-in.refused': {
    topic: 'Signing in and out',
    summary: 'The person was proven, but the sign-in does not continue.',
    actor: 'person',
    detail: {
      client: CLIENT,
      reason: member(
        '`unmet` (the account cannot reach what the app requires), `own-proof` (the app or the account requires a password or a factor, and only a provider or a mailed code was proven), `new-proof` (the provider only confirmed an earlier sign-in), `no-set-up` (a second factor has to be set up, which a proof by a provider alone does not allow), `ended` (the account or its password changed in the meantime), `declined` (the person did not accept terms), or what is wrong with the request of the app (`missing`, `expired`, `used`, `foreign`, `no-cookies`)',
        'unmet',
      ),
    },
  },
  'sign-in.continued': {
    topic: 'Signing in and out',
    summary: 'An existing session was used for an app.',
    actor: 'person',
    detail: { client: CLIENT, amr: AMR },
  },
  'consent.granted': {
    topic: 'Signing in and out',
    summary: 'An app received access.',
    actor: 'person',
    detail: {
      client: CLIENT,
      scopes: member('the scopes that the app received', ['openid', 'profile']),
      asked: member('false if no page was shown', true),
      device: DEVICE_FLOW,
    },
  },
  'consent.refused': {
    topic: 'Signing in and out',
    summary: 'An app received no access.',
    actor: 'person',
    detail: { client: CLIENT, error: member('the OAuth error that the app receives', 'access_denied'), device: DEVICE_FLOW },
  },
  'logout.done': {
    topic: 'Signing in and out',
    summary: 'The sessions of a browser ended here, and end at Hydra too.',
    actor: 'person',
    account: 'sometimes',
    detail: { client: optionalMember('id of the app that requested the logout', 'portal') },
  },

  'account.created': {
    topic: 'Account',
    summary: 'An account was created.',
    remarks: 'By an operator, a SCIM source or the product itself, or by the person ([joining.md](joining.md)).',
    actor: 'operator',
    detail: {
      source: SCIM_ACTOR,
      by: optionalMember('`sign-up` or `invitation` if the person has created the account', 'sign-up'),
      application: optionalMember('id of the application that an operator has approved', '5f0c9f7e-7b0e-4a39-9d3c-0d6f8a1c2b44'),
      invitation: { ...INVITATION, isOptional: true },
    },
  },
  'sign-up.asked': {
    topic: 'Installation',
    summary: 'A person signed up, and waits for the decision of an operator.',
    remarks:
      'With `REGISTRATION=own-with-approval` ([joining.md](joining.md)). If an operator approves, `account.created` has the same application. The event has no network address, because the person has no account.',
    actor: 'person',
    account: 'never',
    detail: { application: APPLICATION, client: CLIENT },
  },
  'sign-up.refused': {
    topic: 'Installation',
    summary: 'An operator refused a person who signed up.',
    remarks: 'What the person had entered was deleted.',
    actor: 'operator',
    account: 'never',
    detail: { application: APPLICATION },
  },
  'sign-up.expired': {
    topic: 'Installation',
    summary: 'No operator decided in time about a person who signed up.',
    remarks: 'What the person had entered was deleted.',
    actor: 'system',
    account: 'never',
    detail: { application: APPLICATION },
  },
  'source.connected': {
    topic: 'Account',
    summary: 'An account belongs to a user source, a SCIM source or a provider from now on.',
    remarks:
      'The account was created by the first sign-in of the person or by a SCIM source, was taken by a SCIM source, or was linked by an operator.',
    actor: 'person',
    detail: { source: SOURCE },
  },
  'scim.offered': {
    topic: 'Account',
    summary: 'An operator allowed a SCIM source to take the account.',
    remarks:
      'The source takes the account if it pushes the person within 30 days ([scim.md](scim.md)); `source.connected` records that.',
    actor: 'operator',
    detail: {
      source: SCIM_SOURCE,
      externalId: optionalMember(
        'the `externalId` of the person at the source; absent if the verified address decides',
        '7f3c2a',
      ),
    },
  },
  'scim.dismissed': {
    topic: 'Installation',
    summary: 'An operator removed a refused call of a SCIM client from the list.',
    actor: 'operator',
    account: 'sometimes',
    detail: { source: SCIM_SOURCE, code: member('`scimType` of the answer, or its status', 'uniqueness') },
  },
  'scim.withdrawn': {
    topic: 'Account',
    summary: 'An operator no longer allows a SCIM source to take the account.',
    actor: 'operator',
    detail: { source: SCIM_SOURCE },
  },
  'source.disconnected': {
    topic: 'Account',
    summary: 'An account no longer belongs to its user source, SCIM source or provider.',
    actor: 'operator',
    detail: { source: SOURCE },
  },
  'source.migrated': {
    topic: 'Account',
    summary: 'The password of a person of a user source was right and is stored here from now on.',
    actor: 'person',
    detail: { source: SOURCE },
  },
  'account.deleted': {
    topic: 'Account',
    summary: 'An account was deleted with everything that was stored for it.',
    remarks: 'By an operator or a SCIM source, or by the product at the end of a wait.',
    actor: 'system',
    detail: {
      sessions: SESSIONS,
      by: optionalMember('who began the wait: `person` or `operator`', 'person'),
      source: SCIM_ACTOR,
      subject: personalMember('the subject under which apps knew the account, if it is not its id', 'legacy-4711'),
    },
  },
  'deletion.requested': {
    topic: 'Account',
    summary: 'An account is to be deleted after a wait.',
    actor: 'person',
    detail: { due: member('when the account will be deleted', '2026-12-05T09:30:00.000Z') },
  },
  'deletion.cancelled': {
    topic: 'Account',
    summary: 'An account that was to be deleted is kept.',
    actor: 'person',
    detail: {
      way: member(
        '`area` (in the account area), `mail` (by the link of the mail), `not-me` (by "That was not me"), `operator` or `source` (the source gave the account to another person)',
        'mail',
      ),
    },
  },
  'account.imported': {
    topic: 'Account',
    summary: 'An operator imported accounts.',
    remarks:
      'One event for each call, without an account; each account has the `request_id` of the event (`account show`). The accounts of the demo have such an event too.',
    actor: 'operator',
    account: 'never',
    detail: {
      accounts: member('how many accounts', 250),
      passwords: member('kinds of the password hashes; `none` for accounts without one', ['bcrypt', 'none']),
      providers: optionalMember('how many connections to providers', 12),
      people: optionalMember('how many accounts came with a person of a user source, SCIM source or provider', 80),
      totp: optionalMember('how many authenticator apps', 31),
      'email-code': optionalMember('how many set-ups of codes by mail', 9),
    },
  },
  'account.invited': {
    topic: 'Account',
    summary: 'An operator sent an invitation to choose a first password.',
    actor: 'operator',
    detail: { mailed: member('always true', true) },
  },
  'invitation.created': {
    topic: 'Account',
    summary: 'An operator invited a person who has no account yet.',
    remarks: 'The account that the person creates has `by: invitation` in its `account.created`.',
    actor: 'operator',
    account: 'never',
    detail: { invitation: INVITATION, client: optionalMember('id of the app', 'portal') },
  },
  'invitation.resent': {
    topic: 'Account',
    summary: 'An operator mailed a new link of an invitation.',
    remarks: 'Earlier links of the invitation no longer work.',
    actor: 'operator',
    account: 'never',
    detail: { invitation: INVITATION },
  },
  'invitation.withdrawn': {
    topic: 'Account',
    summary: 'An operator withdrew an invitation.',
    actor: 'operator',
    account: 'never',
    detail: { invitation: INVITATION },
  },
  'accounts.exported': {
    topic: 'Account',
    summary: 'An operator exported all accounts.',
    actor: 'operator',
    account: 'never',
    detail: {
      hashes: member('whether the hashes of passwords were included', false),
      seeds: member('whether the secrets of factors were included', false),
    },
  },
  'registration.finished': {
    topic: 'Account',
    summary: 'The registration service answered for a person.',
    actor: 'person',
    detail: { created: member('true for a new person, false for a known one', true) },
  },
  'account.changed': {
    topic: 'Account',
    summary: 'Fields of an account were changed.',
    remarks:
      'A person changes only the e-mail address (in the account area or during a sign-in, or by a mailed link or code that verified it) and, during a sign-in, attributes that the account lacked. A sign-in also writes the values that a user source or provider reports about the person.',
    actor: 'operator',
    detail: { fields: member('names of the changed fields', ['email', 'emailVerified']), source: SCIM_ACTOR },
  },
  'account.disabled': {
    topic: 'Account',
    summary: 'An account was disabled, and its sessions ended.',
    actor: 'operator',
    detail: {
      sessions: optionalMember('how many sessions ended', 2),
      source: optionalMember('the user source or SCIM source that does not admit the person', 'staff'),
      state: optionalMember('state of the person at the source: `disabled` or `gone`', 'gone'),
      reason: optionalMember('the same as `state`, if no operator gave a reason', 'gone'),
    },
  },
  'account.enabled': {
    topic: 'Account',
    summary: 'An account was enabled again.',
    actor: 'operator',
    detail: { source: SCIM_ACTOR },
  },
  'account.secured': {
    topic: 'Account',
    summary: 'Somebody pressed "That was not me" in a mail.',
    remarks: 'The password is void, passkeys are removed, and credentials cannot be changed for a time.',
    actor: 'person',
    detail: {
      mail: member('the kind of the mail', 'password-changed'),
      sessions: SESSIONS,
      freezeSeconds: member('how long credentials stay frozen', 604_800),
      providers: optionalMember(
        'disconnected providers, which were connected in the last 7 days, separated by commas',
        'google,github',
      ),
      emailRestored: optionalMember('true if the link restored a former address', true),
    },
  },
  'freeze.lifted': {
    topic: 'Account',
    summary: 'An operator allowed changes of credentials again.',
    actor: 'operator',
    detail: {},
  },
  'username.changed': { topic: 'Account', summary: 'A person changed their own username.', actor: 'person', detail: {} },
  'password.changed': {
    topic: 'Account',
    summary: 'The password was changed.',
    remarks:
      'By its owner in the account area or during a sign-in, or by an operator or a SCIM source; also the first password of an account that an operator created with one, or that the person created.',
    actor: 'person',
    detail: { source: SCIM_ACTOR },
  },
  'password.reset': { topic: 'Account', summary: 'The password was reset with a link.', actor: 'person', detail: {} },
  'password.change-required': {
    topic: 'Account',
    summary: 'A new password is required at the next sign-in with the password.',
    actor: 'operator',
    remarks:
      'By an operator, by Foyer after a right password that is in `BREACHED_LIST`, or by a user source whose password was taken over.',
    detail: { cause: member('`operator`, `breached` for a password of the list, or `source`', 'operator') },
  },
  'terms.accepted': {
    topic: 'Account',
    summary: 'The person accepted terms at the sign-in.',
    actor: 'person',
    detail: {
      terms: TERMS,
      version: member('the accepted version', '2026-11'),
      sha256: member('hash of the text as the person saw it', 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2'),
      language: member('language of the text', 'en'),
      client: CLIENT,
    },
  },
  'terms.withdrawn': {
    topic: 'Account',
    summary: 'The acceptance of terms was withdrawn.',
    remarks: 'By the person, or because a SCIM source named another person.',
    actor: 'person',
    detail: { terms: TERMS, versions: member('the versions that had been accepted', ['2026-11']), source: SCIM_ACTOR },
  },
  'password-reset.asked': {
    topic: 'Account',
    summary: 'Somebody requested a link to reset a password.',
    actor: 'person',
    account: 'sometimes',
    detail: { mailed: MAIL_SENT },
  },
  'password-reset.issued': {
    topic: 'Account',
    summary: 'An operator created a link to reset a password.',
    actor: 'operator',
    detail: { mailed: optionalMember('true if it was sent to the address of the account', true) },
  },
  'factor.added': {
    topic: 'Account',
    summary: 'A second factor or a passkey was set up.',
    actor: 'person',
    detail: { factor: FACTOR },
  },
  'factor.removed': {
    topic: 'Account',
    summary: 'A second factor or a passkey was removed.',
    actor: 'person',
    detail: { factor: FACTOR },
  },
  'factor.renamed': {
    topic: 'Account',
    summary: 'A security key or passkey was renamed.',
    actor: 'person',
    detail: { factor: member('`fido2` or `passkey`', 'fido2') },
  },
  'factor-reset.issued': {
    topic: 'Account',
    summary: 'An operator created a token that removes all second factors, passkeys and recovery codes.',
    actor: 'operator',
    detail: {},
  },
  'factor.reset': {
    topic: 'Account',
    summary: 'A token that removes all second factors, passkeys and recovery codes was used.',
    actor: 'person',
    detail: {},
  },
  'provider.connected': {
    topic: 'Account',
    summary: 'An external account was connected, and signs in to this account from now on.',
    remarks: 'The event of an import counts the connections of the import.',
    actor: 'person',
    detail: { provider: PROVIDER },
  },
  'provider.disconnected': {
    topic: 'Account',
    summary: 'An external account was disconnected.',
    remarks: 'By its owner, an operator, or a SCIM source that named another person.',
    actor: 'person',
    detail: { provider: PROVIDER, source: SCIM_ACTOR },
  },
  'recovery-codes.made': {
    topic: 'Account',
    summary: 'Ten new recovery codes were created; the old codes are void.',
    actor: 'person',
    detail: {},
  },
  'recovery-code.used': {
    topic: 'Account',
    summary: 'A recovery code was used.',
    actor: 'person',
    detail: { left: member('how many remain', 7) },
  },
  'limits.cleared': {
    topic: 'Account',
    summary: 'An operator reset the counters of an account, which ends a wait or a stop.',
    remarks: 'The counters of failures and of mails with codes.',
    actor: 'operator',
    detail: {},
  },
  'sessions.ended': {
    topic: 'Account',
    summary: 'Sessions of an account ended.',
    remarks:
      'A change that ends sessions ends all of them, an operator all or one, and the person those of all other devices, or of one device.',
    actor: 'person',
    detail: {
      sessions: SESSIONS,
      source: SCIM_ACTOR,
      device: optionalMember('the device, in words, if the sessions of only one device ended', 'Firefox on Linux'),
    },
  },
  'upstream-sessions.ended': {
    topic: 'Account',
    summary: 'Hydra was called to end the sessions of an account.',
    actor: 'system',
    detail: {
      outcome: member('`ended`, or `unavailable` if Hydra did not answer and the call will be repeated', 'ended'),
      tries: optionalMember('how many tries it took', 3),
      source: SCIM_ACTOR,
    },
  },

  'operator.granted': {
    topic: 'Operators',
    summary: 'An account received an operator right, or the end of the right was changed.',
    actor: 'operator',
    detail: {
      right: member('`read`, `support`, `auditor` or `admin`', 'support'),
      until: optionalMember('when the right ends by itself', '2027-01-31T23:00:00.000Z'),
    },
  },
  'operator.revoked': {
    topic: 'Operators',
    summary: 'An operator right of an account was revoked.',
    remarks: 'There is no event for a right that ends by itself or by the setting `OPERATORS`.',
    actor: 'operator',
    detail: {
      right: member('`read`, `support`, `auditor` or `admin`', 'support'),
      until: optionalMember('when the right would have ended by itself', '2027-01-31T23:00:00.000Z'),
    },
  },
  'approval.asked': {
    topic: 'Operators',
    summary: 'An operation waits for a second operator.',
    remarks: 'The reason is the reason of the request.',
    actor: 'operator',
    account: 'sometimes',
    detail: {
      ...APPROVAL,
      announced: optionalMember('if nobody has checked who is calling: whether the person was notified by mail', true),
    },
  },
  'approval.approved': {
    topic: 'Operators',
    summary: 'Another operator approved an operation.',
    remarks: 'The event of the operation itself has the same request id, and the reason of the request for the operation.',
    actor: 'operator',
    account: 'sometimes',
    detail: { ...APPROVAL, missing: optionalMember('how many more operators have to approve', 1) },
  },
  'approval.rejected': {
    topic: 'Operators',
    summary: 'Another operator rejected an operation.',
    actor: 'operator',
    account: 'sometimes',
    detail: APPROVAL,
  },
  'approval.withdrawn': {
    topic: 'Operators',
    summary: 'The operator who requested an operation withdrew the request.',
    actor: 'operator',
    account: 'sometimes',
    detail: APPROVAL,
  },
  'approval.stopped': {
    topic: 'Operators',
    summary: 'The person stopped an operation on their account, with the link of the mail that announced it.',
    actor: 'person',
    detail: APPROVAL,
  },
  'approval.expired': {
    topic: 'Operators',
    summary: 'No operator decided in time about an operation.',
    actor: 'system',
    account: 'sometimes',
    detail: APPROVAL,
  },
  'support-check.asked': {
    topic: 'Operators',
    summary: 'The help desk began a check of who is calling.',
    remarks: '[The check](help-desk.md#the-check).',
    actor: 'operator',
    detail: { check: CHECK },
  },
  'support-check.passed': {
    topic: 'Operators',
    summary: 'The person who calls read the right words from their own page.',
    actor: 'operator',
    detail: { check: CHECK },
  },
  'support-check.refused': {
    topic: 'Operators',
    summary: 'The person who calls read wrong words.',
    actor: 'operator',
    detail: { check: CHECK, left: member('how many tries remain', 2) },
  },
  'support-page.asked': {
    topic: 'Operators',
    summary: 'Somebody requested a code on the page for the help desk.',
    remarks: '[Who cannot sign in](help-desk.md#who-cannot-sign-in).',
    actor: 'person',
    account: 'sometimes',
    detail: { mailed: MAIL_SENT },
  },
  'support-page.opened': {
    topic: 'Operators',
    summary: 'The code of the page for the help desk was entered.',
    remarks: 'This browser sees the words of a check for 15 minutes.',
    actor: 'person',
    detail: {},
  },

  'area.opened': {
    topic: 'Account area',
    summary: 'The account area was opened by an access token of an app.',
    actor: 'person',
    detail: { client: CLIENT },
  },
  'area.closed': {
    topic: 'Account area',
    summary: 'The account area was closed by its owner.',
    actor: 'person',
    account: 'sometimes',
    detail: {},
  },
  'app.narrowed': {
    topic: 'Account area',
    summary: 'The person withdrew individual permissions from an app.',
    actor: 'person',
    detail: { client: CLIENT, scopes: member('the withdrawn scopes', ['email']) },
  },
  'app.removed': {
    topic: 'Account area',
    summary: 'The access of an app, or of all apps, was withdrawn.',
    actor: 'person',
    detail: {
      client: optionalMember('id of the app', 'portal'),
      apps: optionalMember('how many apps, if the access of all was withdrawn and their number is known', 3),
    },
  },
  'data.downloaded': {
    topic: 'Account area',
    summary: 'The person received a copy of their own data.',
    remarks:
      'The copy contains these events, but no names, accounts, addresses or reasons of operators; for attempts that proved nothing, it contains only the network (/24, IPv6 /48).',
    actor: 'person',
    detail: {},
  },
  'proof.ok': {
    topic: 'Account area',
    summary: 'A fresh proof was given before a sensitive change.',
    actor: 'person',
    detail: { method: member('`password`, `mail`, `totp`, `fido2`, `passkey` or `email-code`', 'password') },
  },
  'token.refused': {
    topic: 'Account area',
    summary: 'A token of the account area came without the cookie of its session: it may be stolen.',
    remarks: 'At most once in ten minutes for an account.',
    actor: 'person',
    detail: {},
  },
  'token.reused': {
    topic: 'Account area',
    summary: 'A token of the account area was used twice, and its family ended.',
    actor: 'person',
    detail: {},
  },
  'trusted-browser.ended': {
    topic: 'Account area',
    summary: 'Trusted browsers require a second factor again.',
    actor: 'person',
    detail: { browsers: member('how many', 2) },
  },

  'client.attempted': {
    topic: 'Console',
    summary: 'A change of an app at Hydra is about to be made.',
    remarks: 'If no other `client.*` event has the same request id, it is unknown whether the change was made.',
    actor: 'operator',
    account: 'never',
    detail: {
      client: CHANGED_CLIENT,
      action: CLIENT_ACTION,
      fields: optionalMember('names of the fields to be changed', ['redirect_uris']),
      preset: optionalMember('the preset of a new app', 'single-page'),
    },
  },
  'client.created': {
    topic: 'Console',
    summary: 'An app was registered at Hydra.',
    actor: 'operator',
    account: 'never',
    detail: { client: CHANGED_CLIENT, preset: member('the preset', 'single-page') },
  },
  'client.changed': {
    topic: 'Console',
    summary: 'An app was changed at Hydra.',
    actor: 'operator',
    account: 'never',
    detail: { client: CHANGED_CLIENT, fields: CHANGED_FIELDS },
  },
  'client.rotated': {
    topic: 'Console',
    summary: 'An app received a new secret, and the former secret became invalid.',
    actor: 'operator',
    account: 'never',
    detail: { client: CHANGED_CLIENT },
  },
  'client.deleted': {
    topic: 'Console',
    summary: 'An app was deleted at Hydra, with its tokens.',
    actor: 'operator',
    account: 'never',
    detail: { client: CHANGED_CLIENT },
  },
  'client.failed': {
    topic: 'Console',
    summary: 'The change of an app at Hydra failed.',
    actor: 'operator',
    account: 'never',
    detail: {
      client: CHANGED_CLIENT,
      action: CLIENT_ACTION,
      cause: member('why; with `no_answer`, Hydra may have made the change nevertheless', 'no_answer'),
    },
  },
  'console.opened': {
    topic: 'Console',
    summary: 'An operator signed in to the console, or gave a new proof there.',
    actor: 'operator',
    detail: { acr: member('how strong the sign-in was', 'urn:foyer:acr:mfa') },
  },
  'job.started': {
    topic: 'Console',
    summary: 'An operator started a job on many accounts.',
    actor: 'operator',
    account: 'never',
    detail: { action: JOB_ACTION, accounts: member('how many accounts', 120), job: member('number of the job', 12) },
  },
  'job.ended': {
    topic: 'Console',
    summary: 'A job on many accounts ended.',
    remarks: 'The events of these accounts have the same `job` and reason.',
    actor: 'system',
    account: 'never',
    detail: {
      action: JOB_ACTION,
      accounts: member('for how many accounts the job succeeded', 118),
      failed: member('for how many accounts it failed', 2),
      left: member('how many accounts were not reached', 0),
      state: member('`done`, `operator` (stopped by an operator) or `rights` (its operator lost the rights)', 'done'),
      job: member('number of the job', 12),
    },
  },
  'console.closed': {
    topic: 'Console',
    summary: 'A session of the console ended.',
    remarks: 'By the operator, by another operator, or with the session at Foyer (`system`).',
    actor: 'operator',
    detail: {},
  },
  'console.refused': {
    topic: 'Console',
    summary: 'A person signed in who may not use the console.',
    actor: 'person',
    detail: {
      reason: member('`right` (they have none) or `strength` (the sign-in was weaker than `CONSOLE_ACR`)', 'right'),
    },
  },

  'request.limited': {
    topic: 'Installation',
    summary: 'An address or an account has made too many requests of one kind.',
    remarks: 'Once for each wait.',
    actor: 'person',
    account: 'sometimes',
    detail: {
      request: member(
        'the kind of request, such as `password-reset`, `proof-code` or `mailbox` (codes to one mailbox)',
        'password-reset',
      ),
    },
  },
  'mail.abandoned': {
    topic: 'Installation',
    summary: 'A mail could not be delivered.',
    actor: 'system',
    account: 'sometimes',
    detail: {
      mail: member('the kind of the mail', 'password-reset'),
      reason: member('`expired`, `refused` or `tries`', 'refused'),
      tries: member('how many tries there were', 1),
    },
  },
  'mail.retried': {
    topic: 'Installation',
    summary: 'An operator scheduled mails for a new try.',
    actor: 'operator',
    account: 'sometimes',
    detail: {
      mail: optionalMember('the kind of the mail, if it was retried alone', 'password-reset'),
      tries: optionalMember('how many tries the mail had, if it was retried alone', 8),
      cause: optionalMember('the cause, if the mails with this cause were retried', 'server-tls'),
      mails: optionalMember('how many mails', 40),
    },
  },
  'sink.paused': {
    topic: 'Installation',
    summary: 'An operator paused an event sink.',
    actor: 'operator',
    account: 'never',
    detail: { sink: SINK },
  },
  'sink.resumed': {
    topic: 'Installation',
    summary: 'An operator resumed an event sink.',
    actor: 'operator',
    account: 'never',
    detail: { sink: SINK },
  },
  'sink.replayed': {
    topic: 'Installation',
    summary: 'An operator sent earlier events to a sink.',
    remarks: 'Again, or for the first time if they were recorded without the sink.',
    actor: 'operator',
    account: 'sometimes',
    detail: {
      sink: SINK,
      event: optionalMember('id of the event, if only one was sent; its account is the account of this event', '48211'),
      since: optionalMember('the time since which events were sent', '2026-11-28T08:00:00.000Z'),
      events: optionalMember('how many events since then', 1200),
    },
  },
  'system.started': {
    topic: 'Installation',
    summary: 'A gateway started.',
    actor: 'system',
    account: 'never',
    detail: {
      mode: member('`production` or `development`', 'production'),
      secret: member('an id of the newest secret, which does not reveal the secret and shows a rotation', '4b1f0c9e'),
      secrets: member('how many secrets are listed', 2),
    },
  },
  'secrets.rotated': {
    topic: 'Installation',
    summary: 'Secrets of factors were sealed with the newest secret, or cannot be opened.',
    actor: 'system',
    account: 'never',
    detail: {
      resealed: member('how many secrets were sealed', 310),
      lost: member('how many cannot be opened by any listed secret', 0),
    },
  },
};

/** Names of the members that identify the person. Only the name decides, because a sink also receives kinds of other versions. */
export const PERSONAL_MEMBERS: ReadonlySet<string> = new Set(
  Object.values(CATALOGUE).flatMap(({ detail }) =>
    Object.entries(detail).flatMap(([name, { isPersonal }]) => (isPersonal ? [name] : [])),
  ),
);

/** @returns the members that events of the kind do not have according to the catalogue */
export function findUndescribedMembers(kind: AuditKind, members: readonly string[]): string[] {
  const describedMembers = { ...CATALOGUE[kind].detail, ...OPERATOR_DETAIL };
  return members.filter((name) => !Object.hasOwn(describedMembers, name));
}
