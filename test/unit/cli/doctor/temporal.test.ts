// `kubectl capp doctor` finds what the bridge has published of Temporal and of versions that do not fit.
import type { DoctorFacts } from '../../../../cli/doctor/facts.ts';
import { publishing, TEMPORAL, findsOnly } from '../../../support/builders/hub-facts.ts';

test.each<[string, () => Partial<DoctorFacts>, RegExp]>([
  ['nothing is published', () => ({ hubStatus: {} }), /No bridge has published/],
  [
    'Temporal does not answer',
    publishing({ temporal: { ...TEMPORAL, problem: 'Unreachable' } }),
    /Temporal: It does not answer since .+temporal\.address/,
  ],
  [
    'the namespace of Temporal is missing',
    publishing({ temporal: { ...TEMPORAL, problem: 'NoNamespace' } }),
    /no namespace prod since .+namespace create prod/,
  ],
  [
    'Temporal refuses the bridge',
    publishing({ temporal: { ...TEMPORAL, problem: 'Refused' } }),
    /refuses the bridge since .+client certificate/,
  ],
  [
    'a search attribute is missing',
    publishing({ missingSearchAttributes: ['CappSite'] }),
    /no search attribute CappSite .+--name CappSite --type Keyword/,
  ],
  [
    'no hub worker polls',
    publishing({ hubWorkers: { polling: false, current: '1.2-3' } }),
    /No hub worker asks it for work.+cappstan-hub/,
  ],
  [
    'old hub workers still run',
    publishing({ hubWorkers: { polling: true, current: '1.2-3', others: ['1.1-2'] } }),
    /versions: Beside the current build 1\.2-3, hub workers of 1\.1-2 still run/,
  ],
  [
    'the bridge is of another version than the hub workers',
    publishing({ hubWorkers: { polling: true, current: '1.3-4' } }),
    /versions: The bridge is version 1\.2, and build 1\.3-4 runs/,
  ],
])('it is found when %s, with a remedy, and nothing else is', findsOnly);
