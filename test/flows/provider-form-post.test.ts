/** A provider that responds with a form on its own page, over HTTP (PRV-1, S-73b; security decision D9). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { toCallback, FORM_PROVIDER, ProviderStory } from '../support/provider-story.js';

let story: ProviderStory;

beforeAll(async () => {
  story = await ProviderStory.start();
});

afterAll(() => story.gateway.close());

describe('a response by a form of another site', () => {
  it('[PRV-1] [S-73b] [S-88] needs a separate cookie, which contains no information', async () => {
    const { page, browser, challenge } = await story.startAtProvider(FORM_PROVIDER);
    const cookie = page.setCookies.find(({ name }) => name === 'foyer-answer');
    expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true, path: '/', maxAgeSeconds: 600 });
    expect(cookie?.value).toMatch(/^[\w-]{43}$/);
    expect(browser.cookies('/').join()).not.toContain(challenge);
    expect((await story.startAtProvider('google')).page.setCookies.map(({ name }) => name)).not.toContain('foyer-answer');
  });

  it('[S-73b] is refused without this cookie, with another one, and by GET; no cookie of the person is replaced', async () => {
    const subject = await story.connect(await story.createPerson(), undefined, FORM_PROVIDER);
    const { browser, url, challenge } = await story.startAtProvider(FORM_PROVIDER);
    const fields = story.providers.signIn(url, subject);
    const other = await story.startAtProvider(FORM_PROVIDER);
    for (const cookie of ['', `foyer-answer=${'x'.repeat(43)}`, story.answerCookie(other.browser)]) {
      const posted = await story.postCallback(browser, fields, cookie);
      expect(posted.setCookies).toEqual([]);
      const page = await browser.get(posted.location ?? '');
      expect([page.status, page.state('login').login.error]).toEqual([400, 'challenge']);
    }
    const query = new URLSearchParams(fields).toString();
    const byLink = await browser.get(`${toCallback(FORM_PROVIDER)}?${query}`);
    expect([byLink.status, byLink.headers.get('allow')]).toEqual([405, 'POST']);
    const byForm = await browser.post(toCallback('google'), fields);
    expect([byForm.status, byForm.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await story.callBack(FORM_PROVIDER, browser, fields)).status).toBe(303);
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it('[S-73b] does nothing with a handle in another browser, and waits for the browser that began', async () => {
    const subject = await story.connect(await story.createPerson(), undefined, FORM_PROVIDER);
    const { browser, url, challenge } = await story.startAtProvider(FORM_PROVIDER);
    const before = story.providers.exchangedCodes;
    const posted = await story.postCallback(browser, story.providers.signIn(url, subject));
    expect(posted.status).toBe(303);
    const thief = story.gateway.browser({ cookie: story.answerCookie(browser) });
    expect((await thief.get(posted.location ?? '')).state('login').login.error).toBe('challenge');
    expect(story.providers.exchangedCodes).toBe(before);
    expect((await browser.get(posted.location ?? '')).status).toBe(303);
    expect((await browser.get(posted.location ?? '')).status).toBe(400);
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it('[S-73b] expires soon, and its other fields are ignored', async () => {
    const subject = await story.connect(await story.createPerson(), undefined, FORM_PROVIDER);
    const { browser, url } = await story.startAtProvider(FORM_PROVIDER);
    const user = JSON.stringify({ name: { firstName: '<script>' }, email: 'victim@example.org' });
    const posted = await story.postCallback(browser, { ...story.providers.signIn(url, subject), user, id_token: 'x.y.z' });
    story.gateway.clock.advanceSeconds(121);
    expect((await browser.get(posted.location ?? '')).status).toBe(400);
    const large = await story.startAtProvider(FORM_PROVIDER);
    const answer = await story.postCallback(large.browser, {
      ...story.providers.signIn(large.url, subject),
      user: 'x'.repeat(1_000_000),
    });
    expect(answer.status).toBe(413);
  });

  it('[S-01] is the only post that may come from another site', async () => {
    const { browser, challenge } = await story.startAtProvider(FORM_PROVIDER);
    const path = `${PATHS.login}/${FORM_PROVIDER}${PATHS.providerAccount}`;
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const fields = { _xsrf, login_challenge: challenge, token: 'x', username: 'y' };
    const headers = { origin: 'https://apple.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.post(path, fields, headers)).status).toBe(403);
    expect((await browser.post(path, { ...fields, _xsrf: '' })).status).toBe(403);
  });
});
