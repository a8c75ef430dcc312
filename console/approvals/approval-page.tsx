/** One operation that waits or has waited for a second operator: its effects, who asked for it and why, and the decision. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountDetail, Approval } from '../api/calls.js';
import { nameActor } from '../activity/actor-name.js';
import { accountQuery, approvalQuery } from '../api/queries.js';
import { useRetry } from '../api/query-client.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { PersonLink } from '../installation/person-link.js';
import { useAllowed, useSession } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { BackIcon } from '../ui/icons.js';
import { Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Panel } from '../ui/panel.js';
import { Phrase } from '../ui/phrase.js';
import { Effects } from '../ui/reason-dialog.js';
import { RightName } from '../ui/right-name.js';
import { SecretDialog, type Secret } from '../ui/secret-dialog.js';
import { UserText } from '../ui/user-text.js';
import { ApprovalDialog } from './approval-dialog.js';
import { StateTag, useOperationName } from './approval-parts.js';
import { listEffects, listMembers, nameFactor, type ChangedMember, type Decision } from './approval-words.js';

const route = getRouteApi('/gate/approvals/$id');

export function ApprovalPage() {
  const isAllowed = useAllowed();
  return isAllowed('approvals.show') ? <LoadedApproval /> : <NotAllowedPage />;
}

function LoadedApproval() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const { data: approval, error } = useQuery(approvalQuery(id));
  const accountId = approval?.account_id ?? '';
  const account = useQuery({ ...accountQuery(accountId), enabled: accountId !== '' });
  const isComplete = approval?.account_id === null || account.data !== undefined;
  const fault = error ?? account.error;
  const retry = useRetry();
  return (
    <div className="page">
      <Link to="/approvals" className="back">
        <BackIcon /> {t('nav.approvals')}
      </Link>
      {!(approval && isComplete) && <PageHeading title={t('nav.approvals')} />}
      {fault !== null && <FaultAlert error={fault} onRetry={retry} />}
      {fault === null && !(approval && isComplete) && <Loading />}
      {approval && isComplete && <Content approval={approval} account={account.data ?? null} />}
    </div>
  );
}

/** The sentence before the effects of an operation that no longer waits. */
const EFFECT_TITLES: Readonly<Partial<Record<Approval['state'], PhraseKey>>> = {
  approved: 'approvals.effects_approved',
  rejected: 'approvals.effects_ended',
  withdrawn: 'approvals.effects_ended',
  stopped: 'approvals.effects_ended',
  expired: 'approvals.effects_ended',
};

interface ContentProps {
  approval: Approval;
  account: AccountDetail | null;
}

