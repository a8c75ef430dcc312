/** Accepted terms in the account area: the list, the withdrawal, the download and the deletion. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { DeleteAccount } from '../../src/accounts/changes/delete-account.js';
import { TermsAcceptances } from '../../src/accounts/terms/terms-acceptances.js';
import type { Terms } from '../../src/config/config.js';
import { WITHDRAW_QUERY } from '../../src/contract/manage-data-state.js';
import type { OwnDataAnswer } from '../../src/contract/own-data.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { SecondStepStory } from '../support/second-step.js';
import { buildTermsText } from '../support/terms-texts.js';

const BY = { actor: 'person' } as const;
const text = buildTermsText('Terms of use\n\nBe kind.\n');
const USE: Terms = { id: 'use', version: '1', texts: [text] };

/** A sign-in that is not over. */
const OPEN = { require: () => Promise.resolve() };

/** The setting of the gateway. */
const terms: Terms[] = [];
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ config: () => ({ terms }) });
});

afterAll(() => gateway.close());

async function enter(): Promise<ManageUser> {
  terms.splice(0);
  const user = await ManageUser.enter(gateway, { fresh: true });
  terms.push(USE);
  return user;
}

const accept = ({ account: { id } }: ManageUser): Promise<boolean> =>
  gateway.get(TermsAcceptances).accept({ accountId: id, terms: USE, text, clientId: 'portal' }, { ...BY, signIn: OPEN });
const withdraw = (user: ManageUser, key = 'use') => user.post(PATHS.manageData + WITHDRAW_QUERY, { key });
const listShown = async (user: ManageUser) => (await user.page(PATHS.manageData, 'manage_data')).manage_data.terms;

async function listKinds({ account: { id } }: ManageUser): Promise<string[]> {
  return (await gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind).filter((kind) => kind.startsWith('terms.'));
}

describe('[TSK-17] accepted terms in the account area', () => {
  it('are announced on the overview until they are accepted', async () => {
    const user = await enter();
    const readOpen = async () => (await user.page(PATHS.manage, 'manage')).manage.terms_open;
    expect(await readOpen()).toBe(true);
    await accept(user);
    expect(await readOpen()).toBeUndefined();
    terms.splice(0, 1, { ...USE, version: '2', clients: ['another'] });
    expect(await readOpen()).toBeUndefined();
  });

  it('are listed and downloaded with the text as it was, and withdrawn once, so that the next sign-in asks again', async () => {
    const user = await enter();
    expect(await listShown(user)).toEqual([]);
    await accept(user);
    expect(await listShown(user)).toMatchObject([
      { id: 'use', version: '1', text: text.text, language: 'en', withdrawn_at: null },
    ]);
    const [one, two] = [await withdraw(user), await withdraw(user)];
    expect([one, two].map(({ status, location }) => [status, location])).toEqual([
      [303, PATHS.manageData],
      [303, PATHS.manageData],
    ]);
    expect(await listShown(user)).toMatchObject([{ withdrawn_at: expect.any(String) }]);
    expect(await listKinds(user)).toEqual(['terms.withdrawn', 'terms.accepted']);
    const data = JSON.parse((await user.post(PATHS.manageData)).html) as OwnDataAnswer;
    expect(data.terms).toMatchObject([{ id: 'use', client: 'portal', sha256: text.sha256, text: text.text }]);
    const story = new SecondStepStory(gateway);
    const { browser, fields } = await story.openLogin();
    expect((await story.signIn(browser, fields, user.account)).location).toContain(PATHS.loginTask);
  });

  it('have each text once in the download, and are twenty on the page, however often they were withdrawn and accepted', async () => {
    const user = await enter();
    for (let time = 0; time < 22; time++) {
      await accept(user);
      expect((await withdraw(user)).status).toBe(303);
    }
    expect(await listShown(user)).toHaveLength(20);
    const { html } = await user.post(PATHS.manageData);
    expect((JSON.parse(html) as OwnDataAnswer).terms).toHaveLength(22);
    expect(html.split('Be kind.')).toHaveLength(2);
  });

  it('are listed and withdrawn by the calls of the account area, with a fresh proof', async () => {
    const user = await enter();
    await accept(user);
    const calls = await user.rpc();
    expect((await calls.get('/terms')).body).toMatchObject([{ id: 'use', version: '1', text: text.text, withdrawn_at: null }]);
    for (const none of ['none', 'constructor', '%00']) expect((await calls.delete(`/terms/${none}`)).status).toBe(404);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 1);
    const refused = { status: 403, body: { error: 'proof required' } };
    for (const answer of [await calls.get('/terms'), await calls.delete('/terms/use'), await calls.delete('/terms/none')])
      expect(answer).toMatchObject(refused);
    await user.prove();
    const again = await user.rpc();
    expect((await again.delete('/terms/use')).body).toEqual({});
    expect((await again.delete('/terms/use')).status).toBe(404);
    expect(await listKinds(user)).toEqual(['terms.withdrawn', 'terms.accepted']);
  });

  it('are not withdrawn without a fresh proof, by another form, or for another person', async () => {
    const [user, other] = [await enter(), await enter()];
    await accept(user);
    expect((await withdraw(user, 'none')).status).toBe(303);
    expect((await withdraw(other)).status).toBe(303);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 1);
    expect((await withdraw(user)).state('manage_confirm').page).toBe('manage_confirm');
    expect([await listKinds(user), await listKinds(other)]).toEqual([['terms.accepted'], []]);
    await user.prove();
    expect((await withdraw(user)).status).toBe(303);
    expect(await listKinds(user)).toEqual(['terms.withdrawn', 'terms.accepted']);
  });
});

describe('[TSK-18] the deletion of an account', () => {
  it('deletes the acceptances, and keeps their events and the text', async () => {
    const user = await enter();
    await accept(user);
    await gateway.get(DeleteAccount).delete(user.account, { actor: 'operator' });
    const { db } = gateway.database;
    const rows = await db.selectFrom('terms_acceptance').select('id').where('account_id', '=', user.account.id).execute();
    const texts = await db.selectFrom('terms_text').select('text').where('sha256', '=', text.sha256).execute();
    expect([rows, texts, await listKinds(user)]).toEqual([[], [{ text: text.text }], ['terms.accepted']]);
  });
});
