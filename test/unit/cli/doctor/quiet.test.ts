// `kubectl capp doctor` says nothing where all is well, or where it is too early to say it.
import type { DoctorFacts } from '../../../../cli/doctor/facts.ts';
import { PROCESSES } from '../../../../cli/doctor/parts.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import {
  at,
  bundle,
  object,
  aDeployment,
  anAddOn,
  healthy,
  PUBLISHED,
  lines,
} from '../../../support/builders/hub-facts.ts';

test('of a hub where all is well nothing is said', () => {
  expect(lines(healthy())).toEqual([]);
});

test('of what the person may not read nothing is said', () => {
  const unread = Object.fromEntries(Object.keys(healthy()).map((name) => [name, null]));
  expect(lines({ ...unread, served: healthy().served } as unknown as DoctorFacts)).toEqual([]);
});

test('where all processes run elsewhere, and the webhook has a URL, no Deployment is missed', () => {
  const elsewhere = {
    ...object('cappstan-webhook'),
    webhooks: [{ name: 'w', clientConfig: { caBundle: bundle } }],
  };
  const facts = { ...healthy(), deployments: [], validating: [elsewhere], mutating: [elsewhere] };
  expect(lines(facts)).toEqual([]);
  // As on the local stack: nobody looks at Deployments there.
  const unrun = PROCESSES.map((name) => ({ ...aDeployment(name, 0), status: {} }));
  expect(lines({ ...facts, deployments: unrun })).toEqual([]);
  expect(lines({ ...healthy(), deployments: unrun })).toHaveLength(3);
  const stopped = PROCESSES.map((name) => aDeployment(name, 0));
  expect(lines({ ...facts, deployments: stopped })).toHaveLength(3);
});

test('a Capp that was made a moment ago is not late', () => {
  const capp = { ...aCapp(), metadata: { ...aCapp().metadata, creationTimestamp: at(-60_000) } };
  expect(lines({ ...healthy(), capps: [capp] })).toEqual([]);
});

test('of a site that has had its agent for a few minutes, the bridge need not have said anything', () => {
  const metadata = { ...anAddOn('True').metadata, creationTimestamp: at(-5 * 60_000) };
  const facts = {
    ...healthy(),
    hubStatus: { ...PUBLISHED, agents: [] },
    addOns: [{ ...anAddOn('True'), metadata }],
  };
  expect(lines(facts)).toEqual([]);
});
