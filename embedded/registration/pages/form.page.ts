/** The form for a new account: three fields, with the fault that the gateway or this service has found. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases, type Phrases } from '../phrases.js';
import type { PendingRegistration } from '../pending-registrations.js';
import { buildFrame } from './frame.js';

/** The fields, named as in the answer to the gateway. */
export const FIELDS = ['username', 'display_name', 'email'] as const;

interface FormField {
  name: (typeof FIELDS)[number];
  label: string;
  hint: string | null;
  /** Attributes of the input that differ per field. */
  input: Html;
}

export function buildFormPage(language: SiteLanguage, registration: PendingRegistration): Html {
  const phrases = findPhrases(language);
  const { clientName, hints } = registration.ticket;
  const { invitation } = hints;
  return buildFrame(
    language,
    phrases.heading,
    html`<h1>${phrases.heading}</h1>
      <p>${phrases.lead(clientName)}</p>
      ${invitation === undefined ? null : html`<p class="invitation">${phrases.invitation(invitation)}</p>`}
      ${renderOtherFault(phrases, registration)}
      <form method="post" action="/new/${registration.id}">
        ${toFields(phrases).map((field) => renderField(phrases, field, registration))}
        <button class="button primary">${phrases.submit}</button>
      </form>
      <form method="post" action="/new/${registration.id}/cancel"><button class="button">${phrases.cancel}</button></form>`,
  );
}

function toFields(phrases: Phrases): FormField[] {
  return [
    {
      name: 'username',
      label: phrases.username,
      hint: phrases.usernameHint,
      input: html`autocomplete="username" autocapitalize="none" spellcheck="false" required`,
    },
    { name: 'display_name', label: phrases.displayName, hint: null, input: html`autocomplete="name" required` },
    { name: 'email', label: phrases.email, hint: phrases.emailHint, input: html`type="email" autocomplete="email"` },
  ];
}

function renderField(
  phrases: Phrases,
  { name, label, hint, input }: FormField,
  { values, ticket: { refused } }: PendingRegistration,
): Html {
  const fault = refused?.field === name ? (phrases.faults[refused.code] ?? phrases.otherFault) : null;
  const descriptionIds = [fault && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${values[name] ?? ''}"
      ${input}
      ${descriptionIds ? html`aria-describedby="${descriptionIds}"` : null}
      ${fault ? html`aria-invalid="true" autofocus` : null}
    />
    ${fault ? html`<p class="fault" id="${name}-fault">${fault}</p>` : null}
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
  </div>`;
}

/** Renders the fault of a value that has no field in this form. */
function renderOtherFault(phrases: Phrases, { ticket: { refused } }: PendingRegistration): Html | null {
  if (!refused || FIELDS.some((name) => name === refused.field)) return null;
  return html`<p class="fault" role="alert">${phrases.otherFault}</p>`;
}
