/** The rights of a person in the console, for operators who may see them. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountDetail } from '../api/calls.js';
import { operatorQuery } from '../api/queries.js';
import { OperatorRights } from '../installation/operator-rights.js';
import { GrantDialog, RevokeDialog } from '../installation/rights-dialogs.js';
import { useAllowed } from '../session/session-context.js';
import { Empty } from '../ui/load-state.js';
import { Panel } from '../ui/panel.js';
import { RowButton } from '../ui/row-button.js';
import { QueryState } from './person-panels.js';

export function OperatorPanel({ account }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const query = useQuery({ ...operatorQuery(account.id), enabled: isAllowed('operators.show') });
  const [isGranting, setIsGranting] = useState(false);
  const [rightToRevoke, setRightToRevoke] = useState<string | null>(null);
  if (!isAllowed('operators.show')) return null;
  const operator = query.data;
  const canGrant = isAllowed('operators.grant') && account.status === 'active';
  return (
    <Panel
      title={t('operators.rights')}
      actions={canGrant && <RowButton action="grant" text={t('operators.grant')} onClick={() => setIsGranting(true)} />}
    >
      <QueryState query={query}>
        {operator?.rights.length === 0 && <Empty>{t('operators.no_rights')}</Empty>}
        {operator && operator.rights.length > 0 && <OperatorRights operator={operator} onRevoke={setRightToRevoke} />}
      </QueryState>
      {isGranting && <GrantDialog person={account} onClose={() => setIsGranting(false)} />}
      {operator && rightToRevoke !== null && (
        <RevokeDialog operator={operator} right={rightToRevoke} onClose={() => setRightToRevoke(null)} />
      )}
    </Panel>
  );
}
