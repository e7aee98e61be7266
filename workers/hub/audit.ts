// The audit of the hub worker: one line of JSON for each act on a person's behalf, on standard output,
// whatever LOG_LEVEL is.
import { digestOf } from '../../crds/digest.ts';
import type { Audit } from '../../activities/hub/audit/act.ts';
import type { Logger } from '../process/log.ts';

/** A repeated try writes its line again. Both have the same id, by which readers count it once. */
export function auditOn(logger: Logger): Audit {
  const lines = logger.child({ log: 'audit' }, { level: 'info' });
  return (act) => {
    const { occasion: _only, ...said } = act;
    const id = digestOf(JSON.stringify(act), 16);
    lines.info({ id, ...said });
  };
}
