// How a loss is told to a person: pure.
import { digestOf } from '../../../crds/digest.ts';
import type { SiteLoss, Why } from './losses.ts';

/** More are counted only. */
const SHOWN = 8;

const WHY: Readonly<Record<Why, string>> = {
  NoWork: 'the hub does not have this work; gone an hour after the agent has come in',
  NotInWork: 'the hub’s work does not name this; gone at once',
  WorkEnds: 'the work was being deleted; gone at once',
};

export function lineOf({ cluster, work, why, objects }: SiteLoss, limit = SHOWN): string {
  const shown = objects
    .slice(0, limit)
    .map(
      ({ resource, namespace, name }) => `${resource} ${namespace === '' ? name : `${namespace}/${name}`}`,
    );
  const more = objects.length > limit ? [`${objects.length - limit} more`] : [];
  const what = [...shown, ...more].join(', ');
  return `${cluster}, ${work}: ${what === '' ? 'no objects' : what} (${WHY[why]}).`;
}

/** Of what is lost, to the last object, also where the person is shown a number of them: for `--lose`. */
export function fingerprintOfLosses(losses: readonly SiteLoss[], endings: readonly string[]): string {
  const whole = [...losses.map((loss) => lineOf(loss, Number.POSITIVE_INFINITY)), ...endings];
  return digestOf(whole.toSorted().join('\n'), 10);
}
