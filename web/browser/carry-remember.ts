/** Adds the value of the checkbox "Stay signed in" to the address of a link, because a link sends no form fields. */
import type { MouseEvent } from 'react';
import { FIELDS } from '../../src/contract/form-fields.js';

export function carryRemember({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  const box = document.querySelector<HTMLInputElement>(`[name=${FIELDS.remember}]`);
  link.href = link.href.replace(/(&remember=true)?$/, box?.checked ? '&remember=true' : '');
}
