/** What the pictures of the console show: for each page and dialog, what the server knows and what the operator does. */
import type { Page } from 'playwright-core';
import { IDS } from '../../console/fixtures/accounts.js';
import { APPROVAL_IDS } from '../../console/fixtures/approvals.js';
import { buildJob } from '../../console/fixtures/jobs.js';
import { World } from '../../console/fixtures/world.js';
import type { ConsolePreview } from './console-preview.js';

export interface Scene {
  name: string;
  /** Below `/console`. */
  path: string;
  /** Changes what the server knows. */
  prepare?(world: World): void;
  /** What the operator does; it must not depend on the language. */
  act?(page: Page): Promise<void>;
}

const openAction =
  (action: string) =>
  async (page: Page): Promise<void> => {
    const menu = page.locator('details.actions-fold:not([open]) > summary');
    if (await menu.isVisible()) await menu.click();
    await page.locator(`[data-action="${action}"]`).first().click();
    await page.locator('dialog[open]').waitFor();
  };

/** On a phone the filters are folded. */
const openFilters = async (page: Page): Promise<void> => {
  const toggle = page.locator('.filter-toggle[aria-expanded="false"]');
  if (await toggle.isVisible()) await toggle.click();
};

const person = `/people/${IDS.maria}`;

/** Types a reason and sends the form, with the session in the state of the scene. */
const send = async (page: Page): Promise<void> => {
  await page.locator('dialog[open] textarea[name=reason]').fill('On the phone, identity checked by badge number');
  await page.locator('dialog[open] [type=submit]').click();
};

const withSecondOperator = (world: World): void => void (world.hasSecondOperator = true);
const withSignUpApproval = (world: World): void => void (world.hasSignUpApproval = true);
const withSupportCheck = (world: World): void => void (world.hasSupportCheck = true);

