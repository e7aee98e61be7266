// Faults in what is asked about the content of a Pod, of a Capp and of a CappSet's template.
import type { Mutant } from './mutant.ts';

export const PODS: readonly Mutant[] = [
  {
    file: 'admission/newly.ts',
    breaks: 'a Capp that had a field which Knative lacks can never be edited',
    inside: null,
    text: '!before.has(',
    becomes: 'before.size >= 0 || !before.has(',
    seenBy: ['test/unit/admission/capp/workload.test.ts'],
  },
  {
    file: 'admission/rules/spec/pod/found.ts',
    breaks: 'PORT passes where several containers run',
    inside: 'containersOf',
    text: "isServing(value) ? ('serving' as const)",
    becomes: "containers.length === 1 ? ('serving' as const)",
    seenBy: ['test/unit/admission/pod.test.ts'],
  },
  {
    file: 'admission/rules/spec/pod/mounts.ts',
    breaks: 'a path that Knative keeps for itself passes in another spelling',
    inside: 'pathProblems',
    text: 'RESERVED.has(cleaned(path))',
    becomes: 'RESERVED.has(path)',
    seenBy: ['test/unit/admission/pod.test.ts'],
  },
  {
    file: 'admission/rules/set/children.ts',
    breaks: 'a CappSet with what Knative refuses can never be paused',
    inside: 'foundOn',
    text: '...former(facts)',
    becomes: '...({} as ReturnType<Former>)',
    seenBy: ['test/unit/admission/pod.test.ts'],
  },
];
