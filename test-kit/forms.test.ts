import { describe, expect, it } from '@jest/globals';
import { findForm } from './forms.js';

const PAGE = `<form action="/language"><input type="hidden" name="lng" value="de"></form>
  <FORM method='POST' action="/consent/accept?a=1&amp;b=2">
    <input type="hidden" name="_xsrf" value="a&quot;b">
    <input type="checkbox" name="scopes" value="openid" checked=""/><input type="checkbox" name="scopes" value="email" checked>
    <input type=checkbox name=scopes value=phone><input name="off" value="1" disabled><textarea name="note"></textarea>
    <button name="way" value="yes">Yes</button><button formaction="/consent/reject">No</button>
  </FORM>`;

describe('a form in markup', () => {
  it('sends hidden fields and checked boxes, but no disabled fields and no buttons', () => {
    expect(findForm(PAGE, ['scopes'])).toMatchObject({
      action: '/consent/accept?a=1&b=2',
      method: 'post',
      fields: { _xsrf: ['a"b'], scopes: ['openid', 'email'], note: [''] },
    });
    expect(Object.keys(findForm(PAGE, ['scopes']).fields)).toEqual(['_xsrf', 'scopes', 'note']);
  });

  it('is found by its fields, by its target or by the target of one of its buttons', () => {
    expect(findForm(PAGE, ['lng'])).toMatchObject({ action: '/language', method: 'get' });
    expect(findForm(PAGE, [], '/consent/accept?a=1&b=2')).toMatchObject({ method: 'post', fields: { note: [''] } });
    expect(findForm(PAGE, [], '/consent/reject')).toMatchObject({ action: '/consent/reject', fields: { note: [''] } });
  });

  it('has no fields in a disabled fieldset', () => {
    const page = `<form action="/login"><input type="hidden" name="_xsrf" value="a"><fieldset class="all" disabled="">
      <input name="password"></fieldset><fieldset><input name="code"></fieldset></form>`;
    expect(findForm(page, ['code']).fields).toEqual({ _xsrf: ['a'], code: [''] });
    expect(() => findForm(page, ['password'])).toThrow(/the forms are: \/login \(_xsrf, code\)/);
  });

  it('is reported as missing with a list of the existing forms', () => {
    expect(() => findForm(PAGE, ['password'])).toThrow(/has password; the forms are: \/language \(lng\); .*\/consent\/reject/);
    expect(() => findForm('<p>none</p>', [])).toThrow(/the forms are: none/);
  });
});
