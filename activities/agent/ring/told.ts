// Remembers what the agent has reported of each Capp, so that it rings for news only.
import type { CappSight } from '../report/verdict.ts';

export interface ReportedSights {
  note(capp: { namespace: string; name: string }, sight: CappSight): void;
  isNews(capp: { namespace: string; name: string }, sight: CappSight): boolean;
  forget(capp: { namespace: string; name: string }): void;
}

export function told(): ReportedSights {
  const heard = new Map<string, string>();
  const keyOf = ({ namespace, name }: { namespace: string; name: string }): string => `${namespace}/${name}`;
  const said = ({ stamp, finding }: CappSight): string => `${stamp} ${finding.statusHash}`;
  return {
    note: (capp, sight) => void heard.set(keyOf(capp), said(sight)),
    isNews: (capp, sight) => heard.get(keyOf(capp)) !== said(sight),
    forget: (capp) => void heard.delete(keyOf(capp)),
  };
}
