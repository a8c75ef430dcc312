/** What the form of an app changes, and the options of the command line for it. */
import { describe, expect, it } from '@jest/globals';
import { CLIENTS } from '../fixtures/clients.js';
import { formatCommand } from '../people/command-line.js';
import { EMPTY_FORM, toAppForm, toClientChanges, toClientOptions } from './app-form.js';

const [shop] = CLIENTS;
if (!shop) throw new Error('There is no app in the fixtures.');

describe('the form of an app', () => {
  it('changes nothing if nothing, or only white space, was typed', () => {
    const form = toAppForm(shop);
    expect(toClientChanges(form, form, shop.foyer)).toEqual({});
    expect(toClientChanges(form, { ...form, redirect_uris: `\n ${form.redirect_uris} \n` }, shop.foyer)).toEqual({});
  });

  it('changes what was typed, and keeps other settings of the app', () => {
    const form = toAppForm(shop);
    const typedForm = {
      ...form,
      client_name: ' Laden ',
      redirect_uris: 'https://a.example/\n\n https://b.example/',
      policy_uri: '',
      confirm_session: true,
    };
    expect(toClientChanges(form, typedForm, { mfa: 'required', look: { colour: '#123456' } })).toEqual({
      client_name: 'Laden',
      redirect_uris: ['https://a.example/', 'https://b.example/'],
      policy_uri: '',
      foyer: { mfa: 'required', look: { colour: '#123456' }, confirm_session: true },
    });
  });

  it('becomes a command line that a shell reads correctly', () => {
    const changes = toClientChanges(
      EMPTY_FORM,
      { ...EMPTY_FORM, client_name: "It's $HOME", redirect_uris: 'https://a.example/\nhttps://b.example/', skip_consent: true },
      {},
    );
    expect(formatCommand({ words: ['client', 'update', 'shop'], options: toClientOptions(changes) })).toBe(
      String.raw`foyer client update shop --client-name 'It'\''s $HOME' --redirect-uri https://a.example/ --redirect-uri https://b.example/ --skip-consent true`,
    );
    expect(toClientOptions({ contacts: [], foyer: { mfa: 'required' } })).toEqual([
      ['contact', ''],
      ['foyer', '{"mfa":"required"}'],
    ]);
  });
});