export const SCENES: readonly Scene[] = [
  { name: 'sign-in', path: '/people', prepare: (world) => (world.isSignedIn = false) },
  { name: 'refused-not-operator', path: '/refused?reason=not_operator&request=4f6c1c58-0d7e-4c0e-9d60-0a5b7a0d9a01' },
  { name: 'signed-out', path: '/signed-out' },
  { name: 'proven', path: '/proven' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'menu', path: '/people', act: (page) => page.locator('.menu-button').click() },
  { name: 'today', path: '/today' },
  {
    name: 'search-suggestions',
    path: '/today',
    prepare: withSecondOperator,
    act: async (page) => {
      await page.locator('#search').pressSequentially('mar');
      await page.locator('[role=option]').first().waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  { name: 'today-nothing', path: '/today', prepare: (world) => (world.installation.todayRows = []) },
  { name: 'people', path: '/people' },
  { name: 'people-found', path: '/people?search=mar' },
  { name: 'people-none', path: '/people?search=%25%27&status=disabled' },
  { name: 'people-error', path: '/people', prepare: (world) => world.fail(503, 'unavailable') },
  { name: 'people-too-long', path: `/people?search=${'x'.repeat(400)}` },
  { name: 'person', path: person },
  { name: 'person-hostile', path: `/people/${IDS.hostile}` },
  { name: 'person-frozen', path: `/people/${IDS.frozen}` },
  { name: 'person-leaving', path: `/people/${IDS.leaving}` },
  { name: 'person-disabled-source', path: `/people/${IDS.withSource}` },
  { name: 'person-locked', path: `/people/${IDS.locked}` },
  { name: 'person-invited', path: `/people/${IDS.invited}` },
  { name: 'person-own', path: `/people/${IDS.admin}` },
  { name: 'person-own-support', path: `/people/${IDS.admin}`, prepare: (world) => (world.rights = ['support']) },
  { name: 'person-operator', path: `/people/${IDS.operator}`, prepare: (world) => (world.rights = ['support']) },
  { name: 'person-support', path: person, prepare: (world) => (world.rights = ['support']) },
  { name: 'person-read', path: person, prepare: (world) => (world.rights = ['read']) },
  {
    name: 'person-terms-text',
    path: person,
    act: async (page) => {
      await openAction('terms_text')(page);
      await page.locator('.terms-text').waitFor();
    },
  },
  { name: 'person-nobody', path: '/people/0b0e1c5a-0000-4a52-9d1f-3f0e5a8f1d11' },
  { name: 'dialog-create', path: '/people', act: openAction('create') },
  {
    name: 'dialog-link',
    path: person,
    act: async (page) => {
      await openAction('link')(page);
      await page.locator('[name=source] option').nth(1).waitFor({ state: 'attached' });
    },
  },
  { name: 'dialog-unlink', path: `/people/${IDS.withSource}`, act: openAction('unlink') },
  { name: 'dialog-disable', path: person, act: openAction('disable') },
  {
    name: 'dialog-disable-command',
    path: `/people/${IDS.hostile}`,
    act: async (page) => {
      await openAction('disable')(page);
      await page.locator('dialog[open] textarea[name=reason]').fill("She said: 'stop it' \u202E now");
      await page.locator('dialog[open] summary').click();
    },
  },
  {
    name: 'dialog-missing',
    path: person,
    act: async (page) => {
      await openAction('delete')(page);
      await page.locator('dialog[open] [type=submit]').click();
    },
  },
  {
    name: 'dialog-failed',
    path: `/people/${IDS.invited}`,
    prepare: (world) => world.fail(409, 'has_password', 'resets.invite'),
    act: async (page) => {
      await openAction('invite')(page);
      await send(page);
      await page.locator('dialog[open] .alert').waitFor();
    },
  },
  { name: 'dialog-change', path: person, act: openAction('change') },
  { name: 'dialog-schedule', path: person, act: openAction('schedule_deletion') },
  { name: 'dialog-session', path: person, act: openAction('end_session') },
  {
    name: 'dialog-secret',
    path: person,
    act: async (page) => {
      await openAction('factor_reset')(page);
      await send(page);
      await page.locator('.secret').waitFor();
    },
  },
  {
    name: 'notice',
    path: person,
    act: async (page) => {
      await openAction('end_sessions')(page);
      await send(page);
      await page.locator('.notice-region .alert').waitFor();
    },
  },
  {
    name: 'proof-fresh',
    path: person,
    prepare: (world) => (world.isFresh = false),
    act: async (page) => {
      await openAction('factor_reset')(page);
      await send(page);
      await page.locator('dialog[open] >> nth=1').waitFor();
    },
  },
  {
    name: 'proof-signed-out',
    path: '/activity',
    act: async (page) => {
      await page.route('**/operator/v1/**', (route) =>
        route.fulfill({ status: 401, json: { error: 'signed_out', message: '' } }),
      );
      await openFilters(page);
      await page.locator('.filters select').first().selectOption('password');
      await page.locator('dialog[open]').waitFor();
    },
  },
  { name: 'activity', path: '/activity' },
  {
    name: 'activity-details',
    path: `/activity?actor=operator&account=${IDS.maria}`,
    act: (page) => page.locator('.event-raw > summary').first().click(),
  },
  { name: 'activity-filters', path: '/activity?client=portal', act: openFilters },
  {
    name: 'activity-typed-operator',
    path: '/activity',
    act: async (page) => {
      await openFilters(page);
      await page.locator('.filters select').nth(1).selectOption('typed');
    },
  },
  { name: 'people-filters', path: '/people?source=staff&signed_in_before=2027-01-01', act: (page) => openFilters(page) },
  {
    name: 'people-save-filter',
    path: '/people?status=disabled',
    prepare: (world) =>
      world.filters.push({
        id: 'a',
        page: 'people',
        name: 'IT \u202E',
        filter: { group: 'IT' },
        saved_at: '2026-11-02T09:30:00.000Z',
      }),
    act: async (page) => {
      await openFilters(page);
      await page.locator('[data-action=save_filter]').click();
    },
  },
  {
    name: 'people-start-job',
    path: '/people?group=Einkauf',
    act: async (page) => {
      await page.locator('[data-action=start_job]').click();
      await page.locator('dialog[open] select').selectOption('disable');
      await page.locator('.job-count b').waitFor();
    },
  },
  {
    name: 'people-start-job-everybody',
    path: '/people',
    act: async (page) => {
      await page.locator('[data-action=start_job]').click();
      await page.locator('dialog[open] select').selectOption('disable');
      await page.locator('.job-count b').waitFor();
    },
  },
  { name: 'jobs', path: '/people/jobs' },
  { name: 'jobs-none', path: '/people/jobs', prepare: (world) => (world.jobs = []) },
  { name: 'job', path: '/people/jobs/2' },
  {
    name: 'job-running',
    path: '/people/jobs/3',
    prepare: (world) => world.jobs.unshift(buildJob('3', { done: 9, left: 22 })),
  },
  { name: 'job-gone', path: '/people/jobs/77' },
  { name: 'people-apps', path: '/people?search=m' },
  { name: 'activity-none', path: '/activity?kind=secrets.rotated' },
  { name: 'activity-auditor', path: '/activity', prepare: (world) => (world.rights = ['auditor']) },
  {
    name: 'activity-download',
    path: '/activity',
    act: async (page) => {
      await page.locator('.page-head .button').click();
      await page.locator('dialog[open]').waitFor();
    },
  },
  { name: 'sign-ups', path: '/sign-ups', prepare: withSignUpApproval },
  {
    name: 'sign-ups-many-pages',
    path: '/sign-ups',
    prepare: (world) => {
      withSignUpApproval(world);
      withSecondOperator(world);
    },
  },
  {
    name: 'installation-many-pages',
    path: '/installation/operators',
    prepare: (world) => {
      withSignUpApproval(world);
      withSecondOperator(world);
    },
  },
  { name: 'sign-ups-none', path: '/sign-ups', prepare: (world) => void (world.signUps.signUps = []) },
  { name: 'sign-ups-approve', path: '/sign-ups', act: (page) => page.locator('[data-action=sign_up_approve]').first().click() },
  { name: 'sign-ups-refuse', path: '/sign-ups', act: (page) => page.locator('[data-action=sign_up_refuse]').first().click() },
  { name: 'approvals', path: '/approvals', prepare: withSecondOperator },
  { name: 'approval', path: `/approvals/${APPROVAL_IDS.otherOperator}`, prepare: withSecondOperator },
  { name: 'approval-own', path: `/approvals/${APPROVAL_IDS.own}`, prepare: withSecondOperator },
  { name: 'approval-of-token', path: `/approvals/${APPROVAL_IDS.token}`, prepare: withSecondOperator },
  { name: 'approval-decided', path: `/approvals/${APPROVAL_IDS.exported}`, prepare: withSecondOperator },
  { name: 'approval-stopped', path: `/approvals/${APPROVAL_IDS.stopped}`, prepare: withSecondOperator },
  {
    name: 'approval-approve',
    path: `/approvals/${APPROVAL_IDS.otherOperator}`,
    prepare: withSecondOperator,
    act: openAction('approve'),
  },
  { name: 'approval-ask', path: person, prepare: withSecondOperator, act: openAction('factor_reset') },
  {
    name: 'approval-held',
    path: person,
    prepare: withSecondOperator,
    act: async (page) => {
      await openAction('factor_reset')(page);
      await send(page);
      await page.locator('.notice-region .alert').waitFor();
    },
  },
  {
    name: 'check-missing',
    path: person,
    prepare: withSupportCheck,
    act: openAction('factor_reset'),
  },
  { name: 'check-missing-link', path: person, prepare: withSupportCheck, act: openAction('reset_link') },
  {
    name: 'check-no-right',
    path: person,
    prepare: (world) => {
      withSupportCheck(world);
      world.rights = ['support'];
    },
    act: openAction('support_check'),
  },
  { name: 'check-begin', path: person, prepare: withSupportCheck, act: openAction('support_check') },
  {
    name: 'check-words',
    path: person,
    prepare: withSupportCheck,
    act: async (page) => {
      await openAction('support_check')(page);
      await send(page);
      await page.locator('[name=words]').fill('lantern river');
      await page.locator('dialog [type=submit]').click();
      await page.locator('.field-error').waitFor();
    },
  },
  {
    name: 'approval-unchecked',
    path: person,
    prepare: withSupportCheck,
    act: async (page) => {
      await openAction('factor_reset')(page);
      await send(page);
      await page.locator('.notice-region a').click();
      await page.locator('.fact-list').waitFor();
    },
  },
  { name: 'apps', path: '/apps' },
  { name: 'apps-found', path: '/apps', act: (page) => page.locator('main input[type=search]').fill('m') },
  { name: 'apps-error', path: '/apps', prepare: (world) => world.fail(503, 'unavailable', 'clients.list') },
  { name: 'app', path: '/apps/shop' },
  {
    name: 'app-claims',
    path: '/apps/shop',
    act: (page) => page.locator('details.command summary').last().click(),
  },
  { name: 'app-trusted-read', path: '/apps/portal', prepare: (world) => (world.rights = ['read']) },
  { name: 'app-hostile', path: `/apps/${encodeURIComponent('https://apps.example.org/?id=<b>1</b>&x=%2F#y')}` },
  { name: 'app-own', path: '/apps/foyer-console' },
  { name: 'app-nobody', path: '/apps/nobody' },
  { name: 'dialog-app-create', path: '/apps', act: (page) => page.locator('[data-action=create-app]').click() },
  { name: 'dialog-app-change', path: '/apps/shop', act: (page) => page.locator('[data-action=change-app]').click() },
  { name: 'dialog-app-remove', path: '/apps/shop', act: (page) => page.locator('[data-action=remove-access]').first().click() },
  {
    name: 'dialog-app-secret',
    path: '/apps/shop',
    act: async (page) => {
      await page.locator('[data-action=rotate-secret]').click();
      await send(page);
      await page.locator('.secret').first().waitFor();
    },
  },
  {
    name: 'dialog-app-delete',
    path: '/apps/shop',
    act: async (page) => {
      await page.locator('[data-action=delete-app]').click();
      await page.locator('dialog[open] [type=submit]').click();
    },
  },
  {
    name: 'dialog-app-create-all',
    path: '/apps',
    act: async (page) => {
      await page.locator('[data-action=create-app]').click();
      await page.locator('dialog[open] summary').first().click();
    },
  },
  { name: 'operators', path: '/installation/operators' },
  {
    name: 'installation-parts',
    path: '/installation/health',
    act: async (page) => {
      const toggle = page.locator('.parts > .filter-toggle');
      if (await toggle.isVisible()) await toggle.click();
    },
  },
  {
    name: 'operators-grant',
    path: '/installation/operators',
    act: async (page) => {
      await page.locator('[data-action=grant]').click();
      await page.locator('dialog[open] input[type=search]').fill('anna');
      await page.locator('dialog[open] .option').nth(2).click();
    },
  },
  {
    name: 'operators-revoke',
    path: '/installation/operators',
    act: (page) => page.locator('[data-action=revoke]').nth(1).click(),
  },
  { name: 'operator-sessions', path: '/installation/sessions' },
  { name: 'sources', path: '/installation/sources' },
  { name: 'sources-scim-offer', path: '/installation/sources', act: (page) => page.locator('[data-action=scim_offer]').click() },
  { name: 'person-pushed', path: `/people/${IDS.pushed}` },
  { name: 'doctor', path: '/installation/doctor' },
  {
    name: 'doctor-found',
    path: '/installation/doctor',
    act: async (page) => {
      await page.locator('.page-head .button').click();
      await page.locator('.finding').first().waitFor();
    },
  },
  { name: 'settings', path: '/installation/settings' },
  {
    name: 'settings-filtered',
    path: '/installation/settings',
    act: (page) => page.locator('main input[type=search]').fill('a'),
  },
  { name: 'invitations', path: '/people/invitations' },
  {
    name: 'invitations-invite',
    path: '/people/invitations',
    act: (page) => page.locator('[data-action=invite]').click(),
  },
  {
    name: 'invitations-invite-refused',
    path: '/people/invitations',
    prepare: (world) => {
      const answer = { status: 422, body: { error: 'unknown_client', field: 'client', message: 'Hydra has no such client.' } };
      world.failure = { operation: 'invitations.create', answer };
    },
    act: async (page) => {
      await page.locator('[data-action=invite]').click();
      await page.locator('[name=email]').fill('nora@example.org');
      await page.locator('[name=client]').fill('Beispielportal');
      await page.locator('[name=reason]').fill('New colleague');
      await page.locator('[name=reason]').press('Enter');
      await page.locator('.dialog-fault').waitFor();
    },
  },
  {
    name: 'invitations-file',
    path: '/people/invitations',
    act: (page) => page.locator('[data-action=invite_file]').click(),
  },
  {
    name: 'invitations-withdraw',
    path: '/people/invitations',
    act: (page) => page.locator('[data-action=withdraw]').first().click(),
  },
  { name: 'invitations-none', path: '/people/invitations', prepare: (world) => (world.invitations.invitations = []) },
  { name: 'mails', path: '/installation/mails' },
  {
    name: 'mails-retry-all',
    path: '/installation/mails?cause=server-unreachable',
    act: (page) => page.locator('[data-action=retry_all]').first().click(),
  },
  { name: 'mails-none', path: '/installation/mails', prepare: (world) => (world.installation.mails = []) },
  { name: 'events', path: '/installation/events' },
  { name: 'events-of-sink', path: '/installation/events?sink=crm' },
  { name: 'events-none', path: '/installation/events', prepare: (world) => (world.installation.sinks.sinks = []) },
  {
    name: 'events-replay',
    path: '/installation/events',
    act: (page) => page.locator('[data-action=replay]').first().click(),
  },
  { name: 'health', path: '/installation/health' },
  {
    name: 'health-fault',
    path: '/installation/health',
    prepare: (world) => (world.health = { ...world.health, upstream: 'unavailable' }),
  },
];

/** Opens the page of a scene, and does what the operator does there. */
export async function openScene(page: Page, preview: ConsolePreview, { path, prepare, act }: Scene): Promise<void> {
  preview.world = new World();
  prepare?.(preview.world);
  await page.goto(`${preview.origin}/console${path}`);
  await settle(page);
  await act?.(page);
  // Below a dialog a call may wait.
  if (!(await hasDialog(page))) await settle(page);
}

export async function hasDialog(page: Page): Promise<boolean> {
  return (await page.locator('dialog[open], :popover-open').count()) > 0;
}

/** Waits until the page shows what it has loaded. */
export async function settle(page: Page): Promise<void> {
  await page.locator('body:not(:has(.loading, table[aria-busy=true])) h1').waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}
