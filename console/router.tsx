/** The addresses of the console, with the filters and cursors that the pages read from them, so that Back and links work. */
import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { ActivityPage } from './activity/activity-page.js';
import { readActivityFilters } from './activity/activity-filters.js';
import { ApprovalPage } from './approvals/approval-page.js';
import { ApprovalsPage } from './approvals/approvals-page.js';
import { SignUpsPage } from './sign-ups/sign-ups-page.js';
import { AppPage } from './apps/app-page.js';
import { AppsPage } from './apps/apps-page.js';
import { HealthPage } from './installation/health-page.js';
import { readMailFilters } from './installation/mail-filters.js';
import { MailsPage } from './installation/mails-page.js';
import { DoctorPage } from './installation/doctor-page.js';
import { EventsPage } from './installation/events-page.js';
import { readSinkFilters } from './installation/sink-filters.js';
import { SettingsPage } from './installation/settings-page.js';
import { SourcesPage } from './installation/sources-page.js';
import { OperatorSessionsPage } from './installation/operator-sessions-page.js';
import { OperatorsPage } from './installation/operators-page.js';
import { InstallationPage, InstallationStart } from './installation/installation-page.js';
import { JobPage } from './jobs/job-page.js';
import { JobsPage } from './jobs/jobs-page.js';
import { readInvitationFilters } from './people/invitation-filters.js';
import { InvitationsPage } from './people/invitations-page.js';
import { readPeopleFilters } from './people/people-filters.js';
import { PeoplePage } from './people/people-page.js';
import { PersonPage } from './people/person-page.js';
import { ProvenPage } from './session/proven-page.js';
import { readRefusal } from './session/refusal.js';
import { RefusedPage } from './session/refused-page.js';
import { SessionGate } from './session/session-gate.js';
import { PATHS } from './session/session.js';
import { SignedOutPage } from './session/signed-out-page.js';
import { CrashPage, NotFoundPage } from './shell/error-pages.js';
import { TodayPage } from './today/today-page.js';
import { StartPage } from './shell/start-page.js';

/** For lists with an opaque cursor. */
const readCursor = ({ cursor }: Record<string, unknown>): { cursor?: string } =>
  typeof cursor === 'string' && /^[\w-]{1,1024}$/.test(cursor) ? { cursor } : {};

const readNumberCursor = ({ cursor }: Record<string, unknown>): { cursor?: string } =>
  typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? { cursor } : {};

const root = createRootRoute({ notFoundComponent: NotFoundPage });

/** The pages that need a session. */
const gate = createRoute({ getParentRoute: () => root, id: 'gate', component: SessionGate });

const start = createRoute({ getParentRoute: () => gate, path: '/', component: StartPage });

const today = createRoute({ getParentRoute: () => gate, path: '/today', component: TodayPage });

const people = createRoute({
  getParentRoute: () => gate,
  path: '/people',
  validateSearch: readPeopleFilters,
  component: PeoplePage,
});

const jobs = createRoute({
  getParentRoute: () => gate,
  path: '/people/jobs',
  validateSearch: readNumberCursor,
  component: JobsPage,
});

/** The address that an operator might type to find the jobs. */
const typedJobs = createRoute({
  getParentRoute: () => gate,
  path: '/jobs',
  component: () => <Navigate to="/people/jobs" replace />,
});

const invitations = createRoute({
  getParentRoute: () => gate,
  path: '/people/invitations',
  validateSearch: readInvitationFilters,
  component: InvitationsPage,
});

const job = createRoute({
  getParentRoute: () => gate,
  path: '/people/jobs/$job',
  validateSearch: readNumberCursor,
  component: JobPage,
});

const person = createRoute({ getParentRoute: () => gate, path: '/people/$id', component: PersonPage });

/** Hydra defines the cursor of the list of apps. */
const apps = createRoute({
  getParentRoute: () => gate,
  path: '/apps',
  validateSearch: ({ cursor }: Record<string, unknown>): { cursor?: string } =>
    typeof cursor === 'string' && /^[\x21-\x7e]{1,2000}$/.test(cursor) ? { cursor } : {},
  component: AppsPage,
});

const app = createRoute({ getParentRoute: () => gate, path: '/apps/$client', component: AppPage });

const activity = createRoute({
  getParentRoute: () => gate,
  path: '/activity',
  validateSearch: readActivityFilters,
  component: ActivityPage,
});

const approvals = createRoute({
  getParentRoute: () => gate,
  path: '/approvals',
  validateSearch: readCursor,
  component: ApprovalsPage,
});

const approval = createRoute({ getParentRoute: () => gate, path: '/approvals/$id', component: ApprovalPage });

const signUps = createRoute({
  getParentRoute: () => gate,
  path: '/sign-ups',
  validateSearch: readCursor,
  component: SignUpsPage,
});

const installation = createRoute({ getParentRoute: () => gate, path: '/installation', component: InstallationPage });

const installationStart = createRoute({ getParentRoute: () => installation, path: '/', component: InstallationStart });

const operators = createRoute({
  getParentRoute: () => installation,
  path: '/operators',
  validateSearch: readCursor,
  component: OperatorsPage,
});

const operatorSessions = createRoute({ getParentRoute: () => installation, path: '/sessions', component: OperatorSessionsPage });

const health = createRoute({ getParentRoute: () => installation, path: '/health', component: HealthPage });

const mails = createRoute({
  getParentRoute: () => installation,
  path: '/mails',
  validateSearch: readMailFilters,
  component: MailsPage,
});

const events = createRoute({
  getParentRoute: () => installation,
  path: '/events',
  validateSearch: readSinkFilters,
  component: EventsPage,
});

const sources = createRoute({ getParentRoute: () => installation, path: '/sources', component: SourcesPage });

const doctor = createRoute({ getParentRoute: () => installation, path: '/doctor', component: DoctorPage });

const settings = createRoute({ getParentRoute: () => installation, path: '/settings', component: SettingsPage });

const provenRoute = createRoute({ getParentRoute: () => root, path: '/proven', component: ProvenPage });

const refusedRoute = createRoute({
  getParentRoute: () => root,
  path: '/refused',
  validateSearch: readRefusal,
  component: RefusedPage,
});

const signedOutRoute = createRoute({ getParentRoute: () => root, path: '/signed-out', component: SignedOutPage });

const routeTree = root.addChildren([
  gate.addChildren([
    start,
    today,
    people,
    person,
    apps,
    app,
    jobs,
    invitations,
    typedJobs,
    job,
    activity,
    approvals,
    approval,
    signUps,
    installation.addChildren([installationStart, operators, operatorSessions, health, mails, events, sources, doctor, settings]),
  ]),
  provenRoute,
  refusedRoute,
  signedOutRoute,
]);

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: PATHS.base,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
    // Values are plain texts: by default `search=123` would be read as a number, and a text of digits written with quotes.
    parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
    stringifySearch: (search) => {
      const parameters = Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
      return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
