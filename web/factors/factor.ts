/** Describes a kind of second factor to the pages. Its folder has the components; `registry.ts` lists the kinds. */
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
  /** The second step of a sign-in. */
  verify: {
    heading: MessageKey;
    /** Text of the link to this factor from another factor. */
    use: MessageKey;
    /** Row in the list of factors; absent for a kind that only replaces a lost factor. */
    row?: { title: MessageKey; text: MessageKey };
    View: ComponentType<VerifyProps>;
  };
  Icon: ComponentType;
  /** Absent for a kind that cannot be set up alone. */
  setUp?: SetUpParts;
}

export interface SetUpParts {
  heading: MessageKey;
  /** Heading of a set-up that replaces an existing factor; absent if this kind cannot replace one. */
  replaceHeading?: MessageKey;
  /** Text below the heading. */
  text?: MessageKey;
  replaceText?: MessageKey;
  /** Text of the row in the list that a person without a factor sees during a sign-in. */
  row: MessageKey;
  /** The factor replaces the password. */
  replacesPassword?: true;
  /** The factor can be set up without script. */
  worksWithoutScript: boolean;
  View: ComponentType<SetUpProps>;
  overview: {
    /** The heading of the panel, the name of the factor, and the buttons that add the first factor and another one. */
    heading: MessageKey;
    name: MessageKey;
    activate: MessageKey;
    activateAnother?: MessageKey;
    /** Explains the factor to people who have none. */
    description: MessageKey;
    /** Shown below the entries. */
    note?: MessageKey;
    addedMessage: MessageKey;
    removedMessage: MessageKey;
    /** Text in the settings; `count` is passed to it as a value. */
    summary: MessageKey;
  };
  /** The page of a fresh proof. */
  confirm: {
    text: MessageKey;
    use: MessageKey;
    /** Shows the errors of the proof; an error about a field is shown directly above that field. */
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
  otherLinks: ReactNode;
}

/** A set-up in the account area or during a sign-in. The page passes the targets of forms and calls. */
export interface SetUpProps {
  setup: FactorSetupState | undefined;
  error: FaultCode | null;
  retryAfterSeconds: number | undefined;
  /** Target of the forms that begin and confirm the set-up. */
  action: string;
  hidden: Readonly<Record<string, string>>;
  calls: RpcClient;
  begin: (body?: object) => Promise<Answer<FactorSetupState>>;
  /** @returns null if another page or view opens */
  confirm: (body: object) => Promise<CallFailure | null>;
  replaces: true | string | undefined;
  /** During a sign-in: the link to the other kinds. */
  otherLink: ReactNode;
  /** In the account area: link to a kind that can be set up without script; null if there is none. */
  linkWithoutScript: ReactNode;
}

export interface ConfirmProps {
  state: PageOf<'manage_confirm'>;
  fault: Fault | null;
  /** Links to the other methods, and the link that cancels. */
  otherLinks: ReactNode;
}
