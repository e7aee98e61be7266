// How a loss is told to a person: pure.
import type { Loss, Why } from './losses.ts';

/** More are counted only. */
const SHOWN = 8;

const WHY: Readonly<Record<Why, string>> = {
  NoWork: 'the hub does not have this work; gone an hour after the agent has come in',
  NotInWork: 'the hub’s work does not name this; gone at once',
  WorkEnds: 'the work was being deleted; gone at once',
};

export function lineOf({ cluster, work, why, objects }: Loss): string {
  const shown = objects
    .slice(0, SHOWN)
    .map(
      ({ resource, namespace, name }) => `${resource} ${namespace === '' ? name : `${namespace}/${name}`}`,
    );
  const more = objects.length > SHOWN ? [`${objects.length - SHOWN} more`] : [];
  const what = [...shown, ...more].join(', ');
  return `${cluster}, ${work}: ${what === '' ? 'no objects' : what} (${WHY[why]}).`;
}