function Content({ approval, account }: ContentProps) {
  const { t } = useTranslation();
  const nameOperation = useOperationName();
  const { right, factor } = approval.body;
  const [decision, setDecision] = useState<Decision | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const values = {
    name: <Bold text={approval.display_name ?? ''} />,
    target: <Bold text={nameFactor(typeof factor === 'string' ? factor : '', account)} />,
    right: <RightName right={typeof right === 'string' ? right : ''} />,
  };
  const effects = listEffects(approval, account).map((effect) => <Phrase key={effect} phrase={effect} values={values} />);
  return (
    <>
      <div className="page-head">
        <PageHeading title={nameOperation(approval.operation)} />
        <StateTag state={approval.state} />
      </div>
      <Panel title={t('approvals.what')}>
        <div className="panel-body stack">
          {effects.length > 0 && <Effects effects={effects} title={EFFECT_TITLES[approval.state]} />}
          <Facts approval={approval} account={account} />
        </div>
      </Panel>
      {approval.state === 'open' && <Decisions approval={approval} onDecide={setDecision} />}
      {decision && (
        <ApprovalDialog
          approval={approval}
          decision={decision}
          effects={effects}
          onClose={() => setDecision(null)}
          onSecret={setSecret}
        />
      )}
      {secret && (
        <SecretDialog
          title={t('approvals.approve_done')}
          secret={secret}
          hint={<Phrase phrase="approvals.link_hint" values={{ asker: <Bold text={nameActor(approval.asked_by, t)} /> }} />}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

const Bold = ({ text }: { text: string }) => (
  <b>
    <UserText text={text} />
  </b>
);

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Facts({ approval, account }: ContentProps) {
  const { t } = useTranslation();
  const { asked_by: asker, asked_at: askedAt, supported_by: supporter, decided_by: decider } = approval;
  return (
    <dl className="fact-list">
      {account && (
        <Row label={t('operators.person')}>
          <PersonLink id={account.id} name={account.display_name} /> <UserText text={account.username} />
        </Row>
      )}
      {account && !('email' in approval.body) && (
        <Row label={t('people.address')}>
          <UserText text={account.email ?? '–'} />
        </Row>
      )}
      {listMembers(approval, account).map((member) => (
        <MemberRow key={member.name} member={member} />
      ))}
      <Row label={t('dialog.reason')}>
        <UserText text={approval.reason} />
      </Row>
      <Row label={t('approvals.asked_by')}>
        <UserText text={nameActor(asker, t)} />, <Moment at={askedAt} />
      </Row>
      <CheckRow approval={approval} />
      {approval.stopped_before !== null && (
        <Row label={t('approvals.stopped')}>
          <Phrase
            phrase={approval.state === 'open' ? 'approvals.stopped_before_text' : 'approvals.stopped_before'}
            values={{ time: <Moment at={approval.stopped_before} /> }}
          />
        </Row>
      )}
      {supporter !== null && (
        <Row label={t('approvals.supported_by')}>
          <UserText text={nameActor(supporter, t)} />
        </Row>
      )}
      {decider !== null && <DecisionRow approval={approval} decider={decider} />}
      {approval.state === 'open' && (
        <Row label={t('approvals.expires')}>
          <Moment at={approval.expires_at} isFirst />
        </Row>
      )}
    </dl>
  );
}

function CheckRow({ approval: { checked, not_before: notBefore, state, announced } }: { approval: Approval }) {
  const { t } = useTranslation();
  if (!checked && notBefore === null) return null;
  const waitPhrase = announced === false ? 'approvals.unchecked_untold' : 'approvals.unchecked';
  return (
    <Row label={t('approvals.who_calls')}>
      {notBefore === null && t('approvals.checked')}
      {notBefore !== null && state === 'open' && <Phrase phrase={waitPhrase} values={{ time: <Moment at={notBefore} /> }} />}
      {notBefore !== null && state !== 'open' && t('approvals.not_checked')}
    </Row>
  );
}

function MemberRow({ member: { name, label, before, after } }: { member: ChangedMember }) {
  const { t } = useTranslation();
  return (
    <Row label={label === undefined ? <code>{name}</code> : t(label)}>
      {before !== undefined && (
        <>
          <UserText text={before} /> <span aria-hidden="true">→</span>{' '}
          <span className="only-heard">{t('approvals.becomes')}</span>{' '}
        </>
      )}
      <Bold text={typeof after === 'boolean' ? t(after ? 'approvals.yes' : 'approvals.no') : after} />
    </Row>
  );
}

function DecisionRow({ approval, decider }: { approval: Approval; decider: string }) {
  const { t } = useTranslation();
  const { decided_at: decidedAt } = approval;
  const isStopped = approval.state === 'stopped';
  return (
    <Row label={t(isStopped ? 'approvals.stopped' : 'approvals.decided_by')}>
      {!isStopped && <UserText text={nameActor(decider, t)} />}
      {!isStopped && decidedAt !== null && ', '}
      {decidedAt !== null && <Moment at={decidedAt} isFirst={isStopped} />}
      {approval.decision_reason !== null && (
        <p className="event-reason">
          <UserText text={approval.decision_reason} />
        </p>
      )}
    </Row>
  );
}

/** @returns why this operator can never approve the operation; undefined if nothing about the operator excludes it */
function findExclusion(
  { asked_by_account: asker, supported_by_account: supporter, account_id: id }: Approval,
  operatorId: string,
) {
  if (asker === operatorId) return 'approvals.not_you_asked';
  if (supporter === operatorId) return 'approvals.not_you_again';
  return id === operatorId ? 'approvals.not_you_own' : undefined;
}

/** @returns why this operator cannot approve the operation now, or what else the operation needs; undefined if neither applies */
function findHint(
  { missing }: Approval,
  { exclusion, isEarly }: { exclusion: PhraseKey | undefined; isEarly: boolean },
): PhraseKey | undefined {
  if (exclusion !== undefined) return exclusion;
  if (isEarly) return 'approvals.too_early';
  return missing > 1 ? 'approvals.two_needed' : undefined;
}

/** Whether the operation cannot be approved yet. The page is rendered again when the time comes. */
function useIsEarly(notBefore: string | null): boolean {
  const [now, setNow] = useState(() => Date.now());
  const waitMs = notBefore === null ? 0 : Math.max(0, Date.parse(notBefore) - now);
  useEffect(() => {
    if (waitMs === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return waitMs > 0;
}

/** The buttons of the decisions. The server decides; the page only hides what the server would refuse. */
function Decisions({ approval, onDecide }: { approval: Approval; onDecide(decision: Decision): void }) {
  const { t } = useTranslation();
  const { operator } = useSession();
  const operatorId = operator.account_id;
  const isAsker = approval.asked_by_account === operatorId;
  const exclusion = findExclusion(approval, operatorId);
  const isEarly = useIsEarly(approval.not_before);
  const hint = findHint(approval, { exclusion, isEarly });
  return (
    <>
      {hint !== undefined && <p className="hint">{t(hint)}</p>}
      <div className="row wrap">
        {exclusion === undefined && !isEarly && (
          <button type="button" className="button primary" data-action="approve" onClick={() => onDecide('approve')}>
            {t('approvals.approve')}
          </button>
        )}
        {isAsker ? (
          <button type="button" className="button" data-action="withdraw" onClick={() => onDecide('withdraw')}>
            {t('approvals.withdraw')}
          </button>
        ) : (
          <button type="button" className="button" data-action="reject" onClick={() => onDecide('reject')}>
            {t('approvals.reject')}
          </button>
        )}
      </div>
    </>
  );
}
