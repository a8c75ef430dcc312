import { describe, expect, it } from '@jest/globals';
import { formFor } from './forms.js';

const PAGE = `<form action="/language"><input type="hidden" name="lng" value="de"></form>
  <FORM method='POST' action="/consent/accept?a=1&amp;b=2">
    <input type="hidden" name="_xsrf" value="a&quot;b">
    <input type="checkbox" name="scopes" value="openid" checked=""/><input type="checkbox" name="scopes" value="email" checked>
    <input type=checkbox name=scopes value=phone><input name="off" value="1" disabled><textarea name="note"></textarea>
    <button name="way" value="yes">Yes</button><button formaction="/consent/reject">No</button>
  </FORM>`;

describe('a form in markup', () => {
  it('sends what stands in it: hidden fields, ticked boxes, nothing disabled, no button that was not pressed', () => {
    expect(formFor(PAGE, ['scopes'])).toMatchObject({
      action: '/consent/accept?a=1&b=2',
      method: 'post',
      fields: { _xsrf: ['a"b'], scopes: ['openid', 'email'], note: [''] },
    });
    expect(Object.keys(formFor(PAGE, ['scopes']).fields)).toEqual(['_xsrf', 'scopes', 'note']);
  });

  it('is found by its fields, or by where it or one of its buttons leads', () => {
    expect(formFor(PAGE, ['lng'])).toMatchObject({ action: '/language', method: 'get' });
    expect(formFor(PAGE, [], '/consent/reject')).toMatchObject({ action: '/consent/reject', fields: { note: [''] } });
  });

  it('has no fields in a disabled fieldset', () => {
    const off = `<form action="/login"><input type="hidden" name="_xsrf" value="a"><fieldset class="all" disabled="">
      <input name="password"></fieldset><fieldset><input name="code"></fieldset></form>`;
    expect(formFor(off, ['code']).fields).toEqual({ _xsrf: ['a'], code: [''] });
    expect(() => formFor(off, ['password'])).toThrow(/there are: \/login \(_xsrf, code\)/);
  });

  it('that is missing is an error, which lists the existing forms', () => {
    expect(() => formFor(PAGE, ['password'])).toThrow(/has password; there are: \/language \(lng\); .*\/consent\/reject/);
    expect(() => formFor('<p>none</p>', [])).toThrow(/there are: none/);
  });
});
