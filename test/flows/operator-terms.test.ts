/** Operators see the terms of the installation, who has accepted them, and what a person has to do at the next sign-in. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TermsAcceptances } from '../../src/accounts/terms/terms-acceptances.js';
import type { Terms, TermsText } from '../../src/config/config.js';
import type { AcceptanceListAnswer } from '../../src/operator/wire-terms.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import { OWN_CHANGE } from '../support/proven-session.js';
import { buildTermsText } from '../support/terms-texts.js';

const OLD = buildTermsText('Terms of use\n\nBe kind.\n');
const NEW = buildTermsText('Terms of use\n\nBe kind\u202E, please.\n');
const ZEROS = '00000000-0000-0000-0000-000000000000';
const LATER = new Date('2100-01-01T00:00:00.000Z');
const USE: Terms = { id: 'use', version: '2', texts: [NEW], laterUntil: LATER };
const SHOP: Terms = { id: 'shop', version: '1', texts: [OLD], clients: ['shop'] };

/** The setting of the installation. */
const terms: Terms[] = [];
let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const line = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({
      terms,
      tasks: {
        ...config.tasks,
        emailProof: 'required',
        emailProofFrom: LATER,
        requiredFields: [{ name: 'customer', kind: 'text', isRequired: true }],
      },
      mfa: { ...config.mfa, policy: 'required', requiredFrom: LATER },
      accounts: { ...config.accounts, schema: { properties: { customer: { type: 'string' } } } },
    }),
  });
});
afterAll(() => operator.close());
beforeEach(() => void terms.splice(0, terms.length, USE, SHOP));

const accept = async (accountId: string, version: string, text: TermsText): Promise<boolean> =>
  new TermsAcceptances(operator.database, operator.services.audit).accept(
    { accountId, terms: { ...USE, version }, text, clientId: 'portal' },
    { actor: 'person', signIn: OWN_CHANGE.manageSession, requestId: 'request-1' },
  );
const list = async (id: string, query = '') =>
  (await operator.call('GET', `/accounts/${id}/terms${query}`)).json as unknown as AcceptanceListAnswer;

const TASK = { terms: null, version: null, client_ids: null, fields: [], later_until: null };

describe('[TSK-19] the terms of the installation', () => {
  it('are listed with their versions and hashes, in the order of the setting', async () => {
    expect((await operator.call('GET', '/terms')).json).toEqual({
      terms: [
        {
          ...{ id: 'use', version: '2', client_ids: null, from: null, later_until: LATER.toISOString() },
          texts: [{ language: 'en', title: 'Terms of use', sha256: NEW.sha256 }],
        },
        {
          ...{ id: 'shop', version: '1', client_ids: ['shop'], from: null, later_until: null },
          texts: [{ language: 'en', title: 'Terms of use', sha256: OLD.sha256 }],
        },
      ],
    });
    expect((await line('terms list')).out).toMatch(/use +2 +2100-01-01 00:00:00Z +all +en +Terms of use/);
    terms.splice(0);
    expect(await line('terms list')).toEqual({ code: 0, out: '', err: 'The installation has no terms.\n' });
  });

  it('have a text that is shown by its hash, also when the file has changed since it was accepted', async () => {
    terms.splice(1);
    expectError(await operator.call('GET', `/terms/texts/${OLD.sha256}`), 404, 'terms_text_not_found');
    const { id } = await createAccount();
    await accept(id, '1', OLD);
    const answer = await operator.call('GET', `/terms/texts/${OLD.sha256}`);
    expect([answer.status, answer.json]).toEqual([200, { sha256: OLD.sha256, text: OLD.text }]);
    expect((await line(`terms text ${NEW.sha256}`)).out).toBe('Terms of use\n\nBe kind\uFFFD, please.\n');
    expect((await line('terms text x')).code).toBe(3);
    expectError(await operator.call('GET', '/terms/texts/%00'), 404, 'terms_text_not_found');
  });
});

