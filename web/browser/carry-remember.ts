/** A link sends no form fields: the value of the box "Stay signed in" is added to its address. */
import type { MouseEvent } from 'react';
import { FIELDS } from '../../src/contract/form-fields.js';

export function carryRemember({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  const box = document.querySelector<HTMLInputElement>(`[name=${FIELDS.remember}]`);
  link.href = link.href.replace(/(&remember=true)?$/, box?.checked ? '&remember=true' : '');
}
