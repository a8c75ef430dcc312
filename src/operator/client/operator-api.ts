/** The operator API in types, as `docs/operator-api.json` describes it. Written by `npm run openapi`. */
export interface paths {
  '/operator/v1/accounts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists accounts, the oldest first
     * @description Lists accounts, the oldest first. Filters are combined. Takes a token with the rights `read` or more.
     */
    get: operations['accounts.list'];
    put?: never;
    /**
     * Makes an account, with a password or without one
     * @description Makes an account, with a password or without one. Without, its owner cannot sign in by password yet. Takes a token with the rights `admin`.
     */
    post: operations['accounts.create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Shows an account and which second factors it has
     * @description Shows an account and which second factors it has. Takes a token with the rights `read` or more.
     */
    get: operations['accounts.show'];
    put?: never;
    post?: never;
    /**
     * Deletes an account with everything that is stored for it, here and at the OAuth server
     * @description Deletes an account with everything that is stored for it, here and at the OAuth server. Its sessions and grants there end at once, or as soon as the server answers. Its events stay in the audit log, and nobody gets its username for a while. This cannot be undone. Takes a token with the rights `admin`.
     */
    delete: operations['deletion.delete'];
    options?: never;
    head?: never;
    /**
     * Changes what is named and leaves the rest; null takes a value away
     * @description Changes what is named and leaves the rest; null takes a value away. The old e-mail address receives a notice. Takes a token with the rights `admin`.
     */
    patch: operations['accounts.change'];
    trace?: never;
  };
  '/operator/v1/accounts/{id}/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what happened to an account, the newest first
     * @description Lists what happened to an account, the newest first. Takes a token with the rights `read` or more.
     */
    get: operations['audit.ofAccount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/claims': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Shows which claims a client would get of a person who grants all its scopes
     * @description Shows which claims a client would get of a person who grants all its scopes. Takes a token with the rights `read` or more.
     */
    get: operations['claims.show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/deletion': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lets an account be deleted after some days, and tells its person by mail how to keep it
     * @description Lets an account be deleted after some days, and tells its person by mail how to keep it. Until then it works as before. A wait that goes on begins again. Takes a token with the rights `admin`.
     */
    post: operations['deletion.schedule'];
    /**
     * Keeps an account that is about to be deleted, and tells its person by mail
     * @description Keeps an account that is about to be deleted, and tells its person by mail. Takes a token with the rights `support` or more.
     */
    delete: operations['deletion.cancel'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lets nobody sign in with an account, and ends its sessions and what apps may do in its name
     * @description Lets nobody sign in with an account, and ends its sessions and what apps may do in its name. Takes a token with the rights `support` or more.
     */
    post: operations['access.disable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lets the owner of a disabled account sign in again
     * @description Lets the owner of a disabled account sign in again. Takes a token with the rights `admin`.
     */
    post: operations['access.enable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/factor-reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Makes a token and a link that take all second factors away, to be handed to the owner of the account
     * @description Makes a token and a link that take all second factors away, to be handed to the owner of the account. Takes a token with the rights `admin`.
     */
    post: operations['resets.factors'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/invitation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sends an invitation to the e-mail address of an account that has no password yet: a link to choose one
     * @description Sends an invitation to the e-mail address of an account that has no password yet: a link to choose one. Takes a token with the rights `support` or more.
     */
    post: operations['resets.invite'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/password-reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Makes a link to a new password, to be handed to the owner of the account
     * @description Makes a link to a new password, to be handed to the owner of the account. The newest link counts. Takes a token with the rights `admin`.
     */
    post: operations['resets.password'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/password-reset-mail': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sends a link to a new password to the e-mail address of the account
     * @description Sends a link to a new password to the e-mail address of the account. Nobody else is shown it. The newest link counts. Takes a token with the rights `support` or more.
     */
    post: operations['resets.mailPassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/providers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the external accounts that sign in to an account
     * @description Lists the external accounts that sign in to an account. Takes a token with the rights `read` or more.
     */
    get: operations['providers.list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/providers/{provider}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Disconnects a provider; the last way in too, since a contact person can hand out a link to a password
     * @description Disconnects a provider; the last way in too, since a contact person can hand out a link to a password. Takes a token with the rights `admin`.
     */
    delete: operations['providers.disconnect'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Asks the source to which an account belongs for its person, and takes over what has changed
     * @description Asks the source to which an account belongs for its person, and takes over what has changed. The account of somebody who left, or is disabled there, is disabled, and its sessions and what apps may do in its name end. Takes a token with the rights `support` or more.
     */
    post: operations['access.refresh'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the active sessions of an account, the newest first
     * @description Lists the active sessions of an account, the newest first. Takes a token with the rights `read` or more.
     */
    get: operations['sessions.list'];
    put?: never;
    post?: never;
    /**
     * Signs a person out everywhere
     * @description Signs a person out everywhere. Tokens that apps hold live on until they expire. Takes a token with the rights `support` or more.
     */
    delete: operations['sessions.endAll'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/sessions/{session}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Ends one session; the account area of the same browser ends with a sign-in
     * @description Ends one session; the account area of the same browser ends with a sign-in. Takes a token with the rights `support` or more.
     */
    delete: operations['sessions.endOne'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/source': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lets an account belong to a person of a source, or of a provider with provision, who signs in to it from now on
     * @description Lets an account belong to a person of a source, or of a provider with provision, who signs in to it from now on. Its password here is removed, and its sessions end. Apps go on knowing it by the same subject. Takes a token with the rights `admin`.
     */
    post: operations['source.link'];
    /**
     * Takes an account from its source: it keeps everything, and its sessions end
     * @description Takes an account from its source: it keeps everything, and its sessions end. It has no password then; the answer says whether anybody can sign in, and a reset link gives it a password. Takes a token with the rights `admin`.
     */
    delete: operations['source.unlink'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/trusted-browsers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the browsers in which an account is not asked for a second factor, the newest first
     * @description Lists the browsers in which an account is not asked for a second factor, the newest first. Takes a token with the rights `read` or more.
     */
    get: operations['trustedBrowsers.list'];
    put?: never;
    post?: never;
    /**
     * Asks an account for its second factor again in all browsers
     * @description Asks an account for its second factor again in all browsers. Takes a token with the rights `support` or more.
     */
    delete: operations['trustedBrowsers.endAll'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/trusted-browsers/{browser}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Asks an account for its second factor again in one browser
     * @description Asks an account for its second factor again in one browser. Takes a token with the rights `support` or more.
     */
    delete: operations['trustedBrowsers.endOne'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/unfreeze': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * After "that was not me": lets credentials be changed again before the freeze is over
     * @description After "that was not me": lets credentials be changed again before the freeze is over. Takes a token with the rights `admin`.
     */
    post: operations['access.unfreeze'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/accounts/{id}/unlock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Forgets the wrong passwords counted against an account, which hold it up or have stopped it
     * @description Forgets the wrong passwords counted against an account, which hold it up or have stopped it. Takes a token with the rights `support` or more.
     */
    post: operations['access.unlock'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what happened, the newest first
     * @description Lists what happened, the newest first. Takes a token with the rights `read` or more.
     */
    get: operations['audit.ofAll'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/exports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Gives all accounts, the oldest first, in the form of an import
     * @description Gives all accounts, the oldest first, in the form of an import. The audit log has every export. Takes a token with the rights `admin`.
     */
    get: operations['transfer.export'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Says whether Foyer, its database and the OAuth server answer
     * @description Says whether Foyer, its database and the OAuth server answer. Takes a token with the rights `read` or more.
     */
    get: operations['operatorHealth.health'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/operator/v1/imports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Makes the accounts of a batch of lines
     * @description Makes the accounts of a batch of lines. Who exists stays as is, so a batch may be given again. Takes a token with the rights `admin`.
     */
    post: operations['transfer.import'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /**
     * @description Never contains a password or its hash.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z"
     *     }
     */
    AccountAnswer: {
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description What showing one account says beyond a list of them.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "subject": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "source": null,
     *       "factors": {
     *         "totp": false,
     *         "security_keys": 1,
     *         "recovery_codes_left": 9,
     *         "all": [
     *           {
     *             "name": "fido2",
     *             "label": "1 security key",
     *             "count": 1,
     *             "entries": [
     *               {
     *                 "id": "2e0f8c47-1c0d-4a5b-9f3e-7d1b6c5a4e30",
     *                 "name": "YubiKey",
     *                 "created_at": "2026-01-05T09:30:00.000Z",
     *                 "last_used_at": "2026-03-01T07:45:00.000Z",
     *                 "synced": null
     *               }
     *             ]
     *           }
     *         ]
     *       },
     *       "credentials_frozen_until": null,
     *       "deletion_due_at": null,
     *       "import_request_id": null
     *     }
     */
    AccountDetailAnswer: {
      /** @description `sub` in the tokens of apps: the id, or what a source with `"sub": "source"` calls the person. */
      subject: string;
      /** @description Id of the source of people that the account belongs to, or issuer of the provider; null for an account of its own. */
      source: string | null;
      factors: {
        totp: boolean;
        security_keys: number;
        recovery_codes_left: number;
        all: components['schemas']['FactorAnswer'][];
      };
      /** @description Until then nothing that the person signs in with can be changed; null when it can. */
      credentials_frozen_until: string | null;
      /**
       * Format: date-time
       * @description When the account will be deleted; null if it will not.
       */
      deletion_due_at: string | null;
      /** @description The import that made the account: `request_id` of its event in the audit log. Null for other accounts. */
      import_request_id: string | null;
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description A page of accounts, oldest first.
     * @example {
     *       "accounts": [
     *         {
     *           "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *           "username": "maria.musterfrau",
     *           "display_name": "Maria Musterfrau",
     *           "email": "maria@example.org",
     *           "email_verified": true,
     *           "picture": null,
     *           "language": "de",
     *           "group_name": "Einkauf",
     *           "groups": [
     *             "Einkauf",
     *             "Betriebsrat"
     *           ],
     *           "attributes": {
     *             "given_name": "Maria",
     *             "department": "Einkauf"
     *           },
     *           "status": "active",
     *           "second_factor": null,
     *           "created_at": "2026-03-01T08:00:00.000Z",
     *           "updated_at": "2026-03-02T09:30:00.000Z"
     *         }
     *       ],
     *       "next_cursor": "50"
     *     }
     */
    AccountListAnswer: {
      accounts: components['schemas']['AccountAnswer'][];
      /** @description The `cursor` for the next call; absent on the last page. */
      next_cursor?: string;
    };
    /**
     * @description Changes of an account.
     * @example {
     *       "email": "maria.m@example.org",
     *       "group_name": null,
     *       "second_factor": "required"
     *     }
     */
    AccountPatchBody: {
      display_name?: string | null;
      email?: string | null;
      /** @description Goes with `email`: the new address is known to be the person's. */
      email_verified?: boolean;
      language?: string | null;
      group_name?: string | null;
      /** @description Replaces the groups beside `group_name`. */
      groups?: string[];
      /** @description Only those that change; null removes one. */
      attributes?: {
        [key: string]: unknown;
      };
      picture?: string | null;
      second_factor?: string | null;
    };
    /**
     * @description A page of the audit log, newest first.
     * @example {
     *       "entries": [
     *         {
     *           "id": "4711",
     *           "at": "2026-03-02T09:30:00.000Z",
     *           "kind": "account.changed",
     *           "actor": "operator:helpdesk",
     *           "account_id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *           "address": "127.0.0.1",
     *           "request_id": "4f6c1c58-0d7e-4c0e-9d60-0a5b7a0d9a01",
     *           "detail": {
     *             "fields": [
     *               "email"
     *             ]
     *           }
     *         }
     *       ]
     *     }
     */
    AuditAnswer: {
      entries: components['schemas']['AuditEntryAnswer'][];
      /** @description The `cursor` for the next call; absent on the last page. */
      next_cursor?: string;
    };
    /**
     * @description One event.
     * @example {
     *       "id": "4711",
     *       "at": "2026-03-02T09:30:00.000Z",
     *       "kind": "account.changed",
     *       "actor": "operator:helpdesk",
     *       "account_id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "address": "127.0.0.1",
     *       "request_id": "4f6c1c58-0d7e-4c0e-9d60-0a5b7a0d9a01",
     *       "detail": {
     *         "fields": [
     *           "email"
     *         ]
     *       }
     *     }
     */
    AuditEntryAnswer: {
      id: string;
      at: string;
      /** @description Null if no account has that name, and for events of the whole installation. */
      account_id: string | null;
      kind: string;
      /** @description `person`, `system`, `operator`, or `operator:` and the name of a token. */
      actor: string;
      address: string | null;
      request_id: string | null;
      detail: {
        [key: string]: string | number | boolean | string[];
      } | null;
    };
    /**
     * @description The claims of a person for a client that is granted all its scopes.
     * @example {
     *       "scopes": [
     *         {
     *           "scope": "openid",
     *           "claims": []
     *         },
     *         {
     *           "scope": "groups",
     *           "claims": [
     *             "groups"
     *           ]
     *         }
     *       ],
     *       "id_token": {
     *         "groups": [
     *           "Einkauf",
     *           "Betriebsrat"
     *         ]
     *       },
     *       "access_token": {},
     *       "bytes": 63,
     *       "most_bytes": 4096
     *     }
     */
    ClaimsAnswer: {
      /** @description As the client is registered. */
      scopes: components['schemas']['ScopeClaimsAnswer'][];
      /** @description Also in userinfo. */
      id_token: {
        [key: string]: unknown;
      };
      /** @description In introspection and in JWTs below `ext`. */
      access_token: {
        [key: string]: unknown;
      };
      /** @description Of both as JSON. */
      bytes: number;
      /** @description With more nothing is granted. */
      most_bytes: number;
    };
    /**
     * @description What is left of an account: its events in the audit log.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "ended": 2,
     *       "upstream": "ended"
     *     }
     */
    DeletedAnswer: {
      id: string;
      /** @description Number of ended sessions. */
      ended: number;
      /** @enum {string} */
      upstream: 'ended' | 'unavailable';
    };
    /**
     * @description The account, and when it will be deleted.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "deletion_due_at": "2026-03-17T09:30:00.000Z"
     *     }
     */
    DeletionAnswer: {
      /** Format: date-time */
      deletion_due_at: string;
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description When an account is to be deleted.
     * @example {
     *       "days": 14
     *     }
     */
    DeletionBody: {
      /** @description From 1 to 90; default: DELETION_WAIT_DAYS. */
      days?: number;
    };
    /**
     * @description The account after the change, and the state of its sessions and grants at the upstream.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "disabled",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "upstream": "ended"
     *     }
     */
    DisabledAnswer: {
      /** @enum {string} */
      upstream: 'ended' | 'unavailable';
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description Every error answer.
     * @example {
     *       "error": "format",
     *       "message": "email is no e-mail address.",
     *       "field": "email"
     *     }
     */
    ErrorAnswer: {
      /** @description For programs. */
      error: string;
      /** @description One English sentence. */
      message: string;
      /** @description The member or parameter concerned. */
      field?: string;
      /** @description Where in the member the fault is: JSON Pointer (RFC 6901). */
      pointer?: string;
      /** @description All faults of a password, by name. */
      faults?: string[];
    };
    /**
     * @description One line of an export, in import format. Values that an account does not have are left out.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "status": "active",
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "providers": [
     *         {
     *           "provider": "google",
     *           "issuer": "https://accounts.google.com",
     *           "subject": "110169484474386276334",
     *           "label": "Maria Musterfrau",
     *           "connected_at": "2026-03-01T08:00:00.000Z"
     *         }
     *       ]
     *     }
     */
    ExportLineAnswer: {
      id: string;
      /** @description `sub` in the tokens of apps, where it is not the id. */
      subject?: string;
      username: string;
      display_name: string;
      email?: string;
      email_verified?: boolean;
      picture?: string;
      language?: string;
      group_name?: string;
      /** @description Groups beside `group_name`. */
      groups?: string[];
      attributes?: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /** @enum {string} */
      second_factor?: 'optional' | 'required';
      /** Format: date-time */
      created_at: string;
      /** @description If requested. */
      password_hash?: string;
      /** @description Base32; if requested. */
      totp_secret?: string;
      /** @description Names of second factors that need no secret. */
      factors?: string[];
      /** @description Id of the source of people that the account belongs to, or issuer of the provider. */
      source?: string;
      /** @description Id of the person there. */
      source_subject?: string;
      /** @description The password was taken over from the source: the account is one of its own. */
      migrated?: boolean;
      /** @description The one that was connected first is first. */
      providers?: components['schemas']['ExportedProviderAnswer'][];
    };
    /**
     * @description An external account that signs in to an account, in import format.
     * @example {
     *       "provider": "google",
     *       "issuer": "https://accounts.google.com",
     *       "subject": "110169484474386276334",
     *       "label": "Maria Musterfrau",
     *       "connected_at": "2026-03-01T08:00:00.000Z"
     *     }
     */
    ExportedProviderAnswer: {
      provider: string;
      issuer: string;
      subject: string;
      label?: string;
      /** Format: date-time */
      connected_at: string;
    };
    /**
     * @description A kind of second factor that an account has.
     * @example {
     *       "name": "fido2",
     *       "label": "1 security key",
     *       "count": 1,
     *       "entries": [
     *         {
     *           "id": "2e0f8c47-1c0d-4a5b-9f3e-7d1b6c5a4e30",
     *           "name": "YubiKey",
     *           "created_at": "2026-01-05T09:30:00.000Z",
     *           "last_used_at": "2026-03-01T07:45:00.000Z",
     *           "synced": null
     *         }
     *       ]
     *     }
     */
    FactorAnswer: {
      /** @description As the audit log and metrics name it. */
      name: string;
      /** @description In words: that there is one, or how many. */
      label: string;
      count: number;
      /** @description Each of them, the oldest first; none of recovery codes. */
      entries: components['schemas']['FactorEntryAnswer'][];
    };
    /**
     * @description One second factor, security key or passkey.
     * @example {
     *       "id": "2e0f8c47-1c0d-4a5b-9f3e-7d1b6c5a4e30",
     *       "name": "YubiKey",
     *       "created_at": "2026-01-05T09:30:00.000Z",
     *       "last_used_at": "2026-03-01T07:45:00.000Z",
     *       "synced": null
     *     }
     */
    FactorEntryAnswer: {
      /** @description Null for a kind of which an account has one at most. */
      id: string | null;
      name: string | null;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description Null if it has proven nothing since its set-up.
       */
      last_used_at: string | null;
      /** @description Of a passkey: it may be on further devices. Null for other kinds. */
      synced: boolean | null;
    };
    /**
     * @description A token that removes all second factors. It works once.
     * @example {
     *       "token": "9f2c6d1e",
     *       "url": "https://login.example.org/mfa/reset/form?token=9f2c6d1e",
     *       "expires_at": "2026-03-04T09:30:00.000Z"
     *     }
     */
    FactorResetAnswer: {
      /** @description Also part of the address; for reading it aloud. */
      token: string;
      /** Format: uri */
      url: string;
      /** Format: date-time */
      expires_at: string;
    };
    /**
     * @description State of the parts.
     * @example {
     *       "status": "ok",
     *       "ready": true,
     *       "parts": {
     *         "database": "ok",
     *         "clock": "ok",
     *         "upstream": "ok"
     *       }
     *     }
     */
    HealthAnswer: {
      /** @enum {string} */
      status: 'ok' | 'unavailable';
      /** @description Whether the gateway takes requests, as `/health/ready` says: also during an outage of the OAuth server. */
      ready: boolean;
      parts: {
        [key: string]: 'ok' | 'unavailable';
      };
    };
    /**
     * @description Result of one line of an import.
     * @example {
     *       "line": 1,
     *       "result": "created",
     *       "username": "maria.musterfrau",
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11"
     *     }
     */
    ImportLineAnswer: {
      /** @description Within the batch, from 1. */
      line: number;
      /**
       * @description `exists`: an account of this name exists and is not changed. `duplicate`: an earlier line has this name, id, subject or person.
       * @enum {string}
       */
      result: 'created' | 'duplicate' | 'exists' | 'invalid' | 'would_create';
      username?: string;
      /** @description Id of the account that was created or already exists. */
      id?: string;
      /** @description For a duplicate. */
      first_line?: number;
      /** @description For an invalid line: the same error that other calls return. */
      error?: string;
      message?: string;
      field?: string;
      pointer?: string;
      faults?: string[];
    };
    /**
     * @description One line of an import. A member that is null counts as left out.
     * @example {
     *       "username": "maria.musterfrau",
     *       "password_hash": "$2y$10$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "providers": [
     *         {
     *           "provider": "google",
     *           "subject": "110169484474386276334"
     *         }
     *       ]
     *     }
     */
    ImportLineBody: {
      /** @description UUID under which apps know the person; drawn when it is left out. */
      id?: string;
      /** @description What apps know the person by (`sub`), where that is not the id. */
      subject?: string;
      username: string;
      password?: string;
      /** @description bcrypt, argon2, pbkdf2 or scrypt, in the forms that docs/import-export.md lists. */
      password_hash?: string;
      display_name?: string;
      email?: string;
      email_verified?: boolean;
      picture?: string;
      language?: string;
      group_name?: string;
      /** @description Groups beside `group_name`. */
      groups?: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes?: {
        [key: string]: unknown;
      };
      /** @description `active` or `disabled`. */
      status?: string;
      /** @description `optional` or `required`; as the installation has it when it is left out. */
      second_factor?: string;
      /** @description Base32 seed of an authenticator app: SHA-1, six digits, 30 seconds. */
      totp_secret?: string;
      /** @description Names of second factors that need no secret. */
      factors?: string[];
      /** @description Id of a source in USER_SOURCES, or id or issuer of a provider with provision: the account belongs to a person there. */
      source?: string;
      /** @description Id of the person there. */
      source_subject?: string;
      /** @description The password was taken over from the source: the account is one of its own. */
      migrated?: boolean;
      /** @description One of each provider at most. */
      providers?: components['schemas']['ImportedProviderBody'][];
      /**
       * Format: date-time
       * @description ISO 8601 with its zone.
       */
      created_at?: string;
    };
    /**
     * @description An external account that signs in to the account of its line. A member that is null counts as left out.
     * @example {
     *       "provider": "google",
     *       "issuer": "https://accounts.google.com",
     *       "subject": "110169484474386276334",
     *       "label": "Maria Musterfrau",
     *       "connected_at": "2026-03-01T08:00:00.000Z"
     *     }
     */
    ImportedProviderBody: {
      /** @description Id of a provider that is set up here. */
      provider: string;
      /** @description May be left out where the provider has only one. */
      issuer?: string;
      /** @description What names the person there, to the letter. */
      subject: string;
      /** @description As the provider calls them: for eyes only, cut to 200 characters. */
      label?: string;
      /**
       * Format: date-time
       * @description ISO 8601 with its zone.
       */
      connected_at?: string;
    };
    /**
     * @description The account, and whether it was about to be deleted.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "was_due": true
     *     }
     */
    KeptAnswer: {
      was_due: boolean;
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description A person of a source or provider, by either `subject` or `username`.
     * @example {
     *       "source": "staff",
     *       "username": "maria"
     *     }
     */
    LinkBody: {
      /** @description Id of a source in USER_SOURCES, or of a provider with provision. */
      source: string;
      /** @description Id of the person there. */
      subject?: string;
      /** @description What the person signs in with there; not for providers. */
      username?: string;
    };
    /**
     * @description The account, and the person of a source or provider to whom it belongs from now on.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "source": "staff",
     *       "source_subject": "5f0c9a7e-2d41-4b6e-9a55-0d6a2f1c7b83",
     *       "upstream": "ended"
     *     }
     */
    LinkedAnswer: {
      source: string;
      source_subject: string;
      /** @enum {string} */
      upstream: 'ended' | 'unavailable';
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description A link that is on its way to the address of the account.
     * @example {
     *       "mailed_to": "maria@example.org",
     *       "expires_at": "2026-03-03T09:30:00.000Z"
     *     }
     */
    MailedLinkAnswer: {
      mailed_to: string;
      /**
       * Format: date-time
       * @description After this time the link does not work, and the mail is not sent.
       */
      expires_at: string;
    };
    /**
     * @description A new account.
     * @example {
     *       "username": "maria.musterfrau",
     *       "email": "maria@example.org",
     *       "language": "de"
     *     }
     */
    NewAccountBody: {
      username: string;
      password?: string;
      display_name?: string;
      email?: string;
      language?: string;
      group_name?: string;
      /** @description Groups beside `group_name`. */
      groups?: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes?: {
        [key: string]: unknown;
      };
    };
    /**
     * @description A link that a contact person passes on. It works once.
     * @example {
     *       "url": "https://login.example.org/password-reset/form?token=9f2c6d1e",
     *       "expires_at": "2026-03-03T09:30:00.000Z"
     *     }
     */
    PasswordResetAnswer: {
      /** Format: uri */
      url: string;
      /** Format: date-time */
      expires_at: string;
    };
    /**
     * @description An external account that signs in to an account.
     * @example {
     *       "provider": "google",
     *       "issuer": "https://accounts.google.com",
     *       "subject": "110169484474386276334",
     *       "label": "Maria Musterfrau",
     *       "connected_at": "2026-03-01T08:00:00.000Z",
     *       "last_used_at": null
     *     }
     */
    ProviderAnswer: {
      provider: string;
      /** @description Identifies the person at the provider; the only value used for lookups. */
      issuer: string;
      subject: string;
      /** @description Name at the provider; for display only. */
      label: string | null;
      /** Format: date-time */
      connected_at: string;
      /** Format: date-time */
      last_used_at: string | null;
    };
    /**
     * @description External accounts connected to an account.
     * @example {
     *       "providers": [
     *         {
     *           "provider": "google",
     *           "issuer": "https://accounts.google.com",
     *           "subject": "110169484474386276334",
     *           "label": "Maria Musterfrau",
     *           "connected_at": "2026-03-01T08:00:00.000Z",
     *           "last_used_at": null
     *         }
     *       ]
     *     }
     */
    ProvidersAnswer: {
      providers: components['schemas']['ProviderAnswer'][];
    };
    /**
     * @description The account, and what its source says of the person.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "source": "staff",
     *       "source_state": "active",
     *       "upstream": null
     *     }
     */
    RefreshedAnswer: {
      /** @description Id of the source. */
      source: string;
      /** @enum {string} */
      source_state: 'active' | 'disabled' | 'gone';
      /**
       * @description Null: nothing had to end.
       * @enum {string|null}
       */
      upstream: 'ended' | 'unavailable' | null;
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description What there is behind one scope.
     * @example {
     *       "scope": "groups",
     *       "claims": [
     *         "groups"
     *       ]
     *     }
     */
    ScopeClaimsAnswer: {
      scope: string;
      /** @description Names of claims. */
      claims: string[];
    };
    /**
     * @description A browser session at the upstream, or a session of the account area.
     * @example {
     *       "id": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
     *       "kind": "sign_in",
     *       "began_at": "2026-03-02T09:30:00.000Z",
     *       "seen_at": null,
     *       "expires_at": "2026-04-01T09:30:00.000Z",
     *       "acr": "urn:foyer:acr:mfa",
     *       "amr": [
     *         "pwd",
     *         "otp",
     *         "mfa"
     *       ],
     *       "client_id": "portal",
     *       "address": "203.0.113.7",
     *       "browser": "Firefox, Windows"
     *     }
     */
    SessionAnswer: {
      id: string;
      /** @enum {string} */
      kind: 'account_area' | 'sign_in';
      /** Format: date-time */
      began_at: string;
      /**
       * Format: date-time
       * @description Account area only; precise to the minute.
       */
      seen_at: string | null;
      /** Format: date-time */
      expires_at: string;
      /** @description Methods of authentication; sign-ins only. */
      acr: string | null;
      amr: string[];
      /** @description The app that the person signed in to, or whose access token opened the account area. */
      client_id: string | null;
      /** @description Where the sign-in came from. */
      address: string | null;
      /** @description Browser and system in words, as the browser names itself: `Firefox, Windows`. */
      browser: string | null;
    };
    /**
     * @description Sessions of a person.
     * @example {
     *       "sessions": [
     *         {
     *           "id": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
     *           "kind": "sign_in",
     *           "began_at": "2026-03-02T09:30:00.000Z",
     *           "seen_at": null,
     *           "expires_at": "2026-04-01T09:30:00.000Z",
     *           "acr": "urn:foyer:acr:mfa",
     *           "amr": [
     *             "pwd",
     *             "otp",
     *             "mfa"
     *           ],
     *           "client_id": "portal",
     *           "address": "203.0.113.7",
     *           "browser": "Firefox, Windows"
     *         }
     *       ]
     *     }
     */
    SessionListAnswer: {
      /** @description Newest first. */
      sessions: components['schemas']['SessionAnswer'][];
    };
    /**
     * @description What was ended.
     * @example {
     *       "ended": 2,
     *       "upstream": "ended"
     *     }
     */
    SessionsAnswer: {
      /** @description Number of ended sessions. */
      ended: number;
      /** @enum {string} */
      upstream: 'ended' | 'unavailable';
    };
    /**
     * @description A browser in which a person is not asked for a second factor.
     * @example {
     *       "id": "0c3a1f0e-5d3c-4c55-8a63-6f3f9f4a2f11",
     *       "browser": "Firefox, Windows",
     *       "created_at": "2026-03-02T09:30:00.000Z",
     *       "last_used_at": "2026-03-14T07:12:00.000Z",
     *       "expires_at": "2026-04-01T09:30:00.000Z"
     *     }
     */
    TrustedBrowserAnswer: {
      id: string;
      /** @description Browser and system in words, as the browser names itself: `Firefox, Windows`. */
      browser: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      last_used_at: string;
      /** Format: date-time */
      expires_at: string;
    };
    /**
     * @description Browsers in which a person is not asked for a second factor.
     * @example {
     *       "trusted_browsers": [
     *         {
     *           "id": "0c3a1f0e-5d3c-4c55-8a63-6f3f9f4a2f11",
     *           "browser": "Firefox, Windows",
     *           "created_at": "2026-03-02T09:30:00.000Z",
     *           "last_used_at": "2026-03-14T07:12:00.000Z",
     *           "expires_at": "2026-04-01T09:30:00.000Z"
     *         }
     *       ]
     *     }
     */
    TrustedBrowserListAnswer: {
      /** @description Newest first. */
      trusted_browsers: components['schemas']['TrustedBrowserAnswer'][];
    };
    /**
     * @description What was ended.
     * @example {
     *       "ended": 1
     *     }
     */
    TrustedBrowsersEndedAnswer: {
      /** @description Number of browsers. */
      ended: number;
    };
    /**
     * @description The account, and whether its credentials were frozen.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "was_frozen": true
     *     }
     */
    UnfrozenAnswer: {
      was_frozen: boolean;
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description The account, and the person to whom it belonged.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "source": "staff",
     *       "source_subject": "5f0c9a7e-2d41-4b6e-9a55-0d6a2f1c7b83",
     *       "upstream": "ended",
     *       "can_sign_in": false
     *     }
     */
    UnlinkedAnswer: {
      /** @description It has a password, or an identity at a provider that is configured. */
      can_sign_in: boolean;
      source: string;
      source_subject: string;
      /** @enum {string} */
      upstream: 'ended' | 'unavailable';
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description The account, and whether wrong passwords or codes had locked or delayed it.
     * @example {
     *       "id": "0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11",
     *       "username": "maria.musterfrau",
     *       "display_name": "Maria Musterfrau",
     *       "email": "maria@example.org",
     *       "email_verified": true,
     *       "picture": null,
     *       "language": "de",
     *       "group_name": "Einkauf",
     *       "groups": [
     *         "Einkauf",
     *         "Betriebsrat"
     *       ],
     *       "attributes": {
     *         "given_name": "Maria",
     *         "department": "Einkauf"
     *       },
     *       "status": "active",
     *       "second_factor": null,
     *       "created_at": "2026-03-01T08:00:00.000Z",
     *       "updated_at": "2026-03-02T09:30:00.000Z",
     *       "was_locked": true
     *     }
     */
    UnlockedAnswer: {
      was_locked: boolean;
      id: string;
      username: string;
      display_name: string;
      email: string | null;
      email_verified: boolean;
      picture: string | null;
      language: string | null;
      group_name: string | null;
      /** @description `group_name`, if there is one, and the others. */
      groups: string[];
      /** @description As the setting ACCOUNT_SCHEMA allows them. */
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'active' | 'disabled';
      /**
       * @description Null: the installation's default applies.
       * @enum {string|null}
       */
      second_factor: 'optional' | 'required' | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
  };
  responses: {
    /** @description The request cannot be understood. */
    'refusal-400': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'bad_request';
        };
      };
    };
    /** @description The token is missing or wrong. */
    'refusal-401': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'unauthorized';
        };
      };
    };
    /** @description The token lacks the rights for this call. */
    'refusal-403': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'forbidden';
        };
      };
    };
    /** @description The API is not called by this name. */
    'refusal-421': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'host_unknown';
        };
      };
    };
    /** @description There were too many wrong tokens, or too many mails. */
    'refusal-429': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'limited';
        };
      };
    };
    /** @description Something went wrong here. */
    'refusal-500': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'internal';
        };
      };
    };
    /** @description A part does not answer, or too much is under way: try again. */
    'refusal-503': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorAnswer'] & {
          /** @enum {unknown} */
          error?: 'unavailable';
        };
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  'accounts.list': {
    parameters: {
      query?: {
        /** @description Only the account with this name, in any spelling of it. */
        username?: string;
        /** @description Only accounts with this e-mail address, in any spelling of it. */
        email?: string;
        /** @description Words of username, display name and e-mail address, or their beginnings; all must occur. */
        search?: string;
        /** @description Only active or only disabled accounts. */
        status?: string;
        /** @description Only accounts with exactly this `group_name`. */
        group_name?: string;
        /** @description Only accounts of exactly this group: as their `group_name`, or as one of `groups`. */
        group?: string;
        /** @description `next_cursor` of the previous page. */
        cursor?: string;
        /** @description At most so many, up to 200; 50 when it is left out. */
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountListAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      421: components['responses']['refusal-421'];
      /** @description A value cannot be taken. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'format' | 'too_long';
          };
        };
      };
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'accounts.create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewAccountBody'];
      };
    };
    responses: {
      /** @description It is done. */
      201: {
        headers: {
          /** @description Its address. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_json' | 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'email_taken' | 'username_taken';
          };
        };
      };
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'too_large';
          };
        };
      };
      /** @description The body is of another kind. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'unsupported';
          };
        };
      };
      421: components['responses']['refusal-421'];
      /** @description A value cannot be taken. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'characters' | 'format' | 'missing' | 'password_refused' | 'reserved' | 'too_long' | 'too_short';
          };
        };
      };
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      /** @description A part does not answer, or too much is under way: try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'busy' | 'unavailable';
          };
        };
      };
    };
  };
  'accounts.show': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountDetailAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'deletion.delete': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletedAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'accounts.change': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountPatchBody'];
      };
    };
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_json' | 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'email_is_factor' | 'email_taken';
          };
        };
      };
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'too_large';
          };
        };
      };
      /** @description The body is of another kind. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'unsupported';
          };
        };
      };
      421: components['responses']['refusal-421'];
      /** @description A value cannot be taken. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'characters' | 'format' | 'missing' | 'too_long';
          };
        };
      };
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'audit.ofAccount': {
    parameters: {
      query?: {
        /** @description Only events of this kind, like `sign-in.refused`, or of all kinds that begin with it, like `sign-in`. */
        kind?: string;
        actor?: string;
        since?: string;
        until?: string;
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_request' | 'missing' | 'unknown_kind' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'claims.show': {
    parameters: {
      query: {
        /** @description Id of the client at Hydra. */
        client: string;
      };
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ClaimsAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found' | 'client_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'deletion.schedule': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeletionBody'];
      };
    };
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletionAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_json' | 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'too_large';
          };
        };
      };
      /** @description The body is of another kind. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'unsupported';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'deletion.cancel': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeptAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'access.disable': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DisabledAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'access.enable': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'resets.factors': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FactorResetAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_disabled';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'resets.invite': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MailedLinkAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_disabled' | 'has_password' | 'no_address' | 'no_mail' | 'password_elsewhere';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'resets.password': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PasswordResetAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_disabled' | 'password_elsewhere';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'resets.mailPassword': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MailedLinkAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_disabled' | 'no_address' | 'no_mail' | 'password_elsewhere';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'providers.list': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProvidersAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'providers.disconnect': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
        /** @description Id of the provider. */
        provider: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProvidersAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'provider_not_connected';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'access.refresh': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RefreshedAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'no_source';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      /** @description A part does not answer, or too much is under way: try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'source_unavailable' | 'unavailable';
          };
        };
      };
    };
  };
  'sessions.list': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionListAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'sessions.endAll': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionsAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'sessions.endOne': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
        /** @description Id of the session, as the list of them has it. */
        session: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionsAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found' | 'session_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'source.link': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkBody'];
      };
    };
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LinkedAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_json' | 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found' | 'person_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'has_source' | 'person_linked' | 'provider_connected';
          };
        };
      };
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'too_large';
          };
        };
      };
      /** @description The body is of another kind. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'unsupported';
          };
        };
      };
      421: components['responses']['refusal-421'];
      /** @description A value cannot be taken. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'format' | 'missing' | 'unknown_source';
          };
        };
      };
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      /** @description A part does not answer, or too much is under way: try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'source_unavailable' | 'unavailable';
          };
        };
      };
    };
  };
  'source.unlink': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UnlinkedAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /** @description It does not go with how things are. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'no_source';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'trustedBrowsers.list': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustedBrowserListAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'trustedBrowsers.endAll': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustedBrowsersEndedAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'trustedBrowsers.endOne': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
        browser: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustedBrowsersEndedAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found' | 'trusted_browser_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'access.unfreeze': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UnfrozenAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'access.unlock': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the account. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UnlockedAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description There is no such thing. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'audit.ofAll': {
    parameters: {
      query?: {
        account?: string;
        /** @description Only events of this kind, like `sign-in.refused`, or of all kinds that begin with it, like `sign-in`. */
        kind?: string;
        actor?: string;
        since?: string;
        until?: string;
        cursor?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_request' | 'missing' | 'unknown_kind' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'transfer.export': {
    parameters: {
      query?: {
        /** @description With hashes of passwords. */
        password_hashes?: string;
        /** @description With seeds of authenticator apps, in plain. */
        totp_secrets?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One such object a line. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ExportLineAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'operatorHealth.health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HealthAnswer'];
        };
      };
      400: components['responses']['refusal-400'];
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      503: components['responses']['refusal-503'];
    };
  };
  'transfer.import': {
    parameters: {
      query?: {
        /** @description Says what would become of each line, and writes nothing. */
        dry_run?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-ndjson': components['schemas']['ImportLineBody'];
      };
    };
    responses: {
      /** @description One such object a line. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ImportLineAnswer'];
        };
      };
      /** @description The request cannot be understood. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'bad_json' | 'bad_request' | 'missing' | 'unknown_member' | 'wrong_type';
          };
        };
      };
      401: components['responses']['refusal-401'];
      403: components['responses']['refusal-403'];
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'too_large';
          };
        };
      };
      /** @description The body is of another kind. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'unsupported';
          };
        };
      };
      421: components['responses']['refusal-421'];
      429: components['responses']['refusal-429'];
      500: components['responses']['refusal-500'];
      /** @description A part does not answer, or too much is under way: try again. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorAnswer'] & {
            /** @enum {unknown} */
            error?: 'busy' | 'unavailable';
          };
        };
      };
    };
  };
}