describe('[TSK-19] what a person has accepted', () => {
  it('is listed newest first, in pages, with the hash, the app and the request', async () => {
    const [{ id, username }, other] = [await createAccount(), await createAccount()];
    await accept(id, '1', OLD);
    await accept(id, '2', NEW);
    await accept(other.id, '1', OLD);
    const first = await list(id, '?limit=1');
    expect(first.acceptances).toEqual([
      {
        ...{ terms: 'use', version: '2', sha256: NEW.sha256, language: 'en', client_id: 'portal' },
        ...{ accepted_at: expect.any(String), withdrawn_at: null, request_id: 'request-1' },
      },
    ]);
    const next = await list(id, `?limit=1&cursor=${first.next_cursor}`);
    expect(next.acceptances.map(({ version }) => version)).toEqual(['1']);
    expect(next).not.toHaveProperty('next_cursor');
    expectError(await operator.call('GET', `/accounts/${id}/terms?cursor=x`), 400, 'wrong_type', 'cursor');
    expectError(await operator.call('GET', '/accounts/x/terms'), 404, 'account_not_found');
    expect((await line(`account terms list ${username}`)).out).toMatch(new RegExp(`use +2 +portal +en +${NEW.sha256}`));
    const shown = await line(`account show ${username}`);
    expect(shown.out).toMatch(/Accepted +use, version 2: \S+ \S+Z in portal \(en\)\n +use, version 1: /);
    expect(JSON.parse((await line(`account show ${username} --json`)).out)).toMatchObject({
      username,
      accepted_terms: [{ version: '2' }, { version: '1' }],
    });
  });

  it('is empty for a person who was never asked', async () => {
    const { id, username } = await createAccount();
    expect(await list(id)).toEqual({ acceptances: [] });
    expect((await line(`account terms list ${username}`)).err).toBe('The person has accepted no terms.\n');
    expect((await line(`account show ${username}`)).out).not.toContain('Accepted');
  });
});

describe('[TSK-19] what a person has to do at the next sign-in', () => {
  const readTasks = async (id: string) => (await operator.call('GET', `/accounts/${id}`)).json['tasks'];

  it('is every outstanding task with the time until which it may be postponed', async () => {
    const { id, username } = await createAccount({ email: 'unproven@example.org', password: 'kupfer linde 4821' });
    await operator.call('POST', `/accounts/${id}/require-password-change`);
    expect(await readTasks(id)).toEqual([
      { ...TASK, kind: 'terms', terms: 'use', version: '2', later_until: LATER.toISOString() },
      { ...TASK, kind: 'terms', terms: 'shop', version: '1', client_ids: ['shop'] },
      { ...TASK, kind: 'password' },
      { ...TASK, kind: 'email', later_until: LATER.toISOString() },
      { ...TASK, kind: 'fields', fields: ['customer'] },
      { ...TASK, kind: 'factor', later_until: LATER.toISOString() },
    ]);
    const { out } = await line(`account show ${username}`);
    expect(out).toContain('accept the terms use, version 2; may be postponed until 2100-01-01 00:00:00Z\n');
    expect(out).toContain('accept the terms shop, version 1, of shop\n');
    expect(out).toMatch(/choose a new password\n.*prove the e-mail address; .*\n.*fill in customer\n.*set up a second factor; /);
  });

  it('is the set-up of a second factor for the owner of a passkey only where passkeys are turned off', async () => {
    const { id } = await createAccount({ email: 'unproven.too@example.org', attributes: { customer: '4711' } });
    const passkey = {
      ...{ account_id: id, credential_id: 'holder', public_key: Buffer.from('key'), algorithm: -7, counter: 0, transports: [] },
      ...{ backup_eligible: true, backed_up: true, user_verified: true, aaguid: ZEROS, name: 'Phone', created_at: new Date(0) },
    };
    await operator.database.db.insertInto('passkey').values(passkey).execute();
    const readKinds = async () => ((await readTasks(id)) as { kind: string }[]).map(({ kind }) => kind);
    expect(await readKinds()).toEqual(['terms', 'terms', 'email']);
    const { passkeys } = operator.config;
    Object.assign(operator.config, { passkeys: { ...passkeys, mode: 'off' } });
    try {
      expect(await readKinds()).toEqual(['terms', 'terms', 'email', 'factor']);
    } finally {
      Object.assign(operator.config, { passkeys });
    }
  });

  it('is nothing that is done, not in force, or not asked of the person', async () => {
    const { id } = await createAccount({ attributes: { customer: '4711' } });
    await operator.call('PATCH', `/accounts/${id}`, { second_factor: 'optional' });
    await operator.database.db.updateTable('account').set({ email_verified: true }).where('id', '=', id).execute();
    terms.splice(1, 1, { ...SHOP, from: LATER });
    await accept(id, '2', NEW);
    expect(await readTasks(id)).toEqual([]);
  });
});
