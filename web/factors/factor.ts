/** The interface of a kind of second factor for the pages. Its folder has the components; `registry.ts` lists the kinds. */
import type { ComponentType, ReactNode } from 'react';
import type { FactorSetupState, MfaVerificationState } from '../../src/contract/mfa-state.js';
import type { AppState, PageOf } from '../../src/contract/page-state.js';
import type { Answer, CallFailure } from '../browser/calls/call.js';
import type { RpcClient } from '../browser/calls/rpc-client.js';
import type { MessageKey, Phrase } from '../i18n/phrase.js';
import type { Fault, FaultCode } from '../ui/account/fault.js';

export interface BrowserFactor {
  /** Name in the page state. */
  name: string;
  /** The second step of a login. */
  verify: {
    heading: MessageKey;
    /** Link from another factor. */
    use: MessageKey;
    /** Row of the list; absent for a kind that only replaces a lost factor. */
    row?: { title: MessageKey; text: MessageKey };
    View: ComponentType<VerifyProps>;
  };
  Icon: ComponentType;
  /** Absent for a kind that cannot be set up alone. */
  setUp?: SetUpParts;
}

export interface SetUpParts {
  heading: MessageKey;
  /** Heading if it replaces another one; absent if it cannot. */
  replaceHeading?: MessageKey;
  /** Text below the heading. */
  text?: MessageKey;
  replaceText?: MessageKey;
  /** Row of the list at a login without a factor. */
  row: MessageKey;
  /** People use it in place of the password. */
  replacesPassword?: true;
  /** It can be set up without script. */
  worksWithoutScript: boolean;
  View: ComponentType<SetUpProps>;
  overview: {
    /** Heading of its panel, its name, the buttons that add the first one and another one. */
    heading: MessageKey;
    name: MessageKey;
    activate: MessageKey;
    activateAnother?: MessageKey;
    /** What it is, for people who have none. */
    about: MessageKey;
    /** Below the entries. */
    note?: MessageKey;
    /** Results of a change. */
    added: MessageKey;
    removed: MessageKey;
    /** Text in the settings, with the value `count`. */
    summary: MessageKey;
  };
  /** A fresh proof. */
  confirm: {
    text: MessageKey;
    use: MessageKey;
    /** Shows its errors itself, at the field that they are about. */
    View: ComponentType<ConfirmProps>;
  };
}

export interface ViewProps {
  heading: Phrase;
  mfa: MfaVerificationState;
  app: AppState;
}

export interface VerifyProps extends ViewProps {
  /** Links to the other factors; null if there are none. */
  others: ReactNode;
}

/** A set-up in the account area or during a login; the page provides the targets. */
export interface SetUpProps {
  setup: FactorSetupState | undefined;
  error: FaultCode | null;
  retryAfterSeconds: number | undefined;
  /** Target of the forms: to begin and to confirm. */
  action: string;
  hidden: Readonly<Record<string, string>>;
  calls: RpcClient;
  begin: (body?: object) => Promise<Answer<FactorSetupState>>;
  /** @returns null if the page is left */
  confirm: (body: object) => Promise<CallFailure | null>;
  replaces: true | string | undefined;
  /** During a login: the link to the other kinds. */
  other: ReactNode;
  /** In the account area: link to a kind that can be set up without script; null if there is none. */
  instead: ReactNode;
}

export interface ConfirmProps {
  state: PageOf<'manage_confirm'>;
  fault: Fault | null;
  /** Links to the other ways, and the one that cancels. */
  others: ReactNode;
}
