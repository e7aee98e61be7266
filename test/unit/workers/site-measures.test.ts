// The metrics of the site operator: controller-runtime's names, and the Capps of the site by condition.
import type { Capp } from '../../../crds/capp/capp.ts';
import { countConditions } from '../../../site/status/condition-counts.ts';
import { registry } from '../../../workers/metrics/meter.ts';
import { measureReconciles, measureSite } from '../../../workers/site/measures.ts';

const capp = (...conditions: readonly (readonly [string, string])[]): Capp =>
  ({ status: { conditions: conditions.map(([type, status]) => ({ type, status })) } }) as unknown as Capp;
const samples = (text: string): string[] => text.split('\n').filter((line) => /^[a-z]/.test(line));

test('reconciles are counted by result and timed, under the names of controller-runtime', () => {
  const meter = registry();
  const { done } = measureReconciles(meter);
  expect(samples(meter.text())).toContain(
    'controller_runtime_reconcile_errors_total{controller="CappController"} 0',
  );
  done('success', 0.02);
  done('error', 0.2);
  expect(samples(meter.text())).toEqual(
    expect.arrayContaining([
      'controller_runtime_reconcile_total{controller="CappController",result="success"} 1',
      'controller_runtime_reconcile_total{controller="CappController",result="error"} 1',
      'controller_runtime_reconcile_errors_total{controller="CappController"} 1',
      'controller_runtime_reconcile_time_seconds_count{controller="CappController"} 2',
    ]),
  );
});

test('the Capps of a site are counted by condition, and those that wait for a reconcile', () => {
  const capps = [
    capp(['Ready', 'True'], ['RouteReady', 'False']),
    capp(['Ready', 'True']),
    capp(['Ready', 'Unknown']),
    {} as Capp,
  ];
  const meter = registry();
  measureSite(meter, { conditions: () => countConditions(capps), waiting: () => 3 }, () => true);
  expect(samples(meter.text()).toSorted()).toEqual([
    'cappstan_site_capps{condition="Ready",status="False"} 0',
    'cappstan_site_capps{condition="Ready",status="True"} 2',
    'cappstan_site_capps{condition="Ready",status="Unknown"} 1',
    'cappstan_site_capps{condition="RouteReady",status="False"} 1',
    'cappstan_site_stands_back 1',
    'workqueue_depth{name="CappController"} 3',
  ]);
});

test('a site without Capps shows 0, whatever Ready says', () => {
  expect(countConditions([])).toEqual(
    ['True', 'False', 'Unknown'].map((status) => ({ condition: 'Ready', status, capps: 0 })),
  );
});
