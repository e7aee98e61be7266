// When a Capp is Ready on its site, derived from its Knative Service and its revisions.
import { aCapp } from '../../../support/builders/capps.ts';
import { aRevision, aService, is, type Truth } from '../../../support/builders/site/knative.ts';
import {
  type World,
  conditionOf,
  serves,
  failed,
  running,
} from '../../../support/builders/site/site-reports.ts';

describe('Ready', () => {
  it.each<[string, World, Truth, string]>([
    ['is Unknown before Knative has a Service', {}, 'Unknown', 'Deploying'],
    [
      'is Unknown while Knative has not observed the newest generation',
      { service: aService({ observed: 0, created: 'r1', ready: 'r1', conditions: serves }) },
      'Unknown',
      'Deploying',
    ],
    ['is True once the newest revision serves', { service: running }, 'True', 'Ready'],
    [
      'is Unknown while only an older revision is ready',
      {
        service: aService({ created: 'r2', ready: 'r1', conditions: serves }),
        revisions: [aRevision('r2', is('Ready', 'Unknown'))],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is False when Knative cannot create a revision',
      { service: aService({ conditions: failed }) },
      'False',
      'RolloutFailed',
    ],
    [
      'is False when Knative cannot create the revision of an edit, while the former one serves',
      {
        service: aService({ created: 'r1', ready: 'r1', conditions: failed }),
        revisions: [aRevision('r1', is('Ready', 'True'))],
        isUnmade: true,
      },
      'False',
      'RolloutFailed',
    ],
    [
      'is Unknown while the newest revision may just have recovered',
      {
        service: aService({ created: 'r1', ready: 'r1', conditions: failed }),
        revisions: [aRevision('r1', is('Ready', 'True'))],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is False when the name that the Capp gives to its revision is that of another',
      {
        service: aService({
          created: 'r1',
          ready: 'r1',
          conditions: [
            is('ConfigurationsReady', 'False', 'RevisionFailed'),
            is('RoutesReady', 'False', 'RevisionNameTaken'),
            is('Ready', 'False'),
          ],
        }),
        revisions: [aRevision('r1', is('Ready', 'True'))],
      },
      'False',
      'RolloutFailed',
    ],
    [
      'is False when a Service of somebody else has the name, which Knative would give to its own',
      {
        service: aService({
          conditions: [
            is('Ready', 'False'),
            is('ConfigurationsReady', 'True'),
            is('RoutesReady', 'False', 'NotOwned'),
          ],
        }),
      },
      'False',
      'NameTaken',
    ],
    [
      'is False when the route is not ready',
      {
        service: aService({
          created: 'r1',
          ready: 'r1',
          conditions: [is('ConfigurationsReady', 'True'), is('RoutesReady', 'False'), is('Ready', 'False')],
        }),
        revisions: [aRevision('r1', is('Ready', 'True'))],
      },
      'False',
      'RolloutFailed',
    ],
    [
      'is False with the fault that kept the Service from being written',
      { fault: { reason: 'NameTaken', message: 'm' } },
      'False',
      'NameTaken',
    ],
    [
      'is True for a disabled Capp without a Service',
      { capp: aCapp({ spec: { state: 'disabled' } }) },
      'True',
      'Disabled',
    ],
    [
      'is Unknown for a disabled Capp that still has a Service',
      { capp: aCapp({ spec: { state: 'disabled' } }), service: running },
      'Unknown',
      'Deploying',
    ],
  ])('%s', (_title, world, status, reason) => {
    expect(conditionOf(world, 'Ready')).toMatchObject({ status, reason, observedGeneration: 1 });
  });
});
