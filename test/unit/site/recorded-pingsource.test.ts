// PingSources of a Capp as Knative Eventing's own controller left them (test/fixtures/knative-eventing).
import { readFileSync } from 'node:fs';
import { parseSpec, type Capp } from '../../../crds/capp/capp.ts';
import type { KnativeSource } from '../../../crds/kubernetes/eventing.ts';
import { pingSources } from '../../../site/events/sources.ts';
import { eventsReady } from '../../../site/events/status.ts';
import { aCapp } from '../../support/builders/capps.ts';

type Recorded = KnativeSource & { readonly metadata: { readonly namespace: string } };

const recorded = (state: string): Recorded =>
  JSON.parse(
    readFileSync(
      new URL(`../../fixtures/knative-eventing/pingsource-${state}.json`, import.meta.url),
      'utf8',
    ),
  ) as Recorded;

/** The Capp for which it was made. */
function ticked(): Capp {
  const source = {
    name: 'tick',
    uri: '/tick',
    pingSourceConfiguration: { schedule: '* * * * *', data: '{"a":1}' },
  };
  const capp = aCapp({
    name: 'ticked',
    namespace: 'ticks',
    spec: { eventSourcesSpec: { sources: [source] } },
  });
  return { ...capp, spec: parseSpec(capp.spec) };
}

const said = (state: string) => eventsReady(ticked(), { sources: [recorded(state)], most: 5, fault: null });

test('the recorded spec is what a Capp asks for: the controller adds nothing to it', () => {
  expect(pingSources(ticked()).map(({ spec }) => spec)).toEqual([recorded('waits').spec]);
});

test('while nobody sends, EventsReady is False with the reason of Knative', () => {
  expect(said('waits')).toMatchObject({
    type: 'EventsReady',
    status: 'False',
    reason: 'SourceNotReady',
    message: expect.stringContaining('MinimumReplicasUnavailable') as unknown,
  });
});

test('when its adapter runs, EventsReady is True', () => {
  expect(said('ready')).toMatchObject({ type: 'EventsReady', status: 'True', reason: 'SourcesReady' });
});
