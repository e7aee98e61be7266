// What the site operator measures: its reconciles, under the names that dashboards for operators use, and the
// Capps of its site by condition.
import type { SiteOperator } from '../../site/operator.ts';
import type { Meter } from '../metrics/meter.ts';

const CONTROLLER = { controller: 'CappController' };

export interface Reconciles {
  done(result: 'success' | 'error', seconds: number): void;
}

/** Counts from 0 on. */
export function measureReconciles(meter: Meter): Reconciles {
  for (const result of ['success', 'error'])
    meter.open('controller_runtime_reconcile_total', { ...CONTROLLER, result });
  meter.open('controller_runtime_reconcile_errors_total', CONTROLLER);
  return {
    done: (result, seconds) => {
      meter.count('controller_runtime_reconcile_total', { ...CONTROLLER, result });
      if (result === 'error') meter.count('controller_runtime_reconcile_errors_total', CONTROLLER);
      meter.record('controller_runtime_reconcile_time_seconds', seconds, CONTROLLER);
    },
  };
}

export function measureSite(
  meter: Meter,
  operator: Pick<SiteOperator, 'conditions' | 'waiting'>,
  standsBack: () => boolean,
): void {
  meter.gauge('workqueue_depth', () => [
    { labels: { name: CONTROLLER.controller }, value: operator.waiting() },
  ]);
  meter.gauge('cappstan_site_stands_back', () => [{ labels: {}, value: standsBack() ? 1 : 0 }]);
  meter.gauge('cappstan_site_capps', () =>
    operator
      .conditions()
      .map(({ condition, status, capps }) => ({ labels: { condition, status }, value: capps })),
  );
}
