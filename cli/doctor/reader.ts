// Faults of the reader, as its APIService shows them. Pure.
import type { ApiService, DoctorFacts, Fault } from './facts.ts';
import { trustFaults } from './trusted.ts';

const PODS =
  'Look at the Pods of Deployment cappstan-reader, or remove the reader with reader.install=false (docs/logs.md).';

/** None where no reader is installed. `now` in milliseconds since the epoch. */
export function readerFaults({ apiServices }: Pick<DoctorFacts, 'apiServices'>, now: number): Fault[] {
  return (apiServices ?? []).flatMap((one) => [...silence(one), ...trust(one, now)]);
}

function silence({ status }: ApiService): Fault[] {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (available?.status !== 'False') return [];
  const problem =
    'The API server does not reach it, so logs, pods and top end with a sentence, and no deletion of a namespace on the hub is finished.';
  return [{ about: 'reader', problem, remedy: PODS }];
}

function trust({ metadata: { name }, spec }: ApiService, now: number): Fault[] {
  const bundle = spec?.caBundle ?? '';
  return trustFaults({ about: 'reader', who: `The APIService ${name}`, bundle, remedy: PODS }, now);
}
